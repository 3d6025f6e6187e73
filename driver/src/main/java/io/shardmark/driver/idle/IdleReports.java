package io.shardmark.driver.idle;

import io.shardmark.driver.results.IdleSessions.Questions;
import io.shardmark.driver.results.Latency;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What the helper processes have reported, in sum. Safe on any thread. */
final class IdleReports {
  private static final int DIGITS = 3;

  private final int[] open;
  private final boolean[] ready;
  private final boolean[] ended;
  private final Histogram answers = new Histogram(DIGITS);
  private double sumMillis;
  private long wrong;
  private long unanswered;
  private int lost;
  private @Nullable String firstLoss;
  private @Nullable String refusal;

  IdleReports(int processes) {
    open = new int[processes];
    ready = new boolean[processes];
    ended = new boolean[processes];
  }

  synchronized void take(int process, IdleReport report, String about) {
    switch (report) {
      case READY -> ready[process] = true;
      case OPEN -> open[process] = Integer.parseInt(about);
      case ANSWERED -> {
        long nanos = Long.parseLong(about);
        answers.recordValue(nanos);
        sumMillis += nanos / 1e6;
      }
      case WRONG -> wrong++;
      case UNANSWERED -> unanswered++;
      case LOST -> {
        lost++;
        firstLoss = firstLoss == null ? about : firstLoss;
      }
      case REFUSED -> refusal = refusal == null ? about : refusal;
      case CLOSED -> ended[process] = true;
    }
    notifyAll();
  }

  synchronized void ended(int process) {
    ended[process] = true;
    notifyAll();
  }

  /** Waits for it; false if it has not come about in time. */
  synchronized boolean await(Predicate<IdleReports> condition, long nanos)
      throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    while (!condition.test(this)) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
    }
    return true;
  }

  synchronized boolean allReady() {
    return all(ready);
  }

  synchronized boolean allEnded() {
    return all(ended);
  }

  private static boolean all(boolean[] of) {
    for (boolean one : of) {
      if (!one) {
        return false;
      }
    }
    return true;
  }

  /** Sessions that have been opened. */
  synchronized int hadOpen() {
    int sum = 0;
    for (int one : open) {
      sum += one;
    }
    return sum;
  }

  synchronized int open() {
    return hadOpen() - lost;
  }

  synchronized int lost() {
    return lost;
  }

  synchronized @Nullable String firstLoss() {
    return firstLoss;
  }

  /** Why a session could not be opened; null if all could. */
  synchronized @Nullable String refusal() {
    return refusal;
  }

  synchronized Questions questions() {
    long count = answers.getTotalCount();
    Latency latency =
        count == 0
            ? null
            : new Latency(
                count,
                0,
                null,
                Latency.millis(answers.getMinValue()),
                sumMillis / count,
                millis(50),
                millis(90),
                millis(95),
                millis(99),
                millis(99.9),
                Latency.millis(answers.getMaxValue()),
                0);
    return new Questions(count, wrong, unanswered, latency);
  }

  private double millis(double percentile) {
    return Latency.millis(answers.getValueAtPercentile(percentile));
  }
}
