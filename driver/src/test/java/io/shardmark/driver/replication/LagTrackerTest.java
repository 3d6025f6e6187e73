package io.shardmark.driver.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.replication.LagTracker.Lag;
import io.shardmark.driver.replication.ReplicationFigures.Count;
import io.shardmark.driver.replication.ReplicationFigures.Counts;
import io.shardmark.driver.replication.ReplicationFigures.Observed;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far behind a standby is, and the figures made of it, computed by hand. */
final class LagTrackerTest {
  private static final long MS = 1_000_000;

  @Test
  void timeBehindCountsFromTheFirstByteThatIsNotApplied() {
    LagTracker tracker = new LagTracker();
    assertThat(tracker.look(0, 100, 100)).isEqualTo(new Lag(0, 0));
    assertThat(tracker.look(10 * MS, 200, 100)).isEqualTo(new Lag(100, 0));
    assertThat(tracker.look(30 * MS, 300, 100)).isEqualTo(new Lag(200, 20 * MS));
    assertThat(tracker.look(40 * MS, 300, 200)).isEqualTo(new Lag(100, 10 * MS));
    assertThat(tracker.look(90 * MS, 300, 200)).isEqualTo(new Lag(100, 60 * MS));
    assertThat(tracker.look(95 * MS, 300, 300)).isEqualTo(new Lag(0, 0));
    assertThat(tracker.maxBytes()).isEqualTo(200);
    assertThat(tracker.maxMillis()).isEqualTo(60);
    assertThat(tracker.meanMillis()).isEqualTo(15);
    tracker.restart();
    assertThat(tracker.hasLooked()).isFalse();
    assertThat(tracker.maxMillis()).isZero();
  }

  @Test
  void aStandbyAheadOfTheQuestionToThePrimaryIsNotBehind() {
    LagTracker tracker = new LagTracker();
    assertThat(tracker.look(0, 100, 120)).isEqualTo(new Lag(0, 0));
  }

  private static Counts counts(long seconds, long standby, long primary) {
    long nanos = seconds * 1_000 * MS;
    return new Counts(new Count(nanos, standby), new Count(nanos, primary));
  }

  @Test
  void figuresOfAnInterval() {
    LagTracker lag = new LagTracker();
    lag.look(0, 50, 50);
    Map<String, Double> figures =
        ReplicationFigures.of(
            new Observed(
                Optional.of(counts(10, 1_000, 1_200)),
                Optional.of(counts(20, 3_000, 5_200)),
                lag,
                Optional.of(new Count(30_000 * MS, 5_200)),
                9_500 * MS));
    assertThat(figures)
        .containsEntry("appliedTps", 200.0)
        .containsEntry("appliedPercent", 50.0)
        .containsEntry("drainedTps", 210.0)
        .containsEntry("drainSeconds", 9.5)
        .containsEntry("lagMaxBytes", 0.0);
  }

  @Test
  void whatWasNotSeenHasNoFigure() {
    assertThat(
            ReplicationFigures.of(
                new Observed(
                    Optional.empty(),
                    Optional.of(counts(1, 2, 3)),
                    new LagTracker(),
                    Optional.empty(),
                    0)))
        .isEmpty();
  }
}
