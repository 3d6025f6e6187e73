package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.ShardSet;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.SqlLexer;
import io.shardmark.proxy.sql.TableLookup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A cluster put together by hand, and what is planned for it. */
final class Cluster {
  private final List<String> shards;
  private final Map<TableName, Table> tables = new HashMap<>();
  private final Map<NameSpace, Map<TableName, ShardSet>> names =
      Map.of(NameSpace.RELATIONS, new HashMap<>(), NameSpace.STATISTICS, new HashMap<>());
  private final Map<String, String> declared = new HashMap<>();
  private String unsharded = "reference";

  /** At the end of a text. */
  private static final String MARK =
      "\n; alter table .+ add constraint \"shardmark one shard\" check \\(true\\)$";

  Cluster(String... shards) {
    this.shards = List.of(shards);
  }

  /** A rule that is equal to others of the same name. */
  private record Rule(String name) implements PartitionRule {
    @Override
    public int shardOf(@Nullable Object key) {
      return NO_PARTITION;
    }
  }

  /** The configuration's key unsharded_tables. */
  Cluster unsharded(String shard) {
    unsharded = shard;
    return this;
  }

  Cluster reference(String name) {
    return add(name, new Sharding.Reference());
  }

  Cluster sharded(String name, String column, String rule) {
    return add(name, new Sharding.ByColumn(column, KeyType.INTEGER, new Rule(rule)));
  }

  Cluster declared(String name, String column) {
    declared.put(name, column);
    return sharded(name, column, "declared");
  }

  /** The configuration names a table that does not exist yet. */
  Cluster declaredOnly(String name, String column) {
    declared.put(name, column);
    return this;
  }

  Cluster partition(String name, int shard) {
    return add(name, new Sharding.OnShard(shard));
  }

  Cluster oneShard(String name, int shard) {
    return add(name, new Sharding.OnShard(shard, true));
  }

  /** What is no table, and which shards have it. */
  Cluster name(NameSpace space, String name, Integer... having) {
    Objects.requireNonNull(names.get(space))
        .put(new TableName("public", name), ShardSet.of(List.of(having)));
    return this;
  }

  private Cluster add(String name, Sharding sharding) {
    TableName key = new TableName("public", name);
    tables.put(key, new Table(key, sharding, List.of()));
    return this;
  }

  StatementPlan plan(String sql) {
    ShardMap map = new ShardMap(shards, tables, names, Set.of(), Map.of(), Schemas.NONE, 1);
    return new ShardDdlPlanner(() -> declared, () -> unsharded)
        .plan(sql, SqlLexer.tokens(sql), new TableLookup(map, List.of("public")));
  }

  /** What the shards are sent, those with the same text in one entry, or the refusal. */
  String planned(String sql) {
    StatementPlan plan = plan(sql);
    if (plan instanceof StatementPlan.RefusedPlan refused) {
      return "refused 0A000: " + refused.message();
    }
    if (plan instanceof StatementPlan.QueryPlan query
        && query.strategy() instanceof ScatterStrategy.RefuseScatter why) {
      return "by hand" + query.effects() + ": " + why.message();
    }
    if (!(plan instanceof StatementPlan.Ddl ddl)) {
      return plan.toString();
    }
    String flags =
        (ddl.shown() >= 0 ? " tried" : "")
            + (ddl.transactional() ? "" : " alone")
            + (ddl.changesMap() ? " map" : "");
    if (ddl.statements().stream().allMatch(sql::equals)) {
      return "all" + flags;
    }
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < ddl.statements().size(); i++) {
      String statement = ddl.statements().get(i);
      if (statement != null && ddl.shown() >= 0 && i != ddl.shown()) {
        String[] trial =
            statement.split(
                "release savepoint \"shardmark:partition\"(; )?|; drop (view|table) .*", 2);
        String last = trial[trial.length - 1];
        statement = last.isEmpty() ? null : last;
      }
      if (statement != null) {
        String made = statement.replaceFirst(MARK, "");
        String marked = made.equals(statement) ? "" : " marked";
        parts.add(shards.get(i) + (made.equals(sql) ? "" : ": " + made) + marked);
      }
    }
    return String.join(" | ", parts) + flags;
  }
}
