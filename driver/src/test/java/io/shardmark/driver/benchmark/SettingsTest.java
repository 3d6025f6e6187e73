package io.shardmark.driver.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.tpcc.Tpcc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The share of one driver in a run that several make. */
final class SettingsTest {
  private static final Benchmark TPCC = new Tpcc();
  private static final String WHOLE =
      """
      db=postgres
      driver=org.postgresql.Driver
      conn=jdbc:postgresql://host/bench
      user=bench
      password=secret
      warehouses=10
      terminals=95
      connections=20
      runMins=2
      resultDirectory=result
      drivers=3
      """;

  private static BenchmarkProperties parse(String more) {
    return BenchmarkProperties.parse(
        Benchmarks.KEYS, Path.of("props.pg"), WHOLE + more.replace(';', '\n'), Map.of());
  }

  private static Settings share(String more) {
    return Settings.of(TPCC, parse(more));
  }

  private static List<Settings> shares(String more) {
    return IntStream.range(0, 3).mapToObj(i -> share("driverIndex=" + i + ";" + more)).toList();
  }

  @Test
  void oneFileGivesEachDriverItsShare() {
    List<Settings> shares = shares("");

    assertThat(shares).extracting(one -> one.scale().from()).containsExactly(1, 4, 7);
    assertThat(shares).extracting(one -> one.scale().to()).containsExactly(3, 6, 10);
    assertThat(shares).extracting(one -> one.run().terminals()).containsExactly(28, 29, 38);
    assertThat(shares).extracting(one -> one.run().firstTerminal()).containsExactly(0, 28, 57);
    assertThat(shares).extracting(one -> one.run().connections()).containsExactly(5, 7, 8);
    assertThat(shares("openLoopTxnsPerMin=1000"))
        .extracting(share -> share.run().pacing().openLoopTxnsPerMin())
        .containsExactly(294, 306, 400);
    assertThat(Settings.whole(TPCC, parse("driverIndex=0")).run().terminals()).isEqualTo(95);
  }

  @ParameterizedTest
  @CsvSource({"1, 7", "7, 7", "100, 1000", "999, 5000", "64, 641"})
  void theSharesAddUpToTheWhole(int drivers, int terminals) {
    int warehouses = Math.max(drivers, 37);
    int sum = 0;
    int next = 1;
    for (int index = 0; index < drivers; index++) {
      Settings share =
          share(
              "warehouses=%d;terminals=%d;connections=%d;drivers=%d;driverIndex=%d"
                  .formatted(warehouses, Math.max(warehouses, terminals), drivers, drivers, index));
      assertThat(share.scale().from()).isEqualTo(next);
      assertThat(share.run().firstTerminal()).isEqualTo(drivers == 1 ? 0 : sum);
      assertThat(share.run().connections()).isBetween(1, share.run().terminals());
      next = share.scale().to() + 1;
      sum += share.run().terminals();
    }
    assertThat(sum).isEqualTo(Math.max(warehouses, terminals));
    assertThat(next).isEqualTo(warehouses + 1);
  }

  @Test
  void rangesOfTheFileGetTheTerminalsOfTheirWarehouses() {
    Settings share = share("driverIndex=1;warehouseFrom=2;warehouseTo=5");

    assertThat(share.scale().from()).isEqualTo(2);
    assertThat(share.scale().to()).isEqualTo(5);
    assertThat(share.run().firstTerminal()).isEqualTo(9);
    assertThat(share.run().terminals()).isEqualTo(38);
  }

  /** Of 95 terminals 28: 3.16 a minute each, of which BenchmarkSQL's division makes 3. */
  @Test
  void aTerminalIsPacedAsInTheWholeRun() {
    Settings share = share("driverIndex=0;limitTxnsPerMin=300;rampupDelay=0.28");

    assertThat(share.run().pacing().limitTxnsPerMin()).isEqualTo(300 * 28 / 95);
    assertThat(share.run().pacing().rampupDelay()).isEqualTo(Duration.ofMillis(950));
    assertThat(
            share("driverIndex=0;limitTxnsPerMin=300;limitPacing=benchmarksql")
                .run()
                .pacing()
                .limitTxnsPerMin())
        .isEqualTo(3 * 28);
    // None is left without a limit, and what is no limit remains none.
    assertThat(share("driverIndex=0;limitTxnsPerMin=1").run().pacing().limitTxnsPerMin())
        .isEqualTo(1);
    assertThat(share("driverIndex=0;openLoopTxnsPerMin=1").run().pacing().openLoopTxnsPerMin())
        .isEqualTo(1);
    assertThat(share("driverIndex=0;limitTxnsPerMin=10000000").run().pacing().limitTxnsPerMin())
        .isEqualTo(10_000_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "driverIndex=0;drivers=11 | drivers=11: expected at most one for each of 10 warehouses",
        "driverIndex=0;terminals=2 | terminals=2: expected at least one for each of 3 drivers",
        "driverIndex=0;warehouses= | key 'warehouses' is missing",
      })
  void refusesWhatCannotBeShared(String more, String message) {
    assertThatThrownBy(() -> share(more))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void aWarningNamesTheTerminalsThatWaitForEachOther() {
    assertThat(TPCC.warnings(share("drivers=1;terminals=100"))).isEmpty();
    assertThat(TPCC.warnings(share("drivers=1;terminals=101;thinkTimeMultiplier=1"))).isEmpty();
    assertThat(TPCC.warnings(share("drivers=1;terminals=101")))
        .singleElement()
        .asString()
        .contains("terminals=101: more than ten for each of 10 warehouses");
    assertThat(TPCC.warnings(share("drivers=1;warehouseTo=1;terminals=20")))
        .singleElement()
        .asString()
        .contains("terminals=20: more than ten for each of 1 warehouses");
  }
}
