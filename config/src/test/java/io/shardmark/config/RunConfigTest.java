package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RunConfigTest {
  private static final String LEAST = "warehouses=10\nterminals=20\nrunMins=2\n";

  private static BenchmarkProperties parse(String text) {
    return BenchmarkProperties.parse(TestCatalog.TPCC, Path.of("props.pg"), text, Map.of());
  }

  private static RunConfig run(String more) {
    return parse(LEAST + more.replace(';', '\n')).run();
  }

  @Test
  void defaultsAreBenchmarkSqls() {
    BenchmarkProperties properties = parse(LEAST);
    RunConfig run = properties.run();

    assertThat(run)
        .isEqualTo(
            new RunConfig(
                20,
                20,
                0,
                Duration.ofMinutes(2),
                Duration.ZERO,
                0,
                properties.load().seed(),
                true,
                new PacingConfig(0, 0, 0, Duration.ZERO, 0, LimitPacing.SCHEDULE, List.of()),
                0,
                20,
                Map.of()));
    assertThat(properties.runWarnings()).isEmpty();
  }

  @Test
  void takesEveryKey() {
    RunConfig run =
        run(
            "connections=5;rampupMins=0.5;rampupDelay=1.25;"
                + "limitTxnsPerMin=300;keyingTimeMultiplier=1;thinkTimeMultiplier=0.1;"
                + "retries=4;seed=42");

    assertThat(run.connections()).isEqualTo(5);
    assertThat(run.rampUp()).isEqualTo(Duration.ofSeconds(30));
    assertThat(run.pacing())
        .isEqualTo(
            new PacingConfig(
                1, 0.1, 300, Duration.ofMillis(1250), 0, LimitPacing.SCHEDULE, List.of()));
    assertThat(run.pacing().isPaced()).isTrue();
    assertThat(run.retries()).isEqualTo(4);
    assertThat(run.seed()).isEqualTo(42);
    assertThat(run.seedDrawn()).isFalse();
  }

  @Test
  void takesARateThatDoesNotYield() {
    assertThat(run("openLoopTxnsPerMin=6000").pacing())
        .isEqualTo(new PacingConfig(0, 0, 0, Duration.ZERO, 6000, LimitPacing.SCHEDULE, List.of()));
  }

  @Test
  void stagesAreTheLengthAndTheRatesOfTheRun() {
    RunConfig run = run("runMins=0;stages=90s:600, 1h:0,2m:1200;rampupMins=1");
    assertThat(run.pacing().stages())
        .containsExactly(
            new Stage(Duration.ofSeconds(90), 600),
            new Stage(Duration.ofHours(1), 0),
            new Stage(Duration.ofMinutes(2), 1200))
        .hasToString("[90s:600, 60m:0, 2m:1200]");
    assertThat(run.runDuration()).isEqualTo(Duration.ofSeconds(90 + 3600 + 120));
    assertThat(run.rampUp()).isEqualTo(Duration.ofMinutes(1));
    assertThat(run.transactionsPerTerminal()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10m", "10m:", "m:5", "10:5", "10m:-5", "0s:5", "1m:0", "1m:5,", "9999999h:5"})
  void stagesOfAnotherFormAreRefused(String stages) {
    assertThatThrownBy(() -> run("runMins=0;stages=" + stages))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("stages=" + stages + ": expected DURATION:RATE pairs");
  }

  @ParameterizedTest
  @CsvSource({
    "runMins=1, runMins",
    "runMins=0;runTxnsPerTerminal=5, runTxnsPerTerminal",
    "runMins=0;openLoopTxnsPerMin=5, openLoopTxnsPerMin",
    "runMins=0;limitTxnsPerMin=5, limitTxnsPerMin",
    "runMins=0;keyingTimeMultiplier=1, keyingTimeMultiplier",
    "runMins=0;thinkTimeMultiplier=1, thinkTimeMultiplier"
  })
  void stagesStandAlone(String others, String named) {
    assertThatThrownBy(() -> run(others + ";stages=1m:5"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("stages=1m:5: expected " + named + "=0 with it");
  }

  @ParameterizedTest
  @CsvSource({"2, PT2M", "0.2, PT12S", ".5, PT30S", "1440, PT24H", "0.001, PT0.06S"})
  void minutesMayBeFractions(String minutes, Duration expected) {
    assertThat(run("runMins=" + minutes).runDuration()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, PT1M, 0",
    "1, '', PT1M, 0",
    "0, 10, PT0S, 10",
    "'', 10, PT0S, 10",
    "0.0, 10, PT0S, 10"
  })
  void oneOfTimeAndCountEndsTheRun(
      String minutes, String transactions, Duration duration, int count) {
    RunConfig run =
        parse(
                "warehouses=1\nterminals=1\nrunMins="
                    + minutes
                    + "\nrunTxnsPerTerminal="
                    + transactions)
            .run();

    assertThat(run.runDuration()).isEqualTo(duration);
    assertThat(run.transactionsPerTerminal()).isEqualTo(count);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          x=y                         | props.pg: keys 'runMins' and 'runTxnsPerTerminal' are missing: expected exactly one of them above 0
          runMins=0                   | props.pg:3: runMins=0 with runTxnsPerTerminal=(not set): expected exactly one of them above 0
          runTxnsPerTerminal=0        | props.pg:3: runTxnsPerTerminal=0 with runMins=(not set): expected exactly one of them above 0
          runTxnsPerTerminal=0;runMins=0 | props.pg:4: runMins=0 with runTxnsPerTerminal=0: expected exactly one of them above 0
          runTxnsPerTerminal=9;runMins=2 | props.pg:4: runMins=2 with runTxnsPerTerminal=9: expected exactly one of them above 0
          runTxnsPerTerminal=1.5      | props.pg:3: runTxnsPerTerminal=1.5: expected a whole number from 0
          runMins=two                 | props.pg:3: runMins=two: expected a number of minutes from 0, fractions allowed
          runMins=-1                  | props.pg:3: runMins=-1: expected a number of minutes from 0, fractions allowed
          runMins=1e9                 | props.pg:3: runMins=1e9: expected a number of minutes from 0, fractions allowed
          runMins=99999999999999      | props.pg:3: runMins=99999999999999: expected a number of minutes from 0, fractions allowed, up to 52560000
          terminals=99999999999 | props.pg:3: terminals=99999999999: expected a whole number from 1 to 2147483647
          runMins=NaN                 | props.pg:3: runMins=NaN: expected a number of minutes from 0, fractions allowed
          runMins=1,5                 | props.pg:3: runMins=1,5: expected a number of minutes from 0, fractions allowed
          runTxnsPerTerminal=9;rampupMins=1 | props.pg:4: rampupMins=1: expected 0 with runTxnsPerTerminal, where every transaction counts
          """)
  void refusesEndsThatContradict(String lines, String message) {
    assertThatThrownBy(() -> parse("warehouses=1\nterminals=1\n" + lines.replace(';', '\n')).run())
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          terminals=0                  | terminals=0: expected a whole number from 1
          terminals=ten                | terminals=ten: expected a whole number from 1
          connections=0                | connections=0: expected a whole number from 1
          rampupMins=-0.1              | rampupMins=-0.1: expected a number of minutes from 0, fractions allowed
          rampupMins=auto:1            | rampupMins=auto:1: expected auto, or auto:10 with the most minutes that it takes, from 2
          rampupMins=auto:soon         | rampupMins=auto:soon: expected auto, or auto:10 with the most minutes that it takes, from 2
          rampupMins=auto;idleSessions=9 | rampupMins=auto: expected a number of minutes with idleSessions: it follows a plan
          rampupDelay=-1               | rampupDelay=-1: expected a number from 0 to 3600
          rampupDelay=3601             | rampupDelay=3601: expected a number from 0 to 3600
          limitTxnsPerMin=many         | limitTxnsPerMin=many: expected a whole number
          openLoopTxnsPerMin=-1        | openLoopTxnsPerMin=-1: expected a whole number from 0 to 1000000000
          openLoopTxnsPerMin=5;limitTxnsPerMin=9 | openLoopTxnsPerMin=5: expected limitTxnsPerMin=0 with it: a fixed schedule leaves no room for pauses
          openLoopTxnsPerMin=5;keyingTimeMultiplier=1 | openLoopTxnsPerMin=5: expected keyingTimeMultiplier=0 with it: a fixed schedule leaves no room for pauses
          openLoopTxnsPerMin=5;thinkTimeMultiplier=1 | openLoopTxnsPerMin=5: expected thinkTimeMultiplier=0 with it: a fixed schedule leaves no room for pauses
          keyingTimeMultiplier=-1      | keyingTimeMultiplier=-1: expected a number from 0 to 1000
          thinkTimeMultiplier=1001     | thinkTimeMultiplier=1001: expected a number from 0 to 1000
          thinkTimeMultiplier=1e3      | thinkTimeMultiplier=1e3: expected a number from 0 to 1000
          retries=-1                   | retries=-1: expected a whole number from 0 to 1000
          seed=0x1                     | seed=0x1: expected a whole number of at most 64 bits
          """)
  void refuses(String line, String message) {
    assertThatThrownBy(() -> run(line))
        .isInstanceOf(ConfigException.class)
        .hasMessage("props.pg:4: " + message);
  }

  @ParameterizedTest
  @CsvSource({"terminals"})
  void needsTerminals(String key) {
    assertThatThrownBy(() -> parse(LEAST.replaceAll("(?m)^" + key + "=.*\n", "")).run())
        .isInstanceOf(ConfigException.class)
        .hasMessage("props.pg: key '" + key + "' is missing: expected a whole number from 1");
  }

  @Test
  void aSteadyRampUpTakesTenMinutesAtMostOrAsManyAsItSays() {
    assertThat(run("rampupMins=auto").rampUp()).isEqualTo(Duration.ofMinutes(10));
    assertThat(run("rampupMins=auto:25").rampUp()).isEqualTo(Duration.ofMinutes(25));
    assertThat(parse(LEAST + "rampupMins=auto\n").isSteadyRampUp()).isTrue();
    assertThat(parse(LEAST + "rampupMins=2\n").isSteadyRampUp()).isFalse();
  }

  @Test
  void negativeLimitIsNone() {
    assertThat(run("limitTxnsPerMin=-1").pacing().limitTxnsPerMin()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          connections=21                    | props.pg:4: connections=21: more than terminals: 20 are opened
          limitTxnsPerMin=19                | NONE
          limitTxnsPerMin=1000000;limitPacing=benchmarksql | props.pg:4: limitTxnsPerMin=1000000: BenchmarkSQL's whole milliseconds allow 1200000 a minute
          limitTxnsPerMin=19;limitPacing=benchmarksql | props.pg:4: limitTxnsPerMin=19: BenchmarkSQL's whole milliseconds make no limit of it
          limitTxnsPerMin=5000000;limitPacing=benchmarksql | props.pg:4: limitTxnsPerMin=5000000: BenchmarkSQL's whole milliseconds make no limit of it
          limitTxnsPerMin=6000;limitPacing=benchmarksql | NONE
          """)
  void warnsOfWhatMayNotBeMeant(String lines, String warning) {
    assertThat(parse(LEAST + lines.replace(';', '\n')).runWarnings())
        .hasSize(warning.equals("NONE") ? 0 : 1)
        .allMatch(text -> text.startsWith(warning));
  }

  @Test
  void moreConnectionsThanTerminalsAreNotOpened() {
    assertThat(run("connections=21").connections()).isEqualTo(20);
  }
}
