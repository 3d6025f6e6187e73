package io.shardmark.driver.terminal;

import io.shardmark.config.Processors;
import io.shardmark.config.RunConfig;
import io.shardmark.config.ThreadBinding;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.LeftOver;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.measure.SampleRecorder;
import io.shardmark.driver.results.DeferredWork;
import io.shardmark.sql.dialect.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * All terminals of one run in motion. Workers are as many as connections; each serves one terminal
 * for itself if there are enough, else all share the terminals. Started and awaited by one thread.
 */
public final class TerminalRun {
  /** Odd and large, so that the seeds of no two drivers are near each other. */
  private static final long DRIVER_STEP = 0x9E3779B97F4A7C15L;

  private static final long ABORT_GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long threads may take to end once their connections are broken. */
  private static final long BREAK_OFF_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Of more than these that were never begun, some represent all. */
  private static final long MOST_DRAWN = 200_000;

  /** How the names of the threads that execute transactions begin. */
  public static final List<String> THREAD_NAMES = List.of("Worker-", "Delivery-");

  private final Setup setup;
  private final Pacing pacing;
  private final List<TerminalSlot> slots = new ArrayList<>();
  private final @Nullable TerminalQueue shared;
  private final CountDownLatch ready;
  private final CountDownLatch gate = new CountDownLatch(1);
  private int brokenOff;
  private final List<Worker> workers = new ArrayList<>();
  private final List<TransactionRunner> runners = new ArrayList<>();
  private final List<long[]> auditCounters = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final @Nullable DeliveryQueue deferred;
  private final CountDownLatch terminalsEnded;

  /**
   * What a run is made of.
   *
   * @param sessions stays the caller's, who closes it after the run
   * @param recorders makes the recorder of each worker
   * @param interval to begin before {@link TerminalRun#start}; its session start is when the first
   *     terminal may start, its end ends the run
   * @param processors what the threads that execute transactions are bound to
   * @param faults called if a worker fails: that ends the run
   */
  public record Setup(
      Workload workload,
      RunConfig config,
      SessionSource sessions,
      Dialect dialect,
      Supplier<SampleRecorder> recorders,
      IntervalInForce interval,
      Processors processors,
      RunFaults faults) {}

  private TerminalRun(Setup setup) {
    this.setup = setup;
    pacing =
        new Pacing(setup.config().pacing(), setup.config().rampUp(), setup.config().terminals());
    deferred = setup.config().pacing().isPaced() ? new DeliveryQueue() : null;
    int connections = setup.config().connections();
    int terminals = setup.config().terminals();
    shared = connections < terminals ? new SharedTerminals(terminals) : null;
    ready = new CountDownLatch(workerCount(setup.workload(), setup.config()));
    terminalsEnded = new CountDownLatch(connections);
  }

  /** Threads that execute transactions, each with its own recorder. */
  public static int workerCount(Workload workload, RunConfig config) {
    return config.connections() + (config.pacing().isPaced() ? workload.followUpThreads() : 0);
  }

  /**
   * Makes the terminals, with their first transactions, and the workers, whose threads wait for
   * {@link #start}.
   */
  public static TerminalRun prepare(Setup setup) throws InterruptedException {
    TerminalRun run = new TerminalRun(setup);
    run.makeSlots();
    run.makeWorkers();
    run.threads.forEach(Thread::start);
    run.ready.await();
    return run;
  }

  /** The terminals start at the start of the session, for which the interval has begun. */
  public void start() {
    pacing.begin(setup.interval().sessionStartNanos());
    for (TerminalSlot slot : slots) {
      slot.start(setup.interval().sessionStartNanos());
      if (shared != null) {
        shared.put(slot);
      }
    }
    gate.countDown();
  }

  private void makeSlots() {
    RunConfig config = setup.config();
    // A separate stream, so that switching pauses on does not change the inputs that a seed
    // gives.
    // Another one in each driver of the same run.
    SplittableRandom pauses =
        new SplittableRandom(~config.seed() + DRIVER_STEP * config.firstTerminal());
    int transactions =
        config.transactionsPerTerminal() == 0
            ? Integer.MAX_VALUE
            : config.transactionsPerTerminal();
    for (int index = 0; index < config.terminals(); index++) {
      slots.add(
          new TerminalSlot(
              setup.workload().newTerminal(index), pacing, pauses.split(), index, transactions));
    }
  }

  private void makeWorkers() {
    int connections = setup.config().connections();
    for (int index = 0; index < connections; index++) {
      TerminalQueue queue = shared == null ? new OwnTerminal(slots.get(index)) : shared;
      Worker worker = new Worker(queue, newRunner(), setup.interval(), deferred);
      workers.add(worker);
      addThread("Worker-", index, () -> work(worker));
    }
    DeliveryQueue queue = deferred;
    if (queue != null) {
      for (int index = 0; index < setup.workload().followUpThreads(); index++) {
        TransactionRunner runner = newRunner();
        addThread("Delivery-", index, () -> deliver(queue, runner));
      }
    }
  }

  private void addThread(String name, int index, Runnable task) {
    Runnable bound = ThreadBinding.bound(setup.processors(), index, task);
    threads.add(setup.faults().essential(name + index, bound));
  }

  private void work(Worker worker) {
    try {
      awaitStart();
      worker.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the run ends before it began
    } finally {
      terminalsEnded.countDown();
    }
  }

  private void deliver(DeliveryQueue queue, TransactionRunner runner) {
    try {
      awaitStart();
      queue.serve(runner, setup.interval(), terminalsEnded);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the run ends before it began
    }
  }

  private void awaitStart() throws InterruptedException {
    ready.countDown();
    gate.await();
  }

  private TransactionRunner newRunner() {
    long[] counters = new long[setup.workload().auditCounterCount()];
    auditCounters.add(counters);
    TransactionRunner runner =
        new TransactionRunner(
            setup.workload()::homePartition,
            setup.sessions(),
            setup.dialect(),
            setup.recorders().get(),
            setup.interval(),
            setup.config().retries(),
            counters);
    runners.add(runner);
    return runner;
  }

  /**
   * Waits until the run has ended and every worker has finished its transaction. Workers that are
   * still busy after the grace period have their connections broken, so that neither a stuck
   * statement nor a lost server can hold up the end; one that not even this ends is left.
   *
   * @param graceNanos how long transactions may go on after the end of the measurement interval;
   *     after a fault of the driver no longer than a second
   * @return how many transactions had to be broken off
   */
  public int awaitEnd(long graceNanos) throws InterruptedException {
    for (Thread thread : threads) {
      while (thread.isAlive() && !isGraceOver(graceNanos)) {
        // Looked at again now and then, because the end of the window may come earlier than
        // planned.
        thread.join(50);
      }
    }
    brokenOff = breakOff();
    return brokenOff;
  }

  private boolean isGraceOver(long graceNanos) {
    long grace = setup.faults().isAborted() ? Math.min(graceNanos, ABORT_GRACE_NANOS) : graceNanos;
    return System.nanoTime() - setup.interval().interval().endNanos() - grace >= 0;
  }

  /**
   * @return how many transactions were under way
   */
  private int breakOff() throws InterruptedException {
    int busy = 0;
    for (TransactionRunner runner : runners) {
      busy += runner.isBusy() ? 1 : 0;
    }
    long giveUp = System.nanoTime() + BREAK_OFF_NANOS;
    while (isAnyAlive() && System.nanoTime() - giveUp < 0) {
      // Again and again: a worker may have opened a connection meanwhile.
      setup.sessions().abortAll();
      for (Thread thread : threads) {
        thread.interrupt();
      }
      for (Thread thread : threads) {
        thread.join(100);
      }
    }
    return busy;
  }

  private boolean isAnyAlive() {
    return threads.stream().anyMatch(Thread::isAlive);
  }

  /**
   * What was due when the interval ended and is not done, as far as no recorder has it. Once, after
   * {@link #awaitEnd}.
   */
  public LeftOver leftOver() {
    LeftOver leftOver = new LeftOver(pacing.askedPerMinute());
    leftOver.brokenOff(brokenOff);
    long end = setup.interval().interval().endNanos();
    long neverBegun = slots.stream().mapToLong(slot -> slot.neverBegun(end)).sum();
    long step = neverBegun / MOST_DRAWN + 1;
    slots.forEach(slot -> slot.tellLeftOver(leftOver, end, step));
    if (deferred != null) {
      deferred.tellLeftOver(leftOver);
    }
    return leftOver;
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
    Histogram sum = Worker.newLateness();
    workers.forEach(worker -> sum.add(worker.lateness()));
    return sum;
  }

  /** The deferred work that was not executed. */
  public DeferredWork deferred() {
    return deferred == null
        ? DeferredWork.NONE
        : new DeferredWork(deferred.waiting(), deferred.refused());
  }
}
