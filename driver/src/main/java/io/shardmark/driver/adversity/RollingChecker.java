package io.shardmark.driver.adversity;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.results.RollingChecks;
import io.shardmark.driver.results.ViolatedCondition;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.driver.verify.EndpointVerifier;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Checks the consistency conditions again and again while a run goes on, on its own thread. A
 * violation in one snapshot ends the run; without one it may be a false alarm, and is noted.
 */
public final class RollingChecker {
  /** A statement cannot be interrupted; one that goes on ends with the process. */
  private static final long PATIENCE_MILLIS = 5_000;

  /** The interval may begin earlier or later than was planned. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final EndpointVerifier verifier;
  private final Conditions conditions;
  private final Duration every;
  private final IntervalInForce interval;
  private final Consumer<String> notes;
  private final Runnable onViolation;
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<CheckRecord> records = new ArrayList<>();
  private final Thread thread;

  /**
   * @param every from the start of one check to that of the next, which waits for the end of it
   * @param notes receives one line for each violation, and for the first check that fails
   * @param onViolation ends the run; called once at most
   */
  public RollingChecker(
      EndpointVerifier verifier,
      Conditions conditions,
      Duration every,
      IntervalInForce interval,
      Consumer<String> notes,
      Runnable onViolation) {
    this.verifier = verifier;
    this.conditions = conditions;
    this.every = every;
    this.interval = interval;
    this.notes = notes;
    this.onViolation = onViolation;
    thread = new Thread(this::run, "rolling-checks");
    thread.setDaemon(true);
  }

  /** The interval has been set: the first check comes when a period of it is over. */
  public void start() {
    thread.start();
  }

  private void run() {
    long next = every.toNanos();
    try {
      while (!over.await(untilNext(next), TimeUnit.NANOSECONDS)) {
        if (elapsedNanos() < next) {
          continue;
        }
        if (check()) {
          onViolation.run();
          return;
        }
        next = Math.max(next + every.toNanos(), elapsedNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the run is over
    }
  }

  private long untilNext(long next) {
    return Math.max(1, Math.min(LOOK_NANOS, next - elapsedNanos()));
  }

  private long elapsedNanos() {
    return System.nanoTime() - interval.interval().startNanos();
  }

  /** Returns whether the data are inconsistent beyond doubt. */
  private boolean check() throws InterruptedException {
    double from = elapsedNanos() / 1e9;
    synchronized (records) {
      records.add(CheckRecord.begun(from));
    }
    String failure = "";
    boolean oneSnapshot = false;
    List<ViolatedCondition> violations = new ArrayList<>();
    try {
      Verifier.Findings findings = verifier.runAlways(conditions);
      oneSnapshot = findings.oneSnapshot();
      findings.failed().forEach(result -> violations.add(violation(result, from)));
      failure =
          findings.results().stream()
              .filter(result -> result.verdict() == Verdict.ERROR)
              .map(ConditionResult::reason)
              .findFirst()
              .orElse("");
    } catch (SQLException | ConfigException e) {
      failure = FirstLine.of(e);
    }
    if (over.getCount() == 0 && !failure.isEmpty()) {
      return false; // the end of the run broke it off
    }
    CheckRecord record =
        new CheckRecord(from, elapsedNanos() / 1e9, failure, oneSnapshot, violations);
    say(record);
    synchronized (records) {
      records.set(records.size() - 1, record);
    }
    return record.isViolation();
  }

  private void say(CheckRecord record) {
    for (ViolatedCondition violation : record.violations()) {
      notes.accept(
          (record.oneSnapshot()
                  ? "inconsistent: "
                  : "perhaps inconsistent, read at several instants: ")
              + violation.sentence());
    }
    boolean first;
    synchronized (records) {
      first = records.stream().allMatch(before -> before.failure().isEmpty());
    }
    if (first && !record.failure().isEmpty()) {
      notes.accept(
          String.format(
              Locale.ROOT,
              "a check of the conditions after %.0f s could not be made: %s",
              record.fromSeconds(),
              record.failure()));
    }
  }

  private static ViolatedCondition violation(ConditionResult result, double afterSeconds) {
    return new ViolatedCondition(
        result.clause() + " " + result.sentence(),
        afterSeconds,
        result.offendingRows(),
        result.samples());
  }

  /** Whether the data broke a condition beyond doubt. */
  boolean isViolated() {
    synchronized (records) {
      return records.stream().anyMatch(CheckRecord::isViolation);
    }
  }

  /**
   * The run is over: a check that runs is broken off and does not count.
   *
   * @param leftNanos how long there is to wait for it
   */
  public void end(LongSupplier leftNanos) throws InterruptedException {
    over.countDown();
    thread.interrupt();
    long left = TimeUnit.NANOSECONDS.toMillis(leftNanos.getAsLong());
    thread.join(Math.max(1, Math.min(PATIENCE_MILLIS, left)));
  }

  /**
   * What they found and cost; after {@link #end}.
   *
   * @param intervalNanos how long the run was measured
   */
  public RollingChecks result(SecondTallies tallies, long intervalNanos) {
    synchronized (records) {
      return CheckCosts.of(every.toMillis() / 1000.0, records, tallies.of(intervalNanos));
    }
  }
}
