package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
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

  @Test
  void withoutTheKeyThereIsOne() {
    DriversConfig one =
        BenchmarkProperties.parse(TestCatalog.TPCC, Path.of("props.pg"), "warehouses=1\n", Map.of())
            .drivers();

    assertThat(one.areSeveral()).isFalse();
    assertThat(one.isFirst()).isTrue();
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
        "driverIndex=0;runMins=0;runTxnsPerTerminal=5 | expected runMins instead",
        "driverIndex=0;resultDirectory= | key 'resultDirectory' is missing",
        "driverIndex=0;conn=embedded:postgres | each would start its own",
      })
  void refusesWhatCannotBeShared(String more, String message) {
    assertThatThrownBy(() -> parse(more).drivers())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }
}
