package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.config.tpcc.TpccConfig;
import io.shardmark.config.tpcc.TpccKey;
import io.shardmark.config.tpcc.TransactionMix;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whole files in the shapes that users of BenchmarkSQL and its forks have. */
final class FilesOfOthersTest {
  private static BenchmarkProperties parse(String text) {
    return BenchmarkProperties.parse(
        TestCatalog.TPCC, Path.of("my_test.properties"), text, Map.of());
  }

  @Test
  void version50FileOfAPublishedTest() {
    BenchmarkProperties properties =
        parse(
            """
            db=postgres
            driver=org.postgresql.Driver
            conn=jdbc:postgresql://192.0.2.20:47001/bench50
            user=bench50
            password=bench50

            warehouses=50
            loadWorkers=50

            terminals=20
            //To run specified transactions per terminal- runMins must equal zero
            runTxnsPerTerminal=0
            //To run for specified minutes- runTxnsPerTerminal must equal zero
            runMins=1
            //Number of total transactions per minute
            limitTxnsPerMin=0

            //Set to true to run in 4.x compatible mode.
            terminalWarehouseFixed=false

            //The following five values must add up to 100
            newOrderWeight=45
            paymentWeight=43
            orderStatusWeight=4
            deliveryWeight=4
            stockLevelWeight=4

            // Directory name to create for collecting detailed result data.
            resultDirectory=my_result_%tY-%tm-%td_%tH%tM%tS
            osCollectorScript=./misc/os_collector_linux.py
            osCollectorInterval=1
            osCollectorSSHAddr=oracle@192.0.2.20
            osCollectorDevices=net_eno1 blk_nvme0n1
            """);

    assertThat(properties.warnings()).isEmpty();
    assertThat(properties.runWarnings()).isEmpty();
    assertThat(properties.connection().url())
        .isEqualTo("jdbc:postgresql://192.0.2.20:47001/bench50");
    assertThat(properties.load().workers()).isEqualTo(50);
    assertThat(properties.run().runDuration()).isEqualTo(Duration.ofMinutes(1));
    assertThat(TpccConfig.read(properties.values(), 1).mix())
        .isEqualTo(new TransactionMix(45, 43, 4, 4, 4));
    assertThat(properties.result().osCollector().flatMap(c -> c.sshAddress()))
        .contains("oracle@192.0.2.20");
  }

  @Test
  void stableFileWithoutWeightsOrResults() {
    BenchmarkProperties properties =
        parse(
            """
            db=oracle
            driver=oracle.jdbc.driver.OracleDriver
            conn=jdbc:oracle:thin:@localhost:1521:XE
            user=scott
            password=tiger
            warehouses=10
            loadWorkers=4
            terminals=200
            rampupDelay=1.0
            runTxnsPerTerminal=0
            runMins=2
            limitTxnsPerMin=10000000
            terminalWarehouseFixed=false
            useStoredProcedures=true
            //newOrderWeight=45
            //paymentWeight=43
            //resultDirectory=my_result
            //osCollectorSSHAddr=user@dbhost
            """);

    assertThat(properties.warnings()).isEmpty();
    RunConfig run = properties.run();
    assertThat(run.terminals()).isEqualTo(200);
    assertThat(run.pacing().rampupDelay()).isEqualTo(Duration.ofSeconds(1));
    assertThat(run.pacing().limitTxnsPerMin()).isEqualTo(10_000_000);
    TpccConfig tpcc = TpccConfig.read(properties.values(), 1);
    assertThat(tpcc.statementProfile()).isEqualTo(StatementProfile.PROCEDURES);
    assertThat(tpcc.mix().payment()).isEqualTo(43.47826);
    assertThat(properties.result().directoryPattern()).isEmpty();
    assertThat(properties.result().osCollector()).isEmpty();
  }

  @Test
  void mysqlFileOfAFork() {
    BenchmarkProperties properties =
        parse(
            """
            db=mysql
            driver=com.mysql.jdbc.Driver
            conn=jdbc:mysql://localhost:4000/tpcc?useSSL=false&useServerPrepStmts=true
            user=root
            password=
            warehouses=1
            """);

    ConnectionConfig connection = properties.connection();
    assertThat(connection.database()).isEqualTo(DatabaseKind.MYSQL);
    assertThat(connection.password().value()).isEmpty();
    assertThat(connection.url()).endsWith("/tpcc?useSSL=false&useServerPrepStmts=true");
    assertThat(properties.values().integer(TpccKey.WAREHOUSES, 0)).isEqualTo(1);
    assertThat(properties.warnings()).isEmpty();
  }
}
