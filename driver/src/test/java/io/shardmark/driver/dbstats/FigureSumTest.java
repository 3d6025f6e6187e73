package io.shardmark.driver.dbstats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class FigureSumTest {
  private static Reading reading(long commits, long waiters, long bytes) {
    return new Reading(
        Map.of("commits", commits), Map.of("waiters", waiters), Map.of("bytes", bytes));
  }

  @Test
  void countersGrowLevelsPeakAndSizesDiffer() {
    FigureSum sum = new FigureSum();
    Reading first = reading(100, 1, 8192);
    Reading second = reading(130, 7, 9000);
    Reading third = reading(131, 2, 8000);
    sum.add(Map.of(), first);
    sum.add(second.increaseSince(first), second);
    sum.add(third.increaseSince(second), third);

    assertThat(sum.figures())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("commits", 31L, "waiters_max", 7L, "bytes", 8000L, "bytes_increase", -192L));
  }

  @Test
  void restartedServerCountsFromZero() {
    assertThat(reading(40, 0, 0).increaseSince(reading(1000, 0, 0))).containsEntry("commits", 40L);
  }

  @Test
  void counterThatWasNotReadBeforeHasNoIncrease() {
    Reading without = new Reading(Map.of(), Map.of(), Map.of());

    assertThat(reading(40, 0, 0).increaseSince(without)).isEmpty();
  }
}
