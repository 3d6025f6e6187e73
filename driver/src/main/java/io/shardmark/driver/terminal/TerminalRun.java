package io.shardmark.driver.terminal;

import io.shardmark.config.RunConfig;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.SampleRecorder;
import io.shardmark.driver.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * All terminals of one run in motion. Workers are as many as connections; each serves one terminal
 * of its own if there are enough, else all share the terminals. Started and awaited by one thread.
 */
public final class TerminalRun {
  /** Odd and large, so that the seeds of no two drivers are near each other. */
  private static final long DRIVER_STEP = 0x9E3779B97F4A7C15L;

  private final Setup setup;
  private final List<Worker> workers = new ArrayList<>();
  private final List<long[]> auditCounters = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final @Nullable DeliveryQueue deferred;
  private final CountDownLatch terminalsEnded;

  /**
   * What a run is made of.
   *
   * @param sessions stays the caller's, who closes it after the run
   * @param recorders makes the recorder of the worker with a given index, 0 .. {@link #workerCount}
   *     - 1
   * @param interval begun; its session start is when the first terminal may start, its end ends the
   *     run
   */
  public record Setup(
      Workload workload,
      RunConfig config,
      SessionSource sessions,
      ErrorClassifier classifier,
      IntFunction<SampleRecorder> recorders,
      IntervalInForce interval) {}

  private TerminalRun(Setup setup) {
    this.setup = setup;
    deferred = setup.config().pacing().isPaced() ? new DeliveryQueue() : null;
    terminalsEnded = new CountDownLatch(setup.config().connections());
  }

  /** Threads that execute transactions, each with a recorder of its own. */
  public static int workerCount(RunConfig config) {
    return config.connections() + (config.pacing().isPaced() ? config.deliveryThreads() : 0);
  }

  /** Makes the terminals and starts the workers. */
  public static TerminalRun start(Setup setup) {
    TerminalRun run = new TerminalRun(setup);
    run.makeWorkers(run.makeSlots());
    run.threads.forEach(Thread::start);
    return run;
  }

  private List<TerminalSlot> makeSlots() {
    RunConfig config = setup.config();
    Pacing pacing = new Pacing(config.pacing(), config.terminals());
    // A stream of its own, so that switching pauses on does not change the inputs that a seed
    // gives.
    // Another one in each driver of the same run.
    SplittableRandom pauses =
        new SplittableRandom(~config.seed() + DRIVER_STEP * config.firstTerminal());
    int transactions =
        config.transactionsPerTerminal() == 0
            ? Integer.MAX_VALUE
            : config.transactionsPerTerminal();
    List<TerminalSlot> slots = new ArrayList<>(config.terminals());
    for (int index = 0; index < config.terminals(); index++) {
      slots.add(
          new TerminalSlot(
              setup.workload().newTerminal(index),
              pacing,
              pauses.split(),
              index,
              transactions,
              setup.interval().sessionStartNanos()));
    }
    return slots;
  }

  private void makeWorkers(List<TerminalSlot> slots) {
    int connections = setup.config().connections();
    TerminalQueue shared = connections < slots.size() ? new SharedTerminals(slots) : null;
    for (int index = 0; index < connections; index++) {
      TerminalQueue queue = shared == null ? new OwnTerminal(slots.get(index)) : shared;
      Worker worker = new Worker(queue, newRunner(index), setup.interval(), deferred);
      workers.add(worker);
      threads.add(new Thread(() -> work(worker), "Worker-" + index));
    }
    DeliveryQueue queue = deferred;
    if (queue != null) {
      for (int index = 0; index < setup.config().deliveryThreads(); index++) {
        TransactionRunner runner = newRunner(connections + index);
        threads.add(
            new Thread(
                () -> queue.serve(runner, setup.interval(), terminalsEnded), "Delivery-" + index));
      }
    }
  }

  private void work(Worker worker) {
    try {
      worker.run();
    } finally {
      terminalsEnded.countDown();
    }
  }

  private TransactionRunner newRunner(int index) {
    long[] counters = new long[setup.workload().auditCounterCount()];
    auditCounters.add(counters);
    return new TransactionRunner(
        setup.workload()::homePartition,
        setup.sessions(),
        setup.classifier(),
        setup.recorders().apply(index),
        setup.interval(),
        setup.config().retries(),
        counters);
  }

  /**
   * Waits until the run has ended and every worker has finished its transaction. A worker that is
   * still busy after the grace period has its connection broken, so that neither a stuck statement
   * nor a lost server can hold up the end.
   *
   * @param graceNanos how long transactions may go on after the end of the measurement interval
   * @return how many workers had to be broken off
   */
  public int awaitEnd(long graceNanos) throws InterruptedException {
    int brokenOff = 0;
    for (Thread thread : threads) {
      brokenOff += awaitEnd(thread, graceNanos);
    }
    return brokenOff;
  }

  /**
   * @return 1 if the thread had to be broken off
   */
  private int awaitEnd(Thread thread, long graceNanos) throws InterruptedException {
    int brokenOff = 0;
    while (thread.isAlive()) {
      long now = System.nanoTime();
      long graceEnd = setup.interval().interval().endNanos() + graceNanos;
      if (now - graceEnd >= 0) {
        brokenOff = 1;
        breakOff(thread);
      } else {
        // Looked at again now and then, because the end of the window may come earlier than
        // planned.
        long wait = Math.min(graceEnd - now, TimeUnit.MILLISECONDS.toNanos(100));
        TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(wait, 1_000_000));
      }
    }
    return brokenOff;
  }

  private void breakOff(Thread thread) throws InterruptedException {
    setup.sessions().abortAll();
    thread.interrupt();
    thread.join(TimeUnit.SECONDS.toMillis(1));
  }

  /**
   * Waits until all terminals have ended, for a while. Deferred work may still be under way.
   *
   * @return true if they have
   */
  public boolean awaitAll(long nanos) throws InterruptedException {
    return terminalsEnded.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** Sums of the workers' audit counters. Exact only after {@link #awaitEnd}. */
  public long[] auditCounters() {
    long[] sums = new long[setup.workload().auditCounterCount()];
    for (long[] counters : auditCounters) {
      for (int index = 0; index < sums.length; index++) {
        sums[index] += counters[index];
      }
    }
    return sums;
  }

  /**
   * Nanoseconds between the time a terminal was due and the time a free worker took it up. Only
   * after {@link #awaitEnd}.
   */
  public Histogram lateness() {
    Histogram sum = Lateness.newHistogram();
    workers.forEach(worker -> sum.add(worker.lateness()));
    return sum;
  }

  /** Deferred work that was queued but not begun when the run ended. */
  public int deferredWaiting() {
    return deferred == null ? 0 : deferred.waiting();
  }

  /** Deferred work that found the queue full and was never run. */
  public long deferredRefused() {
    return deferred == null ? 0 : deferred.refused();
  }
}
