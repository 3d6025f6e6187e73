package io.shardmark.driver.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.LimitPacing;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.Stage;
import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PacingTest {
  private static final long SECOND = 1_000_000_000L;
  private static final TransactionType TYPE = TestTransaction.WORK;

  private static Pacing pacing(double keying, double think, int limit, int terminals) {
    return new Pacing(
        new PacingConfig(keying, think, limit, Duration.ZERO, 0, LimitPacing.SCHEDULE, List.of()),
        Duration.ZERO,
        terminals);
  }

  private static long nextDue(Pacing pacing, long start, long end) {
    return pacing.nextDueNanos(TYPE, TYPE, start, end, new SplittableRandom(1));
  }

  @Test
  void unpacedTerminalsAreDueAtOnce() {
    assertThat(nextDue(pacing(0, 0, 0, 10), 100, 200)).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"1, 2000000000", "0.5, 1000000000", "0.001, 2000000"})
  void clause5252KeyingTimeIsConstant(double multiplier, long nanos) {
    assertThat(nextDue(pacing(multiplier, 0, 0, 10), 100, 200)).isEqualTo(200 + nanos);
  }

  @Test
  void clause5254ThinkTimeIsExponentialAndCutAtTenTimesItsMean() {
    Pacing pacing = pacing(0, 1, 0, 10);
    SplittableRandom random = new SplittableRandom(20_261_120);
    int draws = 1_000_000;
    double sum = 0;
    int belowMean = 0;
    long longest = 0;
    for (int draw = 0; draw < draws; draw++) {
      long think = pacing.nextDueNanos(TYPE, TYPE, 0, 0, random);
      sum += think;
      belowMean += think < 5 * SECOND ? 1 : 0;
      longest = Math.max(longest, think);
    }
    assertThat(sum / draws / SECOND).isBetween(4.97, 5.03);
    // 1 - 1/e of an exponential distribution lies below its mean.
    assertThat((double) belowMean / draws).isBetween(0.629, 0.635);
    assertThat(longest).isEqualTo(50 * SECOND);
  }

  @ParameterizedTest
  // 60,000 ms / (limit / terminals), each division without remainder; a share of 0 is no limit.
  @CsvSource({"300, 10, 2000", "309, 10, 2000", "70, 10, 8571", "9, 10, 0", "0, 10, 0"})
  void theLimitIsDividedAsBenchmarkSqlDoes(int limit, int terminals, long millis) {
    Pacing pacing =
        new Pacing(
            new PacingConfig(0, 0, limit, Duration.ZERO, 0, LimitPacing.BENCHMARKSQL, List.of()),
            Duration.ZERO,
            terminals);

    assertThat(pacing.isOpenLoop()).isFalse();
    assertThat(nextDue(pacing, 0, 0)).isEqualTo(millis * 1_000_000);
    // The pause counts from the start; a transaction that took longer leaves none.
    assertThat(nextDue(pacing, 0, 10 * SECOND)).isEqualTo(10 * SECOND);
  }

  /** 300 a minute of 10 terminals: each is due every 2 s, also while it waits for an answer. */
  @Test
  void aLimitIsAScheduleThatAStallDoesNotMove() {
    Pacing pacing = pacing(0, 0, 300, 10);

    assertThat(pacing.isOpenLoop()).isTrue();
    assertThat(pacing.askedPerMinute()).isEqualTo(300);
    assertThat(pacing.nextOnScheduleNanos(7)).isEqualTo(7 + 2 * SECOND);
    assertThat(pacing.placesBefore(0, 5 * SECOND)).isEqualTo(3);
    assertThat(pacing.placesBefore(0, 0)).isZero();
    assertThat(pacing.placesBefore(0, 2 * SECOND)).isEqualTo(1);
  }

  /** Whole milliseconds would make 60,000, 120,000, no limit and no limit of these. */
  @ParameterizedTest
  @CsvSource({"50000, 1", "70000, 1", "100000, 1", "9, 10", "9999999, 200"})
  void aScheduleKeepsTheLimitToTheNanosecond(int limit, int terminals) {
    Pacing pacing = pacing(0, 0, limit, terminals);

    assertThat(pacing.isOpenLoop()).isTrue();
    assertThat(pacing.askedPerMinute()).isCloseTo(limit, Percentage.withPercentage(0.01));
    assertThat(nextDue(pacing(1, 0, limit, terminals), 0, -2 * SECOND))
        .isEqualTo(Math.round(60.0 * SECOND * terminals / limit));
  }

  /** The value of BenchmarkSQL's own sample, whose arithmetic makes no pause of it. */
  @Test
  void tenMillionAndMoreAreNoLimit() {
    assertThat(pacing(0, 0, 10_000_000, 200).isOpenLoop()).isFalse();
  }

  /** TPC-C 5.2.5.4: a think time begins with the answer, so nothing is due before it. */
  @Test
  void aLimitBesideThinkTimesIsNoSchedule() {
    assertThat(pacing(0, 1, 300, 10).isOpenLoop()).isFalse();
  }

  @Test
  void anOpenLoopIsEvenOverAllTerminalsAndKnowsNoAnswers() {
    // 1,200 a minute are 20 a second: one each 50 ms, and each of 4 terminals one each 200 ms.
    Pacing pacing =
        new Pacing(
            new PacingConfig(0, 0, 0, Duration.ZERO, 1_200, LimitPacing.SCHEDULE, List.of()),
            Duration.ZERO,
            4);
    long start = 7;
    long[] due = new long[12];
    for (int terminal = 0; terminal < 4; terminal++) {
      long next = pacing.firstDueNanos(TYPE, terminal, start, new SplittableRandom(1));
      for (int round = 0; round < 3; round++) {
        due[round * 4 + terminal] = next;
        next = pacing.nextOnScheduleNanos(next);
      }
    }

    assertThat(pacing.isOpenLoop()).isTrue();
    assertThat(pacing(0, 0, 0, 4).isOpenLoop()).isFalse();
    for (int index = 0; index < due.length; index++) {
      assertThat(due[index]).isEqualTo(start + index * 50_000_000L);
    }
  }

  /** The first stage's rate in the ramp-up, a pause, and nothing after the last stage. */
  @Test
  void stagesAreRatesOneAfterTheOther() {
    PacingConfig stages =
        new PacingConfig(
            0,
            0,
            0,
            Duration.ZERO,
            0,
            LimitPacing.SCHEDULE,
            List.of(
                new Stage(Duration.ofSeconds(1), 240),
                new Stage(Duration.ofSeconds(2), 0),
                new Stage(Duration.ofSeconds(3), 120)));
    Pacing pacing = new Pacing(stages, Duration.ofSeconds(1), 2);
    long start = -7;
    pacing.begin(start);
    List<Long> due = new ArrayList<>();
    for (int terminal = 0; terminal < 2; terminal++) {
      long next = pacing.firstDueNanos(TYPE, terminal, start, new SplittableRandom(1));
      long places = pacing.placesBefore(next, start + 7 * SECOND);
      for (long place = 0; place < places; place++) {
        due.add((next - start) / 1_000_000);
        next = pacing.nextOnScheduleNanos(next);
      }
      assertThat(next - start).as("after the last stage").isGreaterThan(3_600 * SECOND);
    }

    assertThat(pacing.isOpenLoop()).isTrue();
    assertThat(pacing.askedPerMinute()).isEqualTo((240 * 1 + 120 * 3) / 6.0);
    assertThat(due)
        .containsExactly(
            0L, 500L, 1000L, 1500L, 4000L, 5000L, 6000L, 250L, 750L, 1250L, 1750L, 4500L, 5500L,
            6500L);
  }

  @Test
  void rampupDelayStaggersTheTerminals() {
    Pacing pacing =
        new Pacing(
            new PacingConfig(0, 0, 0, Duration.ofMillis(20), 0, LimitPacing.SCHEDULE, List.of()),
            Duration.ZERO,
            100);

    assertThat(pacing.firstDueNanos(TYPE, 0, 7, new SplittableRandom(1))).isEqualTo(7);
    assertThat(pacing.firstDueNanos(TYPE, 99, 7, new SplittableRandom(1)))
        .isEqualTo(7 + 1_980_000_000L);
  }

  @Test
  void pacedTerminalsStartSpreadOverOneCycle() {
    Pacing pacing = pacing(1, 1, 0, 10);
    SplittableRandom random = new SplittableRandom(20_261_120);
    int[] seconds = new int[7];
    for (int terminal = 0; terminal < 70_000; terminal++) {
      seconds[(int) (pacing.firstDueNanos(TYPE, terminal, 0, random) / SECOND)]++;
    }
    assertThat(Arrays.stream(seconds).boxed()).allMatch(count -> count > 9_000 && count < 11_000);
  }
}
