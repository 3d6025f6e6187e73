package io.shardmark.driver.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far behind a standby is, and the figures made of it, computed by hand. */
final class LagTrackerTest {
  private static final long MS = 1_000_000;

  @Test
  void aNoteIsBehindUntilTheStandbyHasAppliedIt() {
    LagTracker tracker = new LagTracker();
    assertThat(tracker.isNoteDue(0)).isTrue();
    tracker.applied(0, 100);
    tracker.written(0, 200);
    assertThat(tracker.isNoteDue(49 * MS)).isFalse();
    tracker.applied(2 * MS, 199);
    assertThat(tracker.hasLooked()).isFalse();
    assertThat(tracker.behindNanos(2 * MS)).isEqualTo(2 * MS);
    tracker.applied(3 * MS, 250);
    assertThat(tracker.maxMillis()).isEqualTo(3);
    assertThat(tracker.maxBytes()).isEqualTo(100);
    assertThat(tracker.isNoteDue(50 * MS)).isTrue();
    tracker.written(50 * MS, 400);
    tracker.written(100 * MS, 500);
    assertThat(tracker.behindBytes()).isEqualTo(250);
    assertThat(tracker.behindNanos(101 * MS)).isEqualTo(51 * MS);
    tracker.applied(107 * MS, 500);
    assertThat(tracker.maxMillis()).isEqualTo(57);
    assertThat(tracker.meanMillis()).as("of 3, 57 and 7").isCloseTo(67 / 3.0, within(1e-9));
    assertThat(tracker.behindNanos(110 * MS)).isEqualTo(7 * MS);
    tracker.written(150 * MS, 600);
    assertThat(tracker.isWaiting()).isTrue();
    tracker.restart();
    assertThat(tracker.isWaiting()).isFalse();
    assertThat(tracker.hasLooked()).isFalse();
    assertThat(tracker.maxMillis()).isZero();
  }

  @Test
  void whatIsNotAppliedInTheEndCountsAsFarAsItIs() {
    LagTracker tracker = new LagTracker();
    tracker.applied(0, 100);
    tracker.written(0, 200);
    tracker.end(4_000 * MS);
    assertThat(tracker.maxMillis()).isEqualTo(4_000);
    assertThat(tracker.meanMillis()).isEqualTo(4_000);
  }

  @Test
  void aNoteAfterAPauseStandsForTheWholeOfIt() {
    LagTracker tracker = new LagTracker();
    tracker.written(0, 100);
    tracker.applied(0, 100);
    tracker.written(950 * MS, 200);
    tracker.applied(970 * MS, 200);
    assertThat(tracker.meanMillis()).isCloseTo(20 * 0.95, within(1e-9));
  }

  @Test
  void questionsComeSoonAfterANoteAndRarelyForWhatIsLongBehind() {
    LagTracker tracker = new LagTracker();
    assertThat(tracker.restNanos(7)).isZero();
    tracker.written(0, 100);
    assertThat(tracker.restNanos(MS)).isEqualTo(MS);
    assertThat(tracker.restNanos(20 * MS)).isEqualTo(5 * MS);
    assertThat(tracker.restNanos(49 * MS)).isEqualTo(MS);
    assertThat(tracker.restNanos(60 * MS)).isZero();
    tracker.written(60 * MS, 200);
    tracker.written(400 * MS, 300);
    assertThat(tracker.restNanos(401 * MS)).isEqualTo(49 * MS);
    tracker.applied(410 * MS, 300);
    assertThat(tracker.restNanos(410 * MS)).isEqualTo(40 * MS);
  }

  @Test
  void aStandbyAheadOfTheQuestionToThePrimaryIsNotBehind() {
    LagTracker tracker = new LagTracker();
    tracker.applied(0, 120);
    tracker.written(0, 100);
    tracker.applied(0, 120);
    assertThat(tracker.maxBytes()).isZero();
    assertThat(tracker.maxMillis()).isZero();
  }

  private static ReplicationFigures.ReplicationCounts counts(
      long seconds, long standby, long primary) {
    long nanos = seconds * 1_000 * MS;
    return new ReplicationFigures.ReplicationCounts(
        new ReplicationFigures.ReplicatedCount(nanos, standby),
        new ReplicationFigures.ReplicatedCount(nanos, primary));
  }

  @Test
  void figuresOfAnInterval() {
    LagTracker lag = new LagTracker();
    lag.applied(0, 50);
    lag.written(0, 50);
    lag.applied(0, 50);
    Map<String, Double> figures =
        ReplicationFigures.of(
            Optional.of(counts(10, 1_000, 1_200)),
            Optional.of(counts(20, 3_000, 5_200)),
            lag,
            Optional.of(new ReplicationFigures.ReplicatedCount(30_000 * MS, 5_200)),
            9_500 * MS);
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
                Optional.empty(),
                Optional.of(counts(1, 2, 3)),
                new LagTracker(),
                Optional.empty(),
                0))
        .isEmpty();
  }
}
