package io.shardmark.driver.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.config.LimitPacing;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.Processors;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.SampleRecorder;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.results.Fault;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.Scope;
import io.shardmark.sql.dialect.Dialect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(240)
final class TerminalRunTest {
  private static final long GRACE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final PacingConfig UNPACED = pacing(0, 0);

  private final KeptSamples samples = new KeptSamples();
  private final IntervalInForce interval = new IntervalInForce();
  private final RunFaults faults =
      new RunFaults(() -> interval.endNoLaterThan(System.nanoTime()), line -> {}, line -> {});

  /** With think and keying times by a multiplier, or with places of a schedule by a rate. */
  private static PacingConfig pacing(double multiplier, int rate) {
    return new PacingConfig(
        multiplier, multiplier, 0, Duration.ZERO, rate, LimitPacing.SCHEDULE, List.of());
  }

  private static RunConfig config(
      int terminals, int connections, int transactions, PacingConfig pacing) {
    return new RunConfig(
        terminals,
        connections,
        transactions,
        Duration.ZERO,
        Duration.ZERO,
        0,
        42,
        false,
        pacing,
        0,
        terminals,
        Map.of());
  }

  private TerminalRun start(RunConfig config, SessionSource sessions) throws InterruptedException {
    TerminalRun run = prepare(config, sessions, samples);
    run.start();
    return run;
  }

  private TerminalRun prepare(RunConfig config, SessionSource sessions, SampleRecorder recorder)
      throws InterruptedException {
    return prepare(config, sessions, recorder, Processors.ANY);
  }

  private TerminalRun prepare(
      RunConfig config, SessionSource sessions, SampleRecorder recorder, Processors processors)
      throws InterruptedException {
    return TerminalRun.prepare(
        new TerminalRun.Setup(
            new TestWorkload(),
            config,
            sessions,
            Dialect.POSTGRES,
            () -> recorder,
            interval,
            processors,
            faults));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void workersAreBoundToTheProcessorsThatAreNamed() throws Exception {
    String own = allowed("self");
    String first = own.split("[-,]", -1)[0];
    Set<String> seen = ConcurrentHashMap.newKeySet();
    TransactionExecutor looking =
        transaction -> {
          seen.add(allowed("thread-self"));
          return Outcome.COMMITTED;
        };
    for (Processors processors : List.of(Processors.ANY, Processors.parse(first))) {
      RunConfig config = config(3, 3, 1, UNPACED);
      TerminalRun run = prepare(config, new NullSessions(looking), samples, processors);
      beginOpenEnded();
      run.start();
      run.awaitEnd(GRACE_NANOS);
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(Set.of(own, first));
  }

  private static String allowed(String process) {
    try {
      return Files.readAllLines(Path.of("/proc", process, "status")).stream()
          .filter(line -> line.startsWith("Cpus_allowed_list:"))
          .map(line -> line.split("\\s+", -1)[1])
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"200, 200", "300, 20"})
  void allThreadsAreThereBeforeTheFirstTransactionIsDue(int terminals, int connections)
      throws InterruptedException {
    AtomicInteger begun = new AtomicInteger();
    TransactionExecutor counting =
        transaction -> {
          begun.incrementAndGet();
          return Outcome.COMMITTED;
        };
    Set<Thread> before = Thread.getAllStackTraces().keySet();

    TerminalRun run =
        prepare(config(terminals, connections, 1, UNPACED), new NullSessions(counting), samples);
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeAll(before);
    threads.removeIf(thread -> !thread.getName().startsWith("Worker-"));
    assertThat(threads).hasSize(connections);
    assertThat(begun).hasValue(0);

    beginOpenEnded();
    run.start();
    assertThat(run.awaitEnd(GRACE_NANOS)).isZero();
    assertThat(begun).hasValue(terminals);
    assertThat(samples.spans())
        .allMatch(span -> span.dueNanos() - interval.sessionStartNanos() >= 0);
  }

  private void beginOpenEnded() {
    long now = System.nanoTime();
    interval.begin(now, MeasurementInterval.openEnded(now));
  }

  @ParameterizedTest
  @CsvSource({"4, 4", "9, 2", "1, 1"})
  void everyTerminalRunsExactlyItsTransactions(int terminals, int connections)
      throws InterruptedException {
    Map<Integer, AtomicInteger> perTerminal = new ConcurrentHashMap<>();
    TransactionExecutor counting =
        transaction -> {
          perTerminal
              .computeIfAbsent(((TestTransaction) transaction).terminal(), i -> new AtomicInteger())
              .incrementAndGet();
          return Outcome.COMMITTED;
        };
    beginOpenEnded();

    TerminalRun run =
        start(config(terminals, connections, 50, UNPACED), new NullSessions(counting));

    assertThat(run.awaitEnd(GRACE_NANOS)).isZero();
    assertThat(run.awaitAll(0)).isTrue();
    assertThat(perTerminal).hasSize(terminals);
    assertThat(perTerminal.values()).allMatch(count -> count.get() == 50);
    assertThat(samples.count(0)).isEqualTo(50L * terminals);
    assertThat(run.auditCounters()).containsExactly(50L * terminals, 0);
  }

  @Test
  void theEndOfTheIntervalEndsTheRun() throws InterruptedException {
    AtomicInteger executed = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger begunAfterIt = new AtomicInteger();
    TransactionExecutor endsTheRun =
        transaction -> {
          if (ended.get()) {
            begunAfterIt.incrementAndGet();
          }
          if (executed.incrementAndGet() == 1_000) {
            interval.endNoLaterThan(System.nanoTime());
            ended.set(true);
          }
          return Outcome.COMMITTED;
        };
    beginOpenEnded();

    TerminalRun run = start(config(3, 3, 0, UNPACED), new NullSessions(endsTheRun));

    assertThat(run.awaitEnd(GRACE_NANOS)).isZero();
    // Each of the other workers may have been about to begin one more.
    assertThat(begunAfterIt.get()).isBetween(0, 2);
    assertThat(samples.count(0)).isEqualTo(executed.get());
  }

  @Test
  void unpacedTerminalsRunTheirDeferredWorkThemselves() throws InterruptedException {
    beginOpenEnded();

    TerminalRun run = start(config(2, 2, 10, UNPACED), new NullSessions(TerminalRunTest::defer));

    run.awaitEnd(GRACE_NANOS);
    assertThat(samples.count(0)).isEqualTo(20);
    assertThat(samples.count(1)).isEqualTo(20);
    assertThat(run.deferred().notBegun()).isZero();
  }

  private static Outcome defer(Transaction transaction) {
    return transaction.type().equals(TestTransaction.WORK)
        ? Outcome.queued(TestTransaction.deferred(0))
        : Outcome.COMMITTED;
  }

  @Test
  void pacedTerminalsLeaveDeferredWorkToThreadsOfItsOwn() throws InterruptedException {
    CountDownLatch tenDeferred = new CountDownLatch(10);
    Map<String, Boolean> threads = new ConcurrentHashMap<>();
    TransactionExecutor executor =
        transaction -> {
          Outcome outcome = defer(transaction);
          if (outcome.followUp() == null) {
            threads.put(Thread.currentThread().getName(), true);
            tenDeferred.countDown();
          }
          return outcome;
        };
    beginOpenEnded();

    TerminalRun run = start(config(2, 2, 0, pacing(0.0001, 0)), new NullSessions(executor));
    tenDeferred.await();
    interval.endNoLaterThan(System.nanoTime());
    run.awaitEnd(GRACE_NANOS);

    assertThat(threads).containsOnlyKeys("Delivery-0");
    assertThat(samples.count(1)).isGreaterThanOrEqualTo(10);
    assertThat(run.deferred().refused()).isZero();
  }

  @Test
  void pacedRunOfCountedTransactionsEndsWhenItsDeferredWorkIsDone() throws InterruptedException {
    beginOpenEnded();

    TerminalRun run =
        start(config(5, 2, 20, pacing(0.0001, 0)), new NullSessions(TerminalRunTest::defer));

    assertThat(run.awaitEnd(GRACE_NANOS)).isZero();
    assertThat(samples.count(0)).isEqualTo(100);
    assertThat(samples.count(1)).isEqualTo(100);
    assertThat(run.deferred().notBegun()).isZero();
  }

  /** Transactions count down when they begin, and end in an error when they are broken off. */
  private static ScriptedSessions stuckUntilAborted(CountDownLatch inside) {
    CountDownLatch aborted = new CountDownLatch(1);
    TransactionExecutor stuck =
        transaction -> {
          inside.countDown();
          awaitUninterruptibly(aborted);
          throw new SQLException("connection closed", "08006");
        };
    return new ScriptedSessions(stuck) {
      @Override
      public void abortAll() {
        super.abortAll();
        aborted.countDown();
      }
    };
  }

  @Test
  void aStuckWorkerIsBrokenOffAfterTheGrace() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    ScriptedSessions sessions = stuckUntilAborted(inside);
    beginOpenEnded();

    TerminalRun run = start(config(1, 1, 0, UNPACED), sessions);
    inside.await();
    interval.endNoLaterThan(System.nanoTime());

    assertThat(run.awaitEnd(0)).isEqualTo(1);
    assertThat(run.awaitAll(0)).isTrue();
    // It is told to break off until it does.
    assertThat(sessions.log().stream().distinct())
        .containsExactly("1 executes", "aborted", "1 discarded");
    assertThat(samples.errors()).hasSize(1);
  }

  /** Five of them would end by themselves once the first is broken off. */
  @Test
  void allThatHadToBeBrokenOffAreCounted() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(10);
    ScriptedSessions sessions = stuckUntilAborted(inside);
    beginOpenEnded();

    TerminalRun run = start(config(10, 10, 0, UNPACED), sessions);
    inside.await();
    interval.endNoLaterThan(System.nanoTime());

    assertThat(run.awaitEnd(0)).isEqualTo(10);
  }

  @Test
  void aWorkerThatNothingEndsIsLeftBehind() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    TransactionExecutor deaf =
        transaction -> {
          inside.countDown();
          awaitUninterruptibly(never);
          return Outcome.COMMITTED;
        };
    beginOpenEnded();

    TerminalRun run = start(config(1, 1, 0, UNPACED), new NullSessions(deaf));
    inside.await();
    interval.endNoLaterThan(System.nanoTime());

    assertThat(run.awaitEnd(0)).isEqualTo(1);
    never.countDown();
  }

  @Test
  void aFaultOfTheDriverEndsTheRunAndTheSession() throws InterruptedException {
    AtomicInteger executed = new AtomicInteger();
    TransactionExecutor faulty =
        transaction -> {
          if (executed.incrementAndGet() == 100) {
            throw new IllegalStateException("a fault of ours");
          }
          return Outcome.COMMITTED;
        };
    ScriptedSessions sessions = new ScriptedSessions(faulty);
    beginOpenEnded();

    TerminalRun run = start(config(1, 1, 0, UNPACED), sessions);
    run.awaitEnd(GRACE_NANOS);

    assertThat(faults.isAborted()).isTrue();
    assertThat(faults.fault()).map(Fault::thread).contains("Worker-0");
    assertThat(faults.fault().orElseThrow().cause()).contains("a fault of ours");
    assertThat(interval.isOver(System.nanoTime())).isTrue();
    assertThat(sessions.log()).endsWith("100 executes", "100 discarded");
  }

  /**
   * An answer that takes longer than four places of the schedule moves none of them: what follows
   * is due when it was due, is sent late, and its latency shows it.
   */
  @ParameterizedTest
  @CsvSource({"1, 1", "3, 3", "6, 2"})
  void anOpenLoopKeepsItsScheduleThroughAStall(int terminals, int connections)
      throws InterruptedException {
    long cycle = Duration.ofMillis(5).toNanos();
    int rate = (int) (Duration.ofMinutes(1).toNanos() / cycle) * terminals;
    AtomicInteger executed = new AtomicInteger();
    TransactionExecutor stalls =
        transaction -> {
          if (executed.incrementAndGet() == 1) {
            long end = System.nanoTime() + 4 * cycle;
            while (System.nanoTime() - end < 0) {
              LockSupport.parkNanos(end - System.nanoTime());
            }
          }
          return Outcome.COMMITTED;
        };
    beginOpenEnded();
    long start = interval.sessionStartNanos();

    TerminalRun run =
        start(config(terminals, connections, 8, pacing(0, rate)), new NullSessions(stalls));
    assertThat(run.awaitEnd(GRACE_NANOS)).isZero();

    List<Long> due =
        samples.spans().stream().map(span -> span.dueNanos() - start).sorted().toList();
    List<Long> expected = new ArrayList<>();
    for (long place = 0; place < 8L * terminals; place++) {
      expected.add(Math.round((double) cycle * place / terminals));
    }
    assertThat(due).isEqualTo(expected);
    assertThat(samples.spans()).anyMatch(span -> span.endNanos() - span.dueNanos() >= 4 * cycle);
  }

  /**
   * 100 places of the schedule lie in the interval, or more if it takes longer to begin, and the
   * first transaction never ends: one is begun, the others of that terminal are its backlog.
   */
  @Test
  void whatAnOpenLoopNeverBeganIsCounted() throws InterruptedException {
    long cycle = Duration.ofMillis(5).toNanos();
    CountDownLatch inside = new CountDownLatch(1);
    ScriptedSessions sessions = stuckUntilAborted(inside);
    long start = System.nanoTime();
    interval.begin(start, new MeasurementInterval(start, start + Duration.ofHours(1).toNanos()));
    Collector collector =
        new Collector(
            new TestWorkload().types(),
            interval,
            new ErrorLog(interval, notice -> {}),
            SampleSink.NONE,
            1,
            faults);
    collector.start();
    SampleRecorder recorder = collector.newRecorder();

    TerminalRun run = prepare(config(1, 1, 0, pacing(0, 12_000)), sessions, recorder);
    run.start();
    inside.await();
    long places = Math.max(100, (System.nanoTime() - start) / cycle + 1);
    interval.endNoLaterThan(start + places * cycle);
    assertThat(run.awaitEnd(0)).isEqualTo(1);
    RunStatistics statistics = collector.finish(run.leftOver());

    assertThat(statistics.load())
        .isEqualTo(new LoadFigures(12_000, places, 1, 0, 0, places - 1, 1, 1));
    assertThat(statistics.types().get(0).undone()).isEqualTo(places);
    Latency due = statistics.types().get(0).latency(LatencyKind.DUE, Scope.ALL);
    assertThat(due.count()).isZero();
    assertThat(due.max()).isCloseTo(places * cycle / 1e6, within(places * cycle / 1e9));
    assertThat(due.p50()).isCloseTo(0.5 * places * cycle / 1e6, within(2.0 * cycle / 1e6));
    assertThat(due.isLowerBound(50)).isTrue();
  }

  /** As a driver that waits in a socket, which an interrupt does not wake. */
  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void tenThousandPacedTerminalsNeedFewThreads() throws InterruptedException {
    int terminals = 10_000;
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    beginOpenEnded();
    CountDownLatch counted = new CountDownLatch(1);
    TransactionExecutor waiting =
        transaction -> {
          awaitUninterruptibly(counted); // no thread ends before all are counted
          return Outcome.COMMITTED;
        };

    TerminalRun run = start(config(terminals, 4, 3, pacing(0.01, 0)), new NullSessions(waiting));
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    counted.countDown();
    assertThat(run.awaitEnd(GRACE_NANOS)).isZero();

    threads.removeAll(before);
    // Others come from the JVM.
    threads.removeIf(thread -> !thread.getName().matches("(Worker|Delivery)-.*"));
    assertThat(threads).hasSize(5);
    assertThat(samples.count(0)).isEqualTo(3L * terminals);
    assertThat(run.lateness().getTotalCount()).isBetween(1L, 3L * terminals);
  }

  @Test
  void latenessOfManyWorkersTakesLittleMemory() {
    Histogram lateness = Worker.newLateness();

    assertThat(lateness.getEstimatedFootprintInBytes()).isLessThan(6000);
    lateness.recordValue(TimeUnit.MINUTES.toNanos(10));
    assertThat(lateness.getMaxValue()).isGreaterThanOrEqualTo(TimeUnit.MINUTES.toNanos(10));
  }
}
