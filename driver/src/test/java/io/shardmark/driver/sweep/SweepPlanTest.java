package io.shardmark.driver.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.sweep.PointRecord.ChildIdentity;
import io.shardmark.driver.sweep.SweepRequest.SearchRequest;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SweepPlanTest {
  private static final Point POINT = new Point("pg", Point.PointKind.SERIES, 20, 0, 0, 1);

  @TempDir private Path directory;

  private static SweepRequest asked(int repeat, Map<String, String> overrides) {
    return new SweepRequest(
        List.of(new SweepDatabase("pg", "props.pg", Map.of(), "abc", Map.of())),
        List.of(20, 50),
        repeat,
        0.5,
        BuildMode.EACH,
        true,
        overrides,
        new SearchRequest(new SearchGoal("tpmC"), 1, 100, 5, 70),
        0);
  }

  @Test
  void isReadAsItWasWritten() throws IOException {
    SweepPlan plan = SweepPlan.begin(directory, asked(2, Map.of("seed", "1")), List.of(POINT));
    PointRecord record =
        PointRecord.pending(POINT).begun().with(new ChildIdentity(4711, "2026-11-21T09:00:00Z"));
    plan.put(record);
    plan.put(
        PointRecord.pending(new Point("pg", Point.PointKind.HOLD, 80, 0, 1234, 1))
            .begun()
            .ended(new PointRecord.PointOutcome(0, 1, "then", "now", "verify: 1 fail", null)));

    SweepPlan read = SweepPlan.read(directory);

    assertThat(read.asked()).isEqualTo(plan.asked());
    assertThat(read.points()).isEqualTo(plan.points());
    assertThat(read.find(POINT)).contains(record);
    assertThat(read.points().get(1).state()).isEqualTo(PointRecord.PointState.FAILED);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(directory.resolve("sweep.json"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"schema\": \"shardmark-summary\"}", "no JSON at all"})
  void refusesAnotherFileInOneLine(String text) throws IOException {
    Files.writeString(directory.resolve("sweep.json"), text);

    assertThatThrownBy(() -> SweepPlan.read(directory))
        .isInstanceOf(ConfigException.class)
        .message()
        .startsWith(directory.resolve("sweep.json") + ": is ")
        .doesNotContain("\n");
  }

  @Test
  void namesTheFirstDifferenceOfAnotherCommand() {
    SweepRequest then = asked(2, Map.of());

    then.requireSame(asked(2, Map.of()), "dir");
    assertThatThrownBy(() -> then.requireSame(asked(3, Map.of()), "dir"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "dir: the sweep there was begun with --repeat 2, this one has 3: expected the same, or"
                + " another --output");
    assertThatThrownBy(() -> then.requireSame(asked(2, Map.of("seed", "1")), "dir"))
        .hasMessageContaining("keys {}, this one has {seed=1}");
  }
}
