package io.shardmark.proxy.server;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.routing.PlanCache;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.SimpleStatement;
import io.shardmark.proxy.routing.StatementSplitter;
import io.shardmark.proxy.session.Planner;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.KeyValues;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Plans with the shard map of now. One for each event loop; the cache is shared. */
final class RoutingPlanner implements Planner {
  private final PlanCache plans;
  private final Supplier<ShardMap> map;
  private final LoopCounters counters;
  private ShardMap used;

  RoutingPlanner(PlanCache plans, Supplier<ShardMap> map, LoopCounters counters) {
    this.counters = counters;
    this.plans = plans;
    this.map = map;
    this.used = map.get();
  }

  @Override
  public long version() {
    ShardMap now = map.get();
    if (now.version() != used.version()) {
      used = now;
      plans.use(now);
    }
    return now.version();
  }

  @Override
  public Schemas schemas() {
    return map.get().schemas();
  }

  @Override
  public Planner over(ShardMap other) {
    return new RoutingPlanner(plans.over(other), () -> other, counters);
  }

  @Override
  public List<Planned> simple(String text, List<String> searchPath) {
    version();
    List<String> statements = StatementSplitter.split(text);
    counters.add(LoopCounter.PLAN_LOOKUPS, statements.size());
    List<Planned> planned = new ArrayList<>(statements.size());
    for (String statement : statements) {
      SimpleStatement one = plans.planSimple(statement, searchPath);
      planned.add(new Planned(one.planned(), one.literals()));
    }
    return planned;
  }

  @Override
  public int shardOfKey(String key) {
    int only = -1;
    for (Table table : map.get().tables().values()) {
      if (!(table.sharding() instanceof Sharding.ByColumn sharding)) {
        continue;
      }
      int shard;
      try {
        shard = sharding.rule().shardOf(value(sharding.keyType(), key));
      } catch (IllegalArgumentException e) { // not a key of this table
        continue;
      }
      if (shard >= 0 && only >= 0 && shard != only) {
        return -1;
      }
      only = shard >= 0 ? shard : only;
    }
    return only;
  }

  private static Object value(KeyType type, String key) {
    return switch (type) {
      case INTEGER -> Long.parseLong(key.strip());
      case TEXT -> key;
      case UUID, DATE, TIMESTAMP -> KeyValues.parse(type, key);
    };
  }

  @Override
  public PlannedStatement extended(String text, List<String> searchPath) {
    counters.count(LoopCounter.PLAN_LOOKUPS);
    return plans.planParse(text, searchPath);
  }
}
