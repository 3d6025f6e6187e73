package io.shardmark.driver.terminal;

import io.shardmark.config.LimitPacing;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.Stage;
import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * When a terminal's next transaction is due. Pure, once {@link #begin} has been called. With keying
 * and think times the terminal's cycle is that of TPC-C 5.2.1: keying, answer, think; without them
 * the next transaction is due when the last one ended, or after BenchmarkSQL's pause. In an open
 * loop, and under a limit that is a schedule, it is due at a time that does not know when the last
 * one ended.
 */
final class Pacing {
  /** TPC-C 5.2.5.4: think times are cut at ten times their mean. */
  private static final double MAX_THINK_FACTOR = 10;

  private static final double NANOS_PER_MINUTE = 60e9;

  private final PacingConfig config;
  private final long minCycleNanos;
  private final Schedule schedule;
  private final double askedPerMinute;
  private final int terminals;

  private long sessionStartNanos;

  /**
   * @param rampUp before the stages begin
   */
  Pacing(PacingConfig config, Duration rampUp, int terminals) {
    this.config = config;
    minCycleNanos = config.minCycleNanos(terminals);
    int rate = config.openLoopTxnsPerMin();
    // With keying and think times, which begin with an answer, a limit can be no schedule.
    boolean limitIsSchedule = config.limitPacing() == LimitPacing.SCHEDULE && !config.isPaced();
    if (!config.stages().isEmpty()) {
      schedule = Schedule.of(config.stages(), rampUp, terminals);
      askedPerMinute = meanPerMinute(config.stages());
    } else if (rate > 0 || (limitIsSchedule && minCycleNanos > 0)) {
      long cycleNanos =
          rate > 0 ? Math.max(1, Math.round(NANOS_PER_MINUTE * terminals / rate)) : minCycleNanos;
      schedule = Schedule.every(cycleNanos);
      askedPerMinute = NANOS_PER_MINUTE * terminals / cycleNanos;
    } else {
      schedule = Schedule.NONE;
      askedPerMinute = 0;
    }
    this.terminals = terminals;
  }

  private static double meanPerMinute(List<Stage> stages) {
    double asked =
        stages.stream().mapToDouble(s -> (double) s.txnsPerMin() * s.length().toMillis()).sum();
    return asked / Stage.total(stages).toMillis();
  }

  /** Once, before the first terminal starts. */
  void begin(long startNanos) {
    sessionStartNanos = startNanos;
  }

  /**
   * True if transactions are due on a fixed schedule: then {@link #nextOnScheduleNanos} says when,
   * and how long an answer took changes nothing.
   */
  boolean isOpenLoop() {
    return schedule.exists();
  }

  /** Rate of the schedule, the mean of its stages'; 0 without one. */
  double askedPerMinute() {
    return askedPerMinute;
  }

  /**
   * How many places of the schedule, beginning with this one, lie before an instant. Without a
   * schedule there is one place.
   */
  long placesBefore(long dueNanos, long beforeNanos) {
    if (beforeNanos - dueNanos <= 0) {
      return 0;
    }
    return isOpenLoop() ? schedule.from(dueNanos, beforeNanos, sessionStartNanos) : 1;
  }

  /**
   * The terminal's next place on the schedule. It may have passed already: then the transaction is
   * late before it begins, and its latency, counted from here, says so.
   *
   * @param lastDueNanos when the transaction before was due
   */
  long nextOnScheduleNanos(long lastDueNanos) {
    return schedule.after(lastDueNanos, 1, sessionStartNanos);
  }

  /**
   * @param last type of the transaction that ended, whose think time follows
   * @param next type of the one to come, whose keying time comes before it is due
   * @param lastStartNanos when the last one started; BenchmarkSQL's pause counts from here
   * @param lastEndNanos when its answer was in
   */
  long nextDueNanos(
      TransactionType last,
      TransactionType next,
      long lastStartNanos,
      long lastEndNanos,
      SplittableRandom random) {
    long due = lastEndNanos + thinkNanos(last, random) + keyingNanos(next);
    return Math.max(due, lastStartNanos + minCycleNanos);
  }

  /**
   * When a terminal's first transaction is due. Paced terminals start spread over a mean cycle, so
   * that they do not all arrive at once.
   *
   * @param terminal index, from 0
   */
  long firstDueNanos(
      TransactionType first, int terminal, long startNanos, SplittableRandom random) {
    long staggered = startNanos + terminal * config.rampupDelay().toNanos();
    if (isOpenLoop()) {
      // One after the other over the first round, so that the sum of all is even.
      return schedule.after(staggered, (double) terminal / terminals, sessionStartNanos);
    }
    if (!config.isPaced()) {
      return staggered;
    }
    double cycle = meanThinkNanos(first) + keyingNanos(first);
    return staggered + (long) (random.nextDouble() * cycle);
  }

  private long keyingNanos(TransactionType type) {
    return (long) (config.keyingTimeMultiplier() * type.keyingTime().toNanos());
  }

  private double meanThinkNanos(TransactionType type) {
    return config.thinkTimeMultiplier() * type.meanThinkTime().toNanos();
  }

  private long thinkNanos(TransactionType type, SplittableRandom random) {
    double mean = meanThinkNanos(type);
    if (mean == 0) {
      return 0;
    }
    double exponential = -Math.log(1.0 - random.nextDouble());
    return (long) (mean * Math.min(exponential, MAX_THINK_FACTOR));
  }
}
