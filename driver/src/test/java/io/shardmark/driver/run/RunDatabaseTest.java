package io.shardmark.driver.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TestProperties;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.inventory.Inventory;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.driver.servers.PrivatePgBouncer;
import io.shardmark.driver.tpcc.Tpcc;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.Sharding;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A PostgreSQL with tables in place of the catalogs of a Citus with two workers. */
final class RunDatabaseTest {
  private static final String CITUS =
      """
      create table public.pg_extension (extname text, extversion text);
      insert into public.pg_extension values ('citus', '13.2-1');
      create table pg_dist_node (groupid int, nodename text, nodeport int, isactive bool,
        noderole text, shouldhaveshards bool);
      insert into pg_dist_node values (1, 'w1', 1, true, 'primary', true),
        (2, 'w2', 2, true, 'primary', true);
      create table pg_dist_partition (logicalrelid regclass, partmethod "char", partkey text);
      create table pg_dist_shard (logicalrelid regclass, shardid bigint, shardminvalue text,
        shardmaxvalue text);
      create table pg_dist_placement (placementid bigserial, shardid bigint, groupid int);
      create function column_to_column_name(regclass, text) returns text language sql as 'select $2';
      create function citus_check_connection_to_node(nodename text, nodeport int) returns bool
        language sql as $$select nodename <> 'gone'$$;
      create table bmsql_warehouse (w_id integer);
      create table others (id integer);
      """;

  /** Keeps the map that it is told. */
  private static final class Told implements Workload {
    private final List<ShardMap> maps = new ArrayList<>();

    @Override
    public List<TransactionType> types() {
      return List.of();
    }

    @Override
    public void prepare(Connection connection) {}

    @Override
    public void spreadOver(ShardMap map) {
      maps.add(map);
    }

    @Override
    public Terminal newTerminal(int index) {
      throw new UnsupportedOperationException();
    }

    @Override
    public TransactionExecutor newExecutor(Connection connection) {
      return nullExecutor();
    }
  }

  /** Finds no tables. */
  private static final class NotBuilt implements Workload {
    private final Told told = new Told();

    @Override
    public List<TransactionType> types() {
      return told.types();
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
      throw new SQLException("ERROR: relation \"bmsql_config\" does not exist", "42P01");
    }

    @Override
    public Terminal newTerminal(int index) {
      return told.newTerminal(index);
    }

    @Override
    public TransactionExecutor newExecutor(Connection connection) {
      return told.newExecutor(connection);
    }
  }

  @Test
  void aRunOnACoordinatorKnowsItsTablesAndItsNodes() throws SQLException {
    BenchmarkProperties properties =
        BenchmarkProperties.parse(
            Benchmarks.KEYS,
            Path.of("props"),
            """
            conn=embedded:postgres?memory=128MB&fsync=off
            warehouses=1
            terminals=1
            runTxnsPerTerminal=1
            """,
            Map.of());
    try (Database database = Database.open(properties.connection(), 4, line -> {})) {
      execute(database, CITUS);
      execute(database, "alter database benchmarksql set search_path = public, pg_catalog");
      execute(database, distribute("others"));

      List<String> before = new ArrayList<>();
      assertThatThrownBy(() -> prepare(new NotBuilt(), properties, database, before))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("build makes and loads them");
      assertThat(before).isEmpty();

      Told local = new Told();
      List<String> warnings = new ArrayList<>();
      RunDatabase run = prepare(local, properties, database, warnings);
      assertThat(warnings).singleElement().asString().contains("Citus coordinator", "bmsql_...");
      assertThat(local.maps).isEmpty();
      assertThat(run.shards()).isEmpty();
      assertThat(run.facts()).doesNotContainKey("citus");

      execute(database, distribute("bmsql_warehouse"));
      Told spread = new Told();
      List<String> none = new ArrayList<>();
      RunDatabase distributed = prepare(spread, properties, database, none);
      assertThat(none).isEmpty();
      assertThat(spread.maps).hasSize(1);
      assertThat(distributed.facts())
          .containsEntry("citus", "13.2-1")
          .containsEntry("citusNodes", "2")
          .containsEntry("citusShardsOfTable", "1")
          .containsEntry("citusNodeConnections", "not readable");
      assertThat(distributed.factsAtEnd()).isEqualTo(distributed.facts());
      execute(database, "update pg_dist_node set nodename = 'gone' where groupid = 2");
      assertThat(distributed.factsAtEnd()).containsEntry(SystemFacts.NODES_LOST, "gone:2");
    }
  }

  /** Citus permits eight of the ten foreign keys. */
  @Test
  void theKeysOfABuildAreThoseOfItsDatabase() {
    RunPlan plan = RunPlan.of(TestProperties.of("warehouses=1\nterminals=1\nrunMins=1\n"), null, 7);

    assertThat(plan.scope(Optional.empty()).keys()).contains("ol_stock_fkey", "o_customer_fkey");
    assertThat(plan.scope(Optional.of(Sharding.CITUS)).keys())
        .contains("o_customer_fkey")
        .doesNotContain("ol_stock_fkey", "h_district_fkey");
  }

  @Test
  void aRunThroughAPoolerSaysWhatToSet() throws Exception {
    assumeTrue(PrivatePgBouncer.isInstalled(), PrivatePgBouncer.NOT_THERE);
    try (PrivatePgBouncer pooler = PrivatePgBouncer.start(2)) {
      BenchmarkProperties properties =
          TestProperties.of(
              "warehouses=1\nterminals=1\nrunTxnsPerTerminal=1\n",
              Map.of("conn", pooler.url("postgres"), "user", "postgres", "password", "postgres"));
      try (Database database = Database.open(properties.connection(), 4, line -> {})) {
        List<String> warnings = new ArrayList<>();
        prepare(new Told(), properties, database, warnings);

        assertThat(warnings)
            .singleElement()
            .asString()
            .contains("a connection pooler", "add prepareThreshold=0 to the options of conn");
      }
    }
  }

  private static String distribute(String table) {
    return """
        insert into pg_dist_partition values ('%1$s', 'h', 'id');
        insert into pg_dist_shard values ('%1$s', '%1$s'::regclass::oid::bigint, -2147483648, 2147483647);
        insert into pg_dist_placement (shardid, groupid) values ('%1$s'::regclass::oid::bigint, 1);
        """
        .formatted(table);
  }

  private static RunDatabase prepare(
      Workload workload, BenchmarkProperties properties, Database database, List<String> warnings) {
    return RunDatabase.prepare(
        workload,
        Settings.of(new Tpcc(), properties).run(),
        database,
        sharding -> new Inventory.InventoryScope("bmsql_", "", Set.of(), Optional.empty()),
        warnings::add);
  }

  private static void execute(Database database, String sql) throws SQLException {
    try (Connection connection = database.connections().open();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
