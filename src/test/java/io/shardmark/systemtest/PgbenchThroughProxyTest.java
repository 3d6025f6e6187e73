package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.servers.DebianPostgres;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * pgbench through the proxy on tables sharded by {@code aid}, {@code tid} and {@code bid}: most of
 * its transactions write on both shards. Money is neither made nor lost.
 */
final class PgbenchThroughProxyTest {
  private static final List<String> TABLES =
      List.of(
          "pgbench_accounts (aid int not null, bid int, abalance int, filler char(84))"
              + " partition by hash (aid)",
          "pgbench_tellers (tid int not null, bid int, tbalance int, filler char(84))"
              + " partition by hash (tid)",
          "pgbench_branches (bid int not null, bbalance int, filler char(88))"
              + " partition by hash (bid)",
          "pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22))"
              + " partition by hash (tid)");

  @TempDir private static Path directory;
  private static ShardedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(DebianPostgres.isAvailable(), DebianPostgres.NOT_THERE);
    cluster = ShardedCluster.start(directory);
    for (String table : TABLES) {
      String name = table.substring(0, table.indexOf(' '));
      psql("create table " + table);
      for (int remainder = 0; remainder < 2; remainder++) {
        psql(
            "create table %s_%d partition of %s for values with (modulus 2, remainder %d) with (shard = %d)"
                .formatted(name, remainder, name, remainder, remainder + 1));
      }
    }
    cluster.client("pgbench", "-i", "-I", "gvp", "--partitions=2", "-s", "3").succeeded();
    assertThat(cluster.ask("SELECT count(*) FROM pgbench_accounts")).isEqualTo("300000");
    assertThat(cluster.askShards("SELECT count(*) > 100000 FROM pgbench_accounts"))
        .containsExactly("t", "t");
  }

  private static void psql(String sql) throws Exception {
    cluster.client("psql", "-v", "ON_ERROR_STOP=1", "-c", sql).succeeded();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extended", "prepared"})
  void runsBothScriptsInEachProtocol(String mode) throws Exception {
    for (String script : List.of("tpcb-like", "select-only")) {
      Finished run =
          cluster
              .client("pgbench", "-n", "-b", script, "-M", mode, "-c", "8", "-j", "2", "-t", "100")
              .succeeded();
      assertThat(run.out())
          .contains("number of transactions actually processed: 800/800")
          .containsPattern("number of failed transactions: 0 ");
    }
    assertBalanced();
  }

  @Test
  void ourOwnScriptsRunAsPgbenchsDo() throws Exception {
    int before = Integer.parseInt(cluster.ask("SELECT count(*) FROM pgbench_history"));
    Map<String, String> properties = Postgres.properties("unused");
    properties.keySet().removeIf(key -> key.matches("warehouses|terminalWarehouse.*|.*Weight"));
    properties.put("conn", cluster.url());
    properties.put("workload", "script:" + Workspace.root().resolve("config/tpcb.sql"));
    properties.put("scriptVariables", "scale=3");
    properties.put("retries", "10");
    Workspace workspace = new Workspace(directory).properties(properties);
    workspace.run("run", Workspace.PROPERTIES, "resultDirectory", "ours").succeeded();
    ResultFiles files = workspace.result("ours").assertWhole();
    assertThat(files.errors("")).isZero();
    assertThat(cluster.ask("SELECT count(*) FROM pgbench_history"))
        .isEqualTo(Integer.toString(before + 100));
    assertBalanced();
  }

  @Test
  void aKilledProxyLosesNoMoney() throws Exception {
    String before = cluster.ask("SELECT count(*) FROM pgbench_history");
    try (DriverProcess load =
        cluster.startClient(
            "pgbench", "-n", "-M", "prepared", "-c", "8", "-j", "2", "-T", "60", "-P", "1")) {
      // pgbench reports on standard error; two reports mean that transactions are under way.
      load.awaitError("progress: ");
      load.awaitNewError("progress: ");
      cluster.killAndRestartProxy();
      load.await();
    }
    cluster.awaitNothingPrepared();
    assertThat(Long.parseLong(cluster.ask("SELECT count(*) FROM pgbench_history")))
        .isGreaterThan(Long.parseLong(before));
    assertBalanced();
  }

  /** The sums of the three tables' balances and of the history are equal. */
  private static void assertBalanced() throws Exception {
    String history = cluster.ask("SELECT sum(delta) FROM pgbench_history");
    assertThat(cluster.ask("SELECT sum(abalance) FROM pgbench_accounts")).isEqualTo(history);
    assertThat(cluster.ask("SELECT sum(tbalance) FROM pgbench_tellers")).isEqualTo(history);
    assertThat(cluster.ask("SELECT sum(bbalance) FROM pgbench_branches")).isEqualTo(history);
  }
}
