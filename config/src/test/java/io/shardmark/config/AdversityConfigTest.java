package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AdversityConfigTest {
  private static AdversityConfig read(String conn, String more) {
    String text =
        "db=postgres\ndriver=org.postgresql.Driver\nconn=%s\nuser=u\npassword=p\n".formatted(conn)
            + "warehouses=10\nterminals=20\nrunMins=5\n"
            + more.replace('|', '\n');
    return BenchmarkProperties.parse(TestCatalog.TPCC, Path.of("props.pg"), text, Map.of())
        .adversity();
  }

  private static AdversityConfig read(String more) {
    return read("jdbc:postgresql://db/bench", more);
  }

  @Test
  void withoutKeysNothingIsAsked() {
    assertThat(read("").isAsked()).isFalse();
  }

  @Test
  void readsEventsInTheirOrder() {
    AdversityConfig config =
        read(
            "events=0s first: ./a.sh 'x: y'; 2m kill s1 : @kill s1 for 10s ;2m b.2:c|checkEvery=1m");

    assertThat(config.events())
        .containsExactly(
            new PlannedEvent(Duration.ZERO, "first", "./a.sh 'x: y'"),
            new PlannedEvent(Duration.ofMinutes(2), "kill s1", "@kill s1 for 10s"),
            new PlannedEvent(Duration.ofMinutes(2), "b.2", "c"));
    assertThat(config.checkEvery()).contains(Duration.ofMinutes(1));
    assertThat(config.events().get(1).isBuiltIn()).isTrue();
    assertThat(config.isAsked()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '"',
      value = {
        "events=crash!expected TIME LABEL: COMMAND with ';' between events",
        "events=60s crash: a;!expected TIME LABEL: COMMAND",
        "events=60 crash: a!expected TIME LABEL: COMMAND",
        "events=60s crash:!expected TIME LABEL: COMMAND",
        "events=60s b: a; 30s a: a!in the order of their times: 'a' at 30 s follows 'b' at 60 s",
        "events=60s a: a; 70s a: a!expected different labels: two events are 'a'",
        "events=5m a: a!less than the 300 s that the run is measured: 'a' at 300 s is past their end",
        "checkEvery=10m!less than the 300 s that the run is measured: 600 s is past their end",
        "checkEvery=0s!expected a time such as 30s or 2m",
        "checkEvery=30!expected a time such as 30s or 2m",
        "checkEvery=30s|drivers=2!checkEvery=30s: expected drivers=1 with it",
        "events=1s a: b|runMins=0|runTxnsPerTerminal=5!runMins with events: it follows the run's time",
      })
  void refuses(String lines, String message) {
    assertThatThrownBy(() -> read(lines))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void theDemonstrationHasAnEventOfEachKind() {
    AdversityConfig demo =
        BenchmarkProperties.read(
                TestCatalog.TPCC, Path.of("..", "config", "props.demo.adversity"), Map.of())
            .adversity();
    assertThat(demo.events())
        .extracting(event -> event.command().split(" ", 2)[0])
        .containsExactly("@kill", "@stop", "@kill", "@backup", "@sql", "@sessions", "sleep");
    assertThat(demo.checkEvery()).contains(Duration.ofSeconds(30));
  }

  @Test
  void whatNeedsAServerIsRefusedWithoutOne() {
    assertThatThrownBy(() -> read("null:", "checkEvery=30s"))
        .hasMessageContaining("expected a server with checkEvery: there is no data to check");
    assertThatThrownBy(() -> read("null:", "events=1s a: @backup"))
        .hasMessageContaining("expected a server with built-in events such as @backup");
    assertThat(read("null:", "events=1s a: true").events()).hasSize(1);
  }
}
