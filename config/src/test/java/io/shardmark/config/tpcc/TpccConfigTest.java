package io.shardmark.config.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.KeyCatalog;
import io.shardmark.config.PropertyReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TpccConfigTest {
  private static final KeyCatalog KEYS = new KeyCatalog(Map.of("tpcc", List.of(TpccKey.values())));
  private static final String LEAST = "warehouses=10\nterminals=20\nrunMins=2\n";

  private static PropertyReader values(String more) {
    return BenchmarkProperties.parse(
            KEYS, Path.of("props.pg"), LEAST + more.replace(';', '\n'), Map.of())
        .values();
  }

  private static TpccConfig run(String more) {
    return TpccConfig.read(values(more), 20);
  }

  @Test
  void defaultsAreBenchmarkSqls() {
    TpccConfig config = run("");

    assertThat(config)
        .isEqualTo(new TpccConfig(false, StatementProfile.BENCHMARKSQL, 1, 15, config.mix(), 2));
    assertThat(TpccConfig.warnings(values(""))).isEmpty();
  }

  @Test
  void takesEveryKey() {
    TpccConfig config =
        run(
            "deliveryThreads=3;terminalWarehouseFixed=TRUE;statementProfile=batched;"
                + "newOrderRemotePercent=10;paymentRemotePercent=0");

    assertThat(config)
        .isEqualTo(new TpccConfig(true, StatementProfile.BATCHED, 10, 0, config.mix(), 3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          deliveryThreads=0            | deliveryThreads=0: expected a whole number from 1 to 1000
          newOrderRemotePercent=100.1  | newOrderRemotePercent=100.1: expected a number from 0 to 100
          paymentRemotePercent=15%     | paymentRemotePercent=15%: expected a number from 0 to 100
          statementProfile=fast        | statementProfile=fast: expected benchmarksql, batched or procedures
          """)
  void refuses(String line, String message) {
    assertThatThrownBy(() -> run(line))
        .isInstanceOf(ConfigException.class)
        .hasMessage("props.pg:4: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          useStoredProcedures=true                               | PROCEDURES
          useStoredProcedures=True;db=oracle                     | PROCEDURES
          useStoredProcedures=true;statementProfile=procedures   | PROCEDURES
          useStoredProcedures=false;statementProfile=procedures  | PROCEDURES
          useStoredProcedures=false                              | BENCHMARKSQL
          useStoredProcedures=yes                                | BENCHMARKSQL
          useStoredProcedures=false;statementProfile=batched     | BATCHED
          statementProfile=benchmarksql;db=firebird              | BENCHMARKSQL
          """)
  void storedProceduresAreAProfile(String lines, StatementProfile profile) {
    assertThat(run(lines).statementProfile()).isEqualTo(profile);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          useStoredProcedures=true;statementProfile=batched | props.pg:5: statementProfile=batched: expected procedures, or useStoredProcedures=false
          useStoredProcedures=true;db=mysql        | props.pg:4: useStoredProcedures=true: expected another profile with db=mysql: only postgres and oracle have the procedures
          statementProfile=procedures;db=firebird  | props.pg:4: statementProfile=procedures: expected another profile with db=firebird: only postgres and oracle have the procedures
          """)
  void refusesProceduresThatAreNotThere(String lines, String message) {
    assertThatThrownBy(() -> run(lines)).isInstanceOf(ConfigException.class).hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "terminalWarehouseFixed=yes, true",
    "useStoredProcedures=1, true",
    "terminalWarehouseFixed=False, false"
  })
  void warnsOfWhatIsNeitherTrueNorFalse(String line, boolean odd) {
    assertThat(TpccConfig.warnings(values(line)))
        .hasSize(odd ? 1 : 0)
        .allMatch(
            text ->
                text.equals("props.pg:4: " + line + " counts as false: expected true or false"));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "10, 1", "11, 2", "20, 2", "100000, 1000"})
  void deliveryThreadsFollowTheConnections(int connections, int threads) {
    assertThat(TpccConfig.read(values(""), connections).deliveryThreads()).isEqualTo(threads);
  }
}
