package io.shardmark.driver.idle;

import io.shardmark.driver.measure.LatencyHistogram;
import io.shardmark.driver.results.IdleSessions.Questions;
import io.shardmark.driver.results.Latency;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the helper processes have reported, in sum. Safe on any thread. */
final class IdleReports {
  /** By process. */
  private final int[] open;

  private final Set<Integer> ready = new HashSet<>();
  private final Set<Integer> ended = new HashSet<>();
  private final LatencyHistogram answers = new LatencyHistogram();
  private long wrong;
  private long unanswered;
  private int lost;
  private @Nullable String firstLoss;
  private @Nullable String refusal;

  IdleReports(int processes) {
    open = new int[processes];
  }

  synchronized void take(int process, IdleReport report, String about) {
    switch (report) {
      case READY -> ready.add(process);
      case OPEN -> open[process] = Integer.parseInt(about);
      case ANSWERED -> answers.record(Long.parseLong(about));
      case WRONG -> wrong++;
      case UNANSWERED -> unanswered++;
      case LOST -> {
        lost++;
        firstLoss = firstLoss == null ? about : firstLoss;
      }
      case REFUSED -> refusal = refusal == null ? about : refusal;
      case CLOSED -> ended.add(process);
    }
    notifyAll();
  }

  synchronized void ended(int process) {
    ended.add(process);
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
    return ready.size() == open.length;
  }

  synchronized boolean allEnded() {
    return ended.size() == open.length;
  }

  /** Sessions that have been opened. */
  synchronized int hadOpen() {
    return IntStream.of(open).sum();
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
    return new Questions(answers.count(), wrong, unanswered, Latency.known(answers.figures()));
  }
}
