package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DriversConfigTest {
  private static final String WHOLE =
      """
      warehouses=10
      terminals=95
      connections=20
      runMins=2
      resultDirectory=result
      drivers=3
      """;

  private static BenchmarkProperties parse(String more) {
    return BenchmarkProperties.parse(
        TestCatalog.TPCC, Path.of("props.pg"), WHOLE + more.replace(';', '\n'), Map.of());
  }

  private static List<RunConfig> shares(String more) {
    return IntStream.range(0, 3)
        .mapToObj(i -> parse("driverIndex=" + i + ";" + more).run())
        .toList();
  }

  @Test
  void withoutTheKeyThereIsOne() {
    DriversConfig one =
        BenchmarkProperties.parse(TestCatalog.TPCC, Path.of("props.pg"), "warehouses=1\n", Map.of())
            .drivers();

    assertThat(one.areSeveral()).isFalse();
    assertThat(one.isFirst()).isTrue();
  }

  @Test
  void oneFileGivesEachDriverItsShare() {
    List<RunConfig> shares = shares("");

    assertThat(shares).extracting(RunConfig::warehouseFrom).containsExactly(1, 4, 7);
    assertThat(shares).extracting(RunConfig::warehouseTo).containsExactly(3, 6, 10);
    assertThat(shares).extracting(RunConfig::terminals).containsExactly(28, 29, 38);
    assertThat(shares).extracting(RunConfig::firstTerminal).containsExactly(0, 28, 57);
    assertThat(shares).extracting(RunConfig::connections).containsExactly(5, 7, 8);
    assertThat(shares("openLoopTxnsPerMin=1000"))
        .extracting(share -> share.pacing().openLoopTxnsPerMin())
        .containsExactly(294, 306, 400);
    assertThat(parse("").wholeRun().terminals()).isEqualTo(95);
  }

  @ParameterizedTest
  @CsvSource({"1, 7", "7, 7", "100, 1000", "999, 5000", "64, 641"})
  void theSharesAddUpToTheWhole(int drivers, int terminals) {
    int warehouses = Math.max(drivers, 37);
    int sum = 0;
    int next = 1;
    for (int index = 0; index < drivers; index++) {
      RunConfig share =
          parse(
                  "warehouses=%d;terminals=%d;connections=%d;drivers=%d;driverIndex=%d"
                      .formatted(
                          warehouses, Math.max(warehouses, terminals), drivers, drivers, index))
              .run();
      assertThat(share.warehouseFrom()).isEqualTo(next);
      assertThat(share.firstTerminal()).isEqualTo(drivers == 1 ? 0 : sum);
      assertThat(share.connections()).isBetween(1, share.terminals());
      next = share.warehouseTo() + 1;
      sum += share.terminals();
    }
    assertThat(sum).isEqualTo(Math.max(warehouses, terminals));
    assertThat(next).isEqualTo(warehouses + 1);
  }

  @Test
  void rangesOfTheFileGetTheTerminalsOfTheirWarehouses() {
    RunConfig share = parse("driverIndex=1;warehouseFrom=2;warehouseTo=5").run();

    assertThat(share.warehouseFrom()).isEqualTo(2);
    assertThat(share.warehouseTo()).isEqualTo(5);
    assertThat(share.firstTerminal()).isEqualTo(9);
    assertThat(share.terminals()).isEqualTo(38);
  }

  /** BenchmarkSQL's limit is divided by the terminals without remainder: 3 a minute for each. */
  @Test
  void aTerminalIsPacedAsInTheWholeRun() {
    RunConfig share = parse("driverIndex=0;limitTxnsPerMin=300;rampupDelay=0.28").run();

    assertThat(share.pacing().limitTxnsPerMin()).isEqualTo(3 * 28);
    assertThat(share.pacing().rampupDelay()).isEqualTo(Duration.ofMillis(950));
    assertThat(parse("driverIndex=0;limitTxnsPerMin=94").runWarnings())
        .anyMatch(w -> w.contains("no limit"));
  }

  @Test
  void readsHowTheyStart() {
    assertThat(parse("driverIndex=2;driverWaitSecs=5").drivers())
        .isEqualTo(new DriversConfig(3, 2, Duration.ofSeconds(5), Optional.empty()));
    assertThat(parse("driverIndex=2;startAt=2030-01-31T15:00:00+01:00;seed=1").drivers().startAt())
        .contains(Instant.parse("2030-01-31T14:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "driverIndex=3 | driverIndex=3: expected a whole number from 0 to 2",
        "x=1 | key 'driverIndex' is missing",
        "driverIndex=0;startAt=noon | startAt=noon: expected a date and time with its zone",
        "driverIndex=0;startAt=2030-01-31T14:00:00Z | key 'seed' is missing",
        "driverIndex=0;conn=null: | key 'startAt' is missing",
        "driverIndex=0;drivers=1001 | drivers=1001: expected a whole number from 1 to 1000",
        "driverIndex=0;drivers=11 | drivers=11: expected at most one for each of 10 warehouses",
        "driverIndex=0;runMins=0;runTxnsPerTerminal=5 | expected runMins instead",
        "driverIndex=0;resultDirectory= | key 'resultDirectory' is missing",
        "driverIndex=0;conn=embedded:postgres | each would start its own",
        "driverIndex=0;terminals=2 | terminals=2: expected at least one for each of 3 drivers",
      })
  void refusesWhatCannotBeShared(String more, String message) {
    assertThatThrownBy(() -> parse(more).run())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }
}
