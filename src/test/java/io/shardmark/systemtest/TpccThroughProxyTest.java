package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.servers.DebianPostgres;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The published benchmark of a sharded cluster (Klustron against Oracle, 2023), typed as its page
 * has it, from the heredoc with the tables to the table of the comparison: only the addresses, the
 * user, the sizes and the directory differ.
 */
final class TpccThroughProxyTest {
  /** As published with "Klustron vs. Oracle: TPCC Performance Comparison". */
  private static final String PUBLISHED =
      "proxy/src/test/resources/io/shardmark/proxy/routing/ddl/klustron-tableCreates.sql";

  private static final String SCRIPTS =
      """
      set -eu
      cd run/sql.common
      cat << EOF > tableCreates.sql
      %s
      EOF
      mv indexCreates.sql indexCreates.sql_old
      mv foreignKeys.sql foreignKeys.sql.bak
      cd ..
      sed -i 's/^alter table bmsql_history add primary key (hist_id);$/alter table bmsql_history add primary key (hist_id,h_c_w_id);/' sql.postgres/extraHistID.sql
      grep -q 'hist_id,h_c_w_id' sql.postgres/extraHistID.sql
      mv sql.postgres/buildFinish.sql sql.postgres/buildFinish.sql.bak
      """;

  /**
   * The page's file, but for conn, user, password, warehouses, runTxnsPerTerminal, runMins, the
   * address.
   */
  private static final String PROPERTIES =
      """
      db=postgres
      driver=org.postgresql.Driver
      conn=%s
      user=%s
      password=%s

      warehouses=4
      loadWorkers=50

      terminals=20
      //To run specified transactions per terminal- runMins must equal zero
      runTxnsPerTerminal=30
      //To run for specified minutes- runTxnsPerTerminal must equal zero
      runMins=0
      //Number of total transactions per minute
      limitTxnsPerMin=0

      //Set to true to run in 4.x compatible mode. Set to false to use the
      //entire configured database evenly.
      terminalWarehouseFixed=false

      //The following five values must add up to 100
      //The default percentages of 45, 43, 4, 4 & 4 match the TPC-C spec
      newOrderWeight=45
      paymentWeight=43
      orderStatusWeight=4
      deliveryWeight=4
      stockLevelWeight=4

      // Directory name to create for collecting detailed result data.
      // Comment this out to suppress.
      resultDirectory=my_result_%%tY-%%tm-%%td_%%tH%%tM%%tS
      osCollectorScript=./misc/os_collector_linux.py
      osCollectorInterval=1
      osCollectorSSHAddr=kunlun@127.0.0.1
      osCollectorDevices=net_enp4s0 blk_ nvme1n1
      """;

  @TempDir private Path directory;

  @Test
  void thePublishedStepsRunAsTyped() throws Exception {
    assumeTrue(DebianPostgres.isAvailable(), DebianPostgres.NOT_THERE);
    Path root = Workspace.root();
    Workspace home = new Workspace(directory);
    String run = directory.resolve("run").toString();
    command(home, "cp", "-rL", root.resolve("driver/run").toString(), run).succeeded();
    command(home, "ln", "-s", Workspace.jar().toString(), "driver.jar").succeeded();
    String creates = Files.readString(root.resolve(PUBLISHED));
    command(home, "bash", "-c", SCRIPTS.formatted(creates)).succeeded();
    try (ShardedCluster cluster = ShardedCluster.start(directory)) {
      Workspace typed = new Workspace(directory.resolve("run"));
      Files.writeString(
          typed.directory().resolve("props.pg"),
          PROPERTIES.formatted(cluster.url(), Postgres.USER, Postgres.PASSWORD));

      Finished built = command(typed, "./runDatabaseBuild.sh", "props.pg").succeeded();

      assertThat(built.out())
          .contains("indexCreates             left out: there is no indexCreates.sql with your")
          .contains("foreignKeys              left out: there is no foreignKeys.sql with your")
          // As in BenchmarkSQL: the file of sql.common, which does nothing, takes its place.
          .contains("# Loading SQL file ./sql.common/buildFinish.sql")
          .contains("# Loading SQL file ./sql.postgres/extraHistID.sql");
      // Modulo 6, warehouses 1 to 3 hash to 1, 0, 1 and warehouse 4 to 3: both shards hold some.
      assertThat(cluster.askShards("SELECT count(*) FROM bmsql_warehouse")).doesNotContain("0");
      assertThat(cluster.askShards("SELECT count(*) FROM bmsql_item"))
          .isEqualTo(List.of("100000", "100000"));

      Finished ran = command(typed, "./runBenchMark.sh", "props.pg").succeeded();

      assertThat(ran.out()).containsPattern("Term-00, Transaction Count = 600\n");
      String result = command(typed, "bash", "-c", "ls -d my_result_*").succeeded().out().strip();
      assertThat(typed.result(result).assertWhole().errors("")).as(ran.out()).isZero();
      command(typed, "./generateReport.sh", result).succeeded();
      typed.run("verify", "props.pg").succeeded();
      assertThat(cluster.askShards("SELECT count(*) FROM pg_prepared_xacts"))
          .containsExactly("0", "0");
      Finished compared =
          typed
              .run(
                  "compare",
                  "w50/cluster=" + result,
                  root.resolve("results/published-klustron-2023").toString())
              .succeeded();
      assertThat(compared.out())
          .contains("50 warehouses")
          .containsPattern("(?m)^20 +12,766 +\\d.* 78,996 ");
    }
  }

  private static Finished command(Workspace workspace, String... words)
      throws IOException, InterruptedException {
    Map<String, String> environment =
        Map.of("JAVA_HOME", System.getProperty("java.home"), "SHARDMARK_CACHE", "off");
    try (DriverProcess process = workspace.startCommand(List.of(words), environment)) {
      return process.await();
    }
  }
}
