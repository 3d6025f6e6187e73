package io.shardmark.proxy.routing.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.TwoShards;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.sql.SqlLexer;
import io.shardmark.proxy.sql.StatementSplitter;
import io.shardmark.proxy.sql.TableLookup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The tables that Klustron published for its TPC-C comparison, made on two real databases. */
final class KlustronScriptTest {
  private static final ShardDdlPlanner PLANNER = new ShardDdlPlanner(Map::of, () -> "reference");

  private static final List<Connection> SHARDS = new ArrayList<>();

  @BeforeAll
  static void start() throws SQLException, IOException {
    TwoShards shards = TwoShards.create();
    SHARDS.add(shards.connect(0));
    SHARDS.add(shards.connect(1));
    for (String sql : StatementSplitter.split(script())) {
      execute(sql.replaceFirst(";$", ""));
    }
  }

  @AfterAll
  static void stop() throws SQLException {
    for (Connection shard : SHARDS) {
      shard.close();
    }
    SHARDS.clear();
  }

  private static String script() throws IOException {
    try (InputStream in =
        KlustronScriptTest.class.getResourceAsStream("klustron-tableCreates.sql")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** As the proxy does, with a map that knows nothing: all that is needed is in the text. */
  private static void execute(String sql) throws SQLException {
    ShardMap map = new ShardMap(List.of("s1", "s2"), Map.of(), 1);
    StatementPlan plan =
        PLANNER.plan(sql, SqlLexer.tokens(sql), new TableLookup(map, List.of("public")));
    assertThat(plan).as(sql).isInstanceOf(StatementPlan.Ddl.class);
    List<@Nullable String> statements = ((StatementPlan.Ddl) plan).statements();
    for (int shard = 0; shard < SHARDS.size(); shard++) {
      String text = statements.get(shard);
      if (text != null) {
        try (Statement statement = SHARDS.get(shard).createStatement()) {
          statement.execute("begin");
          statement.execute(text);
          statement.execute("commit");
        }
      }
    }
  }

  private static String query(int shard, String sql) throws SQLException {
    try (Statement statement = SHARDS.get(shard).createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return String.valueOf(rows.getString(1));
    }
  }

  @Test
  void eachShardHasItsOwnPartitionsAndAllParents() throws SQLException {
    String partitions =
        "select string_agg(c.relname, ' ' order by c.relname) from pg_class c join pg_namespace n"
            + " on n.oid = relnamespace where nspname = current_schema and relkind in ('r', 'p')"
            + " and relname ~ 'bmsql_(stock|item|config)'";
    assertThat(query(0, partitions))
        .isEqualTo("bmsql_config bmsql_item bmsql_stock bmsql_stock_0 bmsql_stock_1 bmsql_stock_2");
    assertThat(query(1, partitions))
        .isEqualTo("bmsql_config bmsql_item bmsql_stock bmsql_stock_3 bmsql_stock_4 bmsql_stock_5");
  }

  @Test
  void everyWarehouseIsTakenByExactlyTheShardOfItsRemainder() throws SQLException {
    for (int warehouse = 1; warehouse <= 40; warehouse++) {
      String first =
          "select bool_or(satisfies_hash_partition('bmsql_warehouse'::regclass, 6, r, %d))"
              .formatted(warehouse);
      boolean onFirst = query(0, first + " from generate_series(0, 2) r").equals("t");
      int owner = onFirst ? 0 : 1;
      String insert = "insert into bmsql_warehouse (w_id) values (%d) returning w_id";
      assertThat(query(owner, insert.formatted(warehouse))).isEqualTo("" + warehouse);
      int refusing = 1 - owner;
      int w = warehouse;
      assertThatThrownBy(() -> query(refusing, insert.formatted(w)))
          .hasMessageContaining("no partition of relation");
    }
  }

  private static StatementPlan.SetSequence setting(String sequence) {
    String name = "'" + sequence + "'::regclass";
    return new StatementPlan.SetSequence(name, "", "", "", "setval");
  }

  @Test
  void theShardsShareOutTheNumbersOfASequence() throws SQLException {
    Set<Integer> numbers = new TreeSet<>();
    for (int i = 0; i < 10; i++) {
      for (int shard = 0; shard < 2; shard++) {
        numbers.add(Integer.parseInt(query(shard, "select nextval('bmsql_hist_id_seq')")));
      }
    }
    assertThat(numbers).hasSize(20).contains(1, 20);
    StatementPlan.SetSequence plan = setting("bmsql_hist_id_seq");
    for (int shard = 0; shard < 2; shard++) {
      String value = query(shard, SequenceDeal.query(plan, 101, false, shard, 2));
      assertThat(value).isEqualTo("" + (101 + shard));
      assertThat(query(shard, "select nextval('bmsql_hist_id_seq')")).isEqualTo("" + (101 + shard));
      assertThat(query(shard, "select nextval('bmsql_hist_id_seq')")).isEqualTo("" + (103 + shard));
    }
    for (int shard = 0; shard < 2; shard++) {
      query(shard, SequenceDeal.query(plan, 500, true, shard, 2));
      assertThat(query(shard, "select nextval('bmsql_hist_id_seq')")).isEqualTo("" + (501 + shard));
    }
  }

  @Test
  void setvalFailsOnASequenceThatWasMadePastTheProxy() throws SQLException {
    try (Statement statement = SHARDS.get(0).createStatement()) {
      statement.execute("create sequence foreign_seq");
    }
    StatementPlan.SetSequence plan = setting("foreign_seq");
    assertThatThrownBy(() -> query(0, SequenceDeal.query(plan, 5, true, 0, 2)))
        .hasMessageContaining("1 is an increment that 2 shards cannot share");
  }

  @Test
  void sequencesAndIdentityColumnsStayApart() throws SQLException {
    execute("create sequence ring minvalue 0 maxvalue 50 start 3");
    execute("create table numbered (w int, id serial, v int) partition by hash (w)");
    execute(
        "create table numbered_0 partition of numbered for values with (modulus 2, remainder 0)");
    execute(
        "create table numbered_1 partition of numbered for values with (modulus 2, remainder 1)");
    List<Set<String>> drawn = new ArrayList<>();
    for (int shard = 0; shard < 2; shard++) {
      Set<String> numbers = new TreeSet<>();
      Set<String> ids = new TreeSet<>();
      int owned = Integer.parseInt(query(shard, ownedKey(shard)));
      for (int i = 0; i < 9; i++) {
        numbers.add(query(shard, "select nextval('ring')"));
        ids.add(query(shard, "insert into numbered (w) values (" + owned + ") returning id"));
      }
      assertThat(numbers).hasSize(9);
      assertThat(ids).hasSize(9);
      drawn.add(numbers);
      drawn.add(ids);
    }
    assertThat(drawn.get(0)).doesNotContainAnyElementsOf(drawn.get(2));
    assertThat(drawn.get(1)).doesNotContainAnyElementsOf(drawn.get(3));
  }

  private static String ownedKey(int remainder) {
    return "select min(k) from generate_series(1, 50) k where"
        + " satisfies_hash_partition('numbered'::regclass, 2, "
        + remainder
        + ", k)";
  }

  @Test
  void storageParametersReachThePartitions() throws SQLException {
    Cluster cluster = new Cluster("s1", "s2").sharded("bmsql_oorder", "o_w_id", "o");
    StatementPlan plan = cluster.plan("alter table bmsql_oorder set (fillfactor = 80)");
    String block = Objects.requireNonNull(((StatementPlan.Ddl) plan).statements().get(0));
    try (Statement statement = SHARDS.get(0).createStatement()) {
      statement.execute(block);
    }
    assertThat(
            query(
                0,
                "select count(*) from pg_class where relname ~ '^bmsql_oorder_[0-9]$'"
                    + " and reloptions = '{fillfactor=80}'"))
        .isEqualTo("3");
  }
}
