package io.shardmark.driver.adversity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.results.RollingChecks;
import io.shardmark.driver.results.ViolatedCondition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CheckCostsTest {
  private final List<SecondTally> seconds = new ArrayList<>();

  private void add(int count, int successes) {
    for (int i = 0; i < count; i++) {
      SecondTally tally = new SecondTally();
      tally.add(Disposition.COMMITTED, successes);
      seconds.add(tally);
    }
  }

  private static CheckRecord check(double from, double to, String failure) {
    return new CheckRecord(from, to, failure, true, List.of());
  }

  @Test
  void theCostIsTheRateWhileChecksRanAgainstThatOfTheOtherSeconds() {
    add(10, 100);
    add(2, 80);
    add(8, 100);

    RollingChecks checks =
        CheckCosts.of(
            10, List.of(check(10.2, 11.7, ""), check(19.5, 30, "no")), new RunSeconds(seconds));

    assertThat(checks.checks()).isEqualTo(1);
    assertThat(checks.failed()).isEqualTo(1);
    assertThat(checks.firstFailure()).isEqualTo("no");
    assertThat(checks.meanSeconds()).isCloseTo(1.5, within(1e-9));
    assertThat(checks.during().seconds()).isEqualTo(3);
    assertThat(checks.otherwise().perSecond()).isEqualTo(100);
    assertThat(checks.costPercent()).isCloseTo(100 * (1 - 260.0 / 300), within(1e-9));
  }

  @Test
  void secondsOfACheckThatTheEndOfTheRunBrokeOffAreOfNeitherKind() {
    add(10, 100);
    add(2, 80);
    add(6, 100);
    add(4, 50);

    RollingChecks checks =
        CheckCosts.of(
            10, List.of(check(10, 12, ""), CheckRecord.begun(18.2)), new RunSeconds(seconds));

    assertThat(checks.checks()).isEqualTo(1);
    assertThat(checks.failed()).isZero();
    assertThat(checks.longestSeconds()).isEqualTo(2);
    assertThat(checks.during().seconds()).isEqualTo(2);
    assertThat(checks.otherwise().seconds()).isEqualTo(16);
    assertThat(checks.otherwise().perSecond()).isEqualTo(100);
  }

  /** A shard that does not answer, and another one whose rows break a condition. */
  @Test
  void whatACheckFoundCountsThoughItCouldNotReadAll() {
    ViolatedCondition violation = new ViolatedCondition("3.3.2.1 x", 3, 2, List.of("w_id=1"));
    CheckRecord half = new CheckRecord(3, 4, "no answer", true, List.of(violation));

    RollingChecks checks = CheckCosts.of(1, List.of(half, failed(5, 6)), new RunSeconds(seconds));

    assertThat(half.isViolation()).isTrue();
    assertThat(checks.violations()).containsExactly(violation);
    assertThat(checks.oneSnapshot()).isTrue();
    assertThat(checks.failed()).isEqualTo(2);
  }

  private static CheckRecord failed(double from, double to) {
    return new CheckRecord(from, to, "no connection", false, List.of());
  }

  @Test
  void oneCheckAtSeveralInstantsMakesAlarmsDoubtful() {
    CheckRecord doubtful =
        new CheckRecord(
            3, 4, "", false, List.of(new ViolatedCondition("3.3.2.1 x", 3, 2, List.of("w_id=1"))));

    RollingChecks checks =
        CheckCosts.of(1, List.of(check(1, 2, ""), doubtful), new RunSeconds(seconds));

    assertThat(checks.oneSnapshot()).isFalse();
    assertThat(checks.costPercent()).isNull();
    assertThat(doubtful.isViolation()).isFalse();
    assertThat(checks.violations())
        .extracting(ViolatedCondition::sentence)
        .containsExactly("3.3.2.1 x: broken by 2 rows after 3 s: w_id=1");
  }
}
