package io.shardmark.driver.measure;

import static io.shardmark.driver.measure.TestTypes.DELIVERY;
import static io.shardmark.driver.measure.TestTypes.DELIVERY_BG;
import static io.shardmark.driver.measure.TestTypes.NEW_ORDER;
import static io.shardmark.driver.measure.TestTypes.PAYMENT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.shardmark.config.Stage;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.Fault;
import io.shardmark.driver.results.HoldUps;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.StageResult;
import io.shardmark.driver.results.SteadyRampUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Feeds samples whose instants are made up; the collector's own clock does not enter results. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class CollectorTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final List<MetricRule> METRICS =
      List.of(
          TestTypes.TPM_C,
          TestTypes.TPM_TOTAL,
          MetricRule.rate("tps", "/s", MetricRule.Computation.OPERATIONS_PER_SECOND));

  private final IntervalInForce interval = new IntervalInForce();
  private final ErrorLog errors = new ErrorLog(interval, notice -> {});
  private final RecordingSink sink = new RecordingSink();
  private final RunFaults faults =
      new RunFaults(() -> interval.endNoLaterThan(System.nanoTime()), line -> {}, line -> {});
  private final Collector collector =
      new Collector(TestTypes.TPCC, interval, errors, sink, 2, faults);
  private final SampleRecorder recorder = collector.newRecorder();
  private long start;

  /** The instants lie in the future, so that the collector does not close a second meanwhile. */
  private void begin(long lengthNanos) {
    start = System.nanoTime() + 3600 * SECOND;
    interval.begin(start - 10 * SECOND, new MeasurementInterval(start, start + lengthNanos));
    collector.start();
  }

  private RunStatistics finish() {
    return collector.finish(new LeftOver(0));
  }

  private static double headlinePerMinute(RunStatistics run) {
    return run.perMinute(newOrders(run));
  }

  private static long newOrders(RunStatistics run) {
    return run.types().get(NEW_ORDER).successes();
  }

  private static long transactions(RunStatistics run) {
    return run.overall(LatencyKind.DUE, Scope.ALL).count();
  }

  private void committed(int type, long endsAfter, long latency) {
    ended(type, endsAfter, latency, Disposition.COMMITTED);
  }

  private void ended(int type, long endsAfter, long latency, Disposition disposition) {
    long end = start + endsAfter;
    recorder.record(Instants.of(end - latency, end), type, disposition, 0, 0, false);
  }

  /**
   * 30 s. 100 committed New-Orders of 1 .. 100 ms, 2 rolled back, 3 failed; 40 payments; 8
   * deliveries, each with its background part. Then tpmC = 102 * 2 and tpmTotal = (102 + 40 + 8) *
   * 2.
   */
  @Test
  void figuresOfAHandComputedExample() {
    begin(30 * SECOND);
    for (int i = 1; i <= 100; i++) {
      committed(NEW_ORDER, 100 * MILLI * i, MILLI * i);
    }
    ended(NEW_ORDER, 11 * SECOND, 50 * MILLI, Disposition.ROLLED_BACK);
    ended(NEW_ORDER, 12 * SECOND, 51 * MILLI, Disposition.ROLLED_BACK);
    for (int i = 0; i < 3; i++) {
      ended(NEW_ORDER, 13 * SECOND, 30 * SECOND, Disposition.DEADLOCK);
    }
    for (int i = 0; i < 40; i++) {
      committed(PAYMENT, 14 * SECOND, 7 * MILLI);
    }
    for (int i = 0; i < 8; i++) {
      committed(DELIVERY, 15 * SECOND, MILLI);
      committed(DELIVERY_BG, 16 * SECOND, 70 * MILLI);
    }
    RunStatistics run = finish();

    assertThat(headlinePerMinute(run)).isEqualTo(204.0);
    assertThat(run.perMinute(transactions(run))).isEqualTo(300.0);
    assertThat(transactions(run)).isEqualTo(150);

    TypeStatistics newOrders = run.types().get(NEW_ORDER);
    assertThat(newOrders.count(Disposition.COMMITTED)).isEqualTo(100);
    assertThat(newOrders.count(Disposition.ROLLED_BACK)).isEqualTo(2);
    assertThat(newOrders.count(Disposition.DEADLOCK)).isEqualTo(3);
    // 1 .. 100 with 50 and 51 twice: the 51st of 102 is 50 or 51, the 92nd is 90, the last is 100.
    Latency due = newOrders.latency(LatencyKind.DUE, Scope.ALL);
    assertThat(due.count()).isEqualTo(102);
    assertMillis(due.min(), 1);
    assertMillis(due.mean(), (5050 + 50 + 51) / 102.0);
    assertMillis(due.p50(), 50);
    assertMillis(due.p90(), 90);
    assertMillis(due.p99(), 99);
    assertMillis(due.max(), 100);
    assertMillis(newOrders.errorLatency().max(), 30_000);
    assertThat(run.overall(LatencyKind.DUE, Scope.ALL).count()).isEqualTo(150);
    // R: quantile(c(1:100, 50, 51), 0.9) is 89.9
    assertThat(newOrders.dueQuantileType7Nanos(0.9) / MILLI).isCloseTo(89.9, within(0.1));
  }

  @Test
  void anIntervalBeginsEarlierWhenTheRampUpIsSteady() {
    MeasurementInterval planned =
        new MeasurementInterval(
            System.nanoTime() + 300 * SECOND, System.nanoTime() + 7200 * SECOND);
    start = planned.startNanos();
    interval.begin(start - 400 * SECOND, planned);
    collector.beginWhenSteady();
    for (int second = -400; second < -300; second++) {
      committed(PAYMENT, second * SECOND + SECOND / 2, MILLI);
    }
    collector.start();
    await().until(() -> !interval.interval().equals(planned));

    MeasurementInterval early = interval.interval();
    assertThat(early.startNanos()).isGreaterThan(planned.startNanos() - 300 * SECOND);
    assertThat((planned.startNanos() - early.startNanos()) % SECOND).isZero();
    assertThat(early.lengthNanos()).isEqualTo(planned.lengthNanos());
    start = early.startNanos();
    committed(NEW_ORDER, 3600 * SECOND, MILLI);
    RunStatistics run = finish();
    assertThat(run.steady()).isEqualTo(new SteadyRampUp(0.0));
    assertThat(run.outside()).isEqualTo(100);
    assertThat(newOrders(run)).isEqualTo(1);
    assertThat(run.successesBySecond()).startsWith(0L);
  }

  private static void assertMillis(double actual, double millis) {
    assertThat(actual).isCloseTo(millis, within(millis / 1000));
  }

  private static void assertMillis(long nanos, double millis) {
    assertThat((double) nanos / MILLI).isCloseTo(millis, within(millis / 1000));
  }

  /**
   * 2 s at 120 a minute, a pause of 2 s, 2 s at 240. Of the first stage's four one is done late, in
   * the pause, and one never; of the last one's eight two are failed and two never begun.
   */
  @Test
  void eachStageTellsWhatItAskedForAndWhatBecameOfIt() {
    collector.divide(
        List.of(
            new Stage(Duration.ofSeconds(2), 120),
            new Stage(Duration.ofSeconds(2), 0),
            new Stage(Duration.ofSeconds(2), 240)),
        METRICS);
    begin(6 * SECOND);
    committed(NEW_ORDER, 100 * MILLI, 100 * MILLI);
    committed(PAYMENT, 600 * MILLI, 100 * MILLI);
    committed(DELIVERY_BG, 700 * MILLI, 100 * MILLI);
    committed(NEW_ORDER, 2_500 * MILLI, 1_000 * MILLI);
    for (int i = 0; i < 4; i++) {
      committed(NEW_ORDER, (4_010 + i * 250L) * MILLI, 10 * MILLI);
    }
    ended(NEW_ORDER, 5_100 * MILLI, 100 * MILLI, Disposition.DEADLOCK);
    ended(PAYMENT, 5_300 * MILLI, 50 * MILLI, Disposition.DEADLOCK);
    LeftOver leftOver = new LeftOver(140);
    leftOver.neverEnded(NEW_ORDER, false, start + SECOND, start + SECOND);
    leftOver.neverBegun(PAYMENT, false, start + 5_500 * MILLI, 2);
    RunStatistics run = collector.finish(leftOver);

    StageResult first = run.stages().get(0);
    assertThat(first.load()).isEqualTo(new LoadFigures(120, 4, 4, 2, 0, 0, 2, 0));
    assertThat(first.successes()).isEqualTo(2);
    assertThat(first.metrics()).isEqualTo(Map.of("tpmC", 30.0, "tpmTotal", 60.0, "tps", 1.0));
    Latency due = requireNonNull(first.latencyMillis());
    assertThat(due.undone()).isEqualTo(2);
    assertMillis(due.max(), 1_000);
    StageResult pause = run.stages().get(1);
    assertThat(pause.load()).isEqualTo(new LoadFigures(0, 0, 0, 1, 0, 0, 1, 0));
    assertThat(pause.fromSeconds()).isEqualTo(2);
    StageResult last = run.stages().get(2);
    assertThat(last.load()).isEqualTo(new LoadFigures(240, 8, 6, 6, 0, 2, 1, 0));
    assertThat(last.errors()).isEqualTo(2);
    assertThat(last.metrics()).containsEntry("tpmC", 120.0);
    assertThat(run.quiet().seconds()).isLessThan(2);
    assertThat(run.stages().stream().mapToLong(stage -> stage.load().due()).sum())
        .isEqualTo(run.load().due());
  }

  @Test
  void whatTheDriverWaitedForItselfIsNoTransactionThatStoodStill() {
    begin(20 * SECOND);
    for (int i = 1; i <= 15; i++) {
      committed(NEW_ORDER, i * SECOND, 10 * MILLI);
    }
    committed(NEW_ORDER, 16 * SECOND, 5 * SECOND);
    RunStatistics run = finish();

    assertThat(run.quietAndStuck(new HoldUps(2, 2, 11)).stuck()).isEqualTo(1);
    assertThat(run.quietAndStuck(new HoldUps(4, 4, 11)).stuck()).isZero();
    assertThat(run.quietAndStuck(HoldUps.NONE).stuckFromSeconds()).isEqualTo(2);
  }

  /** A run that is cut short has not had its last stages. */
  @Test
  void stagesEndWithTheRun() {
    collector.divide(
        List.of(new Stage(Duration.ofSeconds(2), 60), new Stage(Duration.ofSeconds(2), 60)),
        METRICS);
    begin(4 * SECOND);
    committed(NEW_ORDER, 900 * MILLI, 100 * MILLI);
    interval.endNoLaterThan(start + SECOND);
    RunStatistics run = finish();

    assertThat(run.stages()).extracting(StageResult::seconds).containsExactly(1.0, 0.0);
    assertThat(run.stages().get(0).metrics()).containsEntry("tpmC", 60.0);
    assertThat(run.stages().get(1).metrics()).containsEntry("tpmC", 0.0);
  }

  /** A ring holds at most 4096: nobody would ever take the 10,000th. */
  @Test
  void aCollectorThatFailsEndsTheRunAndHoldsUpNoWorker() {
    sink.failing = true;
    begin(30 * SECOND);
    for (int i = 0; i < 10_000; i++) {
      committed(NEW_ORDER, SECOND, MILLI);
    }
    finish();

    assertThat(faults.fault()).map(Fault::thread).contains("collector");
    assertThat(faults.fault().orElseThrow().cause()).contains("the sink failed");
    assertThat(interval.interval().lengthNanos()).isZero();
  }

  @Test
  void watchersHaveTheirOwnThreadAndMayFail() throws InterruptedException {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    collector.watch(
        0,
        second -> {
          threads.add(Thread.currentThread().getName());
          throw new IllegalStateException("the view failed");
        });
    begin(2 * SECOND);
    committed(NEW_ORDER, SECOND, MILLI);
    RunStatistics run = finish();

    assertThat(threads).containsExactly("live-view");
    assertThat(faults.isAborted()).isFalse();
    assertThat(faults.notes()).singleElement().asString().contains("live view", "the view failed");
    assertThat(newOrders(run)).isEqualTo(1);
  }

  /** Ten hang for 8 s and do not end in the interval; 990 took 2 ms. */
  @Test
  void whatIsNotDoneAtTheEndRaisesPercentilesAsALowerBound() {
    begin(30 * SECOND);
    for (int i = 0; i < 990; i++) {
      committed(NEW_ORDER, SECOND, 2 * MILLI);
    }
    for (int i = 0; i < 10; i++) {
      ended(NEW_ORDER, 33 * SECOND, 11 * SECOND, Disposition.CONNECTION_LOST);
    }
    RunStatistics run = finish();

    Latency due = run.types().get(NEW_ORDER).latency(LatencyKind.DUE, Scope.ALL);
    assertThat(due.count()).isEqualTo(990);
    assertThat(due.undone()).isEqualTo(10);
    assertMillis(due.p99(), 2);
    assertMillis(due.p999(), 8000);
    assertMillis(due.max(), 8000);
    assertThat(due.isLowerBound(95)).isFalse();
    assertThat(due.lowerBoundFrom()).isEqualTo(99.9);
    assertThat(run.overall(LatencyKind.DUE, Scope.ALL)).isEqualTo(due);
    assertThat(run.types()).allMatch(type -> type.errors() == 0);
    assertThat(run.load()).isEqualTo(new LoadFigures(0, 1000, 1000, 990, 0, 0, 10, 0));
  }

  /** What is under way in every run when it ends is as young as the others were. */
  @Test
  void whatIsUnderWayAsEverChangesNoFigure() {
    begin(30 * SECOND);
    for (int i = 1; i <= 1000; i++) {
      committed(PAYMENT, SECOND, i * MILLI / 100);
    }
    for (int i = 0; i < 10; i++) {
      committed(PAYMENT, 30 * SECOND + MILLI, 6 * MILLI);
    }
    RunStatistics run = finish();

    Latency due = run.types().get(PAYMENT).latency(LatencyKind.DUE, Scope.ALL);
    assertThat(due.undone()).isEqualTo(10);
    assertThat(due.isLowerBound(100)).isFalse();
    assertMillis(due.p99(), 9.9);
    assertThat(run.load().inFlightAtEnd()).isEqualTo(10);
  }

  @Test
  void theBacklogOfTheStartIsToldApart() {
    begin(2 * SECOND);
    long due = start - SECOND;
    recorder.record(
        Instants.of(due, start + MILLI, start + MILLI, start + 2 * MILLI),
        NEW_ORDER,
        Disposition.COMMITTED,
        0,
        0,
        false);
    RunStatistics run = finish();

    assertThat(run.load()).isEqualTo(new LoadFigures(0, 0, 1, 1, 1, 0, 0, 0));
    assertThat(run.load().backlogGrowth()).isEqualTo(-1);
  }

  @Test
  void ratesAreCutAsBenchmarkSqlCutsThem() {
    begin(7 * SECOND);
    for (int i = 0; i < 10; i++) {
      committed(NEW_ORDER, SECOND, MILLI);
    }
    // 6000000 * 10 / 7000 = 8571.43, cut to 8571, divided by 100
    assertThat(headlinePerMinute(finish())).isEqualTo(85.71);
  }

  @Test
  void whatEndsOutsideTheIntervalCountsForNothing() {
    begin(2 * SECOND);
    committed(NEW_ORDER, -1, MILLI);
    committed(NEW_ORDER, 0, MILLI);
    committed(NEW_ORDER, 2 * SECOND - 1, MILLI);
    committed(NEW_ORDER, 2 * SECOND, MILLI);
    RunStatistics run = finish();
    assertThat(newOrders(run)).isEqualTo(2);
    assertThat(run.outside()).isEqualTo(2);
    assertThat(sink.elapsedNanos).containsExactly(0L, 2 * SECOND - 1);
    assertThat(sink.seconds).containsExactly(0L, 1L);
    assertThat(sink.figures.get(0).get(NEW_ORDER).count()).isEqualTo(1);
    assertThat(sink.figures.get(1).get(NEW_ORDER).count()).isEqualTo(1);
  }

  @Test
  void anInterruptEndsTheIntervalAtItsInstant() {
    begin(60 * SECOND);
    committed(NEW_ORDER, 1 * SECOND, MILLI);
    interval.endNoLaterThan(start + 1500 * MILLI);
    committed(NEW_ORDER, 1600 * MILLI, MILLI);
    RunStatistics run = finish();
    assertThat(newOrders(run)).isEqualTo(1);
    assertThat(headlinePerMinute(run)).isEqualTo(40.0);
    assertThat(sink.seconds).containsExactly(0L, 1L);
  }

  /** Whole milliseconds would make it nearly twice as much. */
  @Test
  void ratesAreOverTheExactLength() {
    begin(60 * SECOND);
    committed(NEW_ORDER, MILLI, MILLI);
    interval.endNoLaterThan(start + 1900 * MILLI / 1000);
    // 6000000000 / 1900, cut, divided by 100
    assertThat(headlinePerMinute(finish())).isEqualTo(31_578.94);
  }

  @Test
  void anOpenEndedIntervalEndsWithItsLastTransaction() {
    start = System.nanoTime();
    interval.begin(start, MeasurementInterval.openEnded(start));
    collector.start();
    committed(NEW_ORDER, 500 * MILLI, MILLI);
    committed(PAYMENT, 1000 * MILLI, MILLI);
    committed(PAYMENT, 900 * MILLI, MILLI);
    RunStatistics run = finish();
    assertThat(run.interval().lengthNanos()).isBetween(SECOND, SECOND + MILLI);
    assertThat(headlinePerMinute(run)).isEqualTo(60.0);
    assertThat(transactions(run)).isEqualTo(3);
    assertThat(run.outside()).isZero();
  }

  @Test
  void aRunWithoutAnyTransactionHasNoRate() {
    start = System.nanoTime();
    interval.begin(start, MeasurementInterval.openEnded(start));
    collector.start();
    RunStatistics run = finish();
    assertThat(headlinePerMinute(run)).isZero();
    assertThat(run.overall(LatencyKind.DUE, Scope.ALL)).isEqualTo(Latency.NONE);
  }

  @Test
  void localAndDistributedAreKeptApart() {
    begin(10 * SECOND);
    long end = start + SECOND;
    recorder.record(Instants.of(end - 4 * MILLI, end), PAYMENT, Disposition.COMMITTED, 0, 0, false);
    recorder.record(
        Instants.of(end - 16 * MILLI, end - 14 * MILLI, end - 11 * MILLI, end),
        PAYMENT,
        Disposition.COMMITTED,
        0,
        0,
        true);
    TypeStatistics payments = finish().types().get(PAYMENT);
    assertMillis(payments.latency(LatencyKind.DUE, Scope.LOCAL).max(), 4);
    assertMillis(payments.latency(LatencyKind.DUE, Scope.DISTRIBUTED).max(), 16);
    assertMillis(payments.latency(LatencyKind.SERVICE, Scope.DISTRIBUTED).max(), 11);
    assertMillis(payments.latency(LatencyKind.QUEUE_WAIT, Scope.DISTRIBUTED).max(), 2);
    assertMillis(payments.latency(LatencyKind.CONNECTION_WAIT, Scope.DISTRIBUTED).max(), 3);
    assertThat(payments.latency(LatencyKind.DUE, Scope.ALL).count()).isEqualTo(2);
  }

  @Test
  void retriesAndSkippedWorkAreSummed() {
    begin(10 * SECOND);
    long end = start + SECOND;
    recorder.record(Instants.of(end, end), DELIVERY_BG, Disposition.COMMITTED, 2, 4, false);
    recorder.record(Instants.of(end, end), DELIVERY_BG, Disposition.COMMITTED, 1, 1, false);
    recorder.record(Instants.of(end, end), DELIVERY_BG, Disposition.COMMITTED, 0, 0, false);
    TypeStatistics deliveries = finish().types().get(DELIVERY_BG);
    assertThat(deliveries.retries()).isEqualTo(new TypeStatistics.Retries(3, 2));
    assertThat(deliveries.skipped()).isEqualTo(5);
  }

  @Test
  void latenciesAboveOneHourAreClampedAndCounted() {
    begin(10 * SECOND);
    committed(PAYMENT, SECOND, 7200 * SECOND);
    Latency due = finish().types().get(PAYMENT).latency(LatencyKind.DUE, Scope.ALL);
    assertThat(due.clamped()).isEqualTo(1);
    assertMillis(due.max(), 3_600_000);
  }

  @Test
  void secondsAreToldWithoutGapsAndLateSamplesAreNotLost() {
    begin(25 * SECOND);
    committed(PAYMENT, 20 * SECOND, 2 * MILLI);
    committed(PAYMENT, 3 * SECOND, 4 * MILLI); // long after later ones, and still its own second
    committed(PAYMENT, 21 * SECOND, 8 * MILLI);
    finish();
    assertThat(sink.seconds).hasSize(25).isSorted().startsWith(0L).endsWith(24L);
    assertThat(sink.figures.stream().mapToLong(types -> types.get(PAYMENT).count()).sum())
        .isEqualTo(3);
    assertThat(sink.figures.get(20).get(PAYMENT).sumNanos()).isEqualTo(2 * MILLI);
    assertThat(sink.figures.get(3).get(PAYMENT).sumNanos()).isEqualTo(4 * MILLI);
    assertThat(sink.latencies.stream().mapToLong(types -> types.get(PAYMENT)).sum()).isEqualTo(3);
    assertThat(sink.latencies.get(20).get(PAYMENT)).isEqualTo(1);
  }

  /** The first ring is read before the hold-up, and the clock after it. */
  @Test
  void whatComesWhileTheCollectorIsHeldUpCountsForItsOwnSecond() {
    Semaphore heldUp = new Semaphore(0);
    Semaphore goesOn = new Semaphore(0);
    sink.beforeSample =
        () -> {
          heldUp.release();
          goesOn.acquireUninterruptibly();
        };
    SampleRecorder second = collector.newRecorder();
    start = System.nanoTime() - 900 * MILLI;
    interval.begin(start, new MeasurementInterval(start, start + 60 * SECOND));
    collector.start();
    second.record(Instants.of(start, start + MILLI), PAYMENT, Disposition.COMMITTED, 0, 0, false);
    heldUp.acquireUninterruptibly();
    committed(PAYMENT, 2 * MILLI, MILLI);
    LiveFigures before = collector.live();
    await().atMost(Duration.ofMinutes(2)).until(() -> System.nanoTime() - start > 2200 * MILLI);
    goesOn.release(2);
    await().atMost(Duration.ofMinutes(2)).until(() -> !collector.live().equals(before));
    finish();

    assertThat(sink.figures.get(0).get(PAYMENT).count()).isEqualTo(2);
    assertThat(faults.notes()).isEmpty();
  }

  /** A worker that is held up right after its transaction tells of it when the interval is over. */
  @Test
  void aSampleThatComesLongAfterTheIntervalCountsForItsLastSecond() {
    start = System.nanoTime() - 60 * SECOND;
    interval.begin(start, new MeasurementInterval(start, start + 3 * SECOND));
    collector.start();
    // From then on it has closed what it closes by itself.
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> collector.live().phase() == LiveFigures.LivePhase.ENDING);
    committed(PAYMENT, 3 * SECOND - 1, MILLI);
    RunStatistics run = finish();

    assertThat(transactions(run)).isEqualTo(1);
    assertThat(sink.seconds).containsExactly(0L, 1L, 2L);
    assertThat(sink.figures.get(2).get(PAYMENT).count()).isEqualTo(1);
  }

  private static ErrorResult deadlocks(long count, long retried) {
    return new ErrorResult("PAYMENT", "DEADLOCK", "40P01", count, retried, 0, List.of());
  }

  @Test
  void errorsAreToldWithTheirSecond() {
    begin(25 * SECOND);
    ErrorLog.ErrorClass deadlock =
        new ErrorLog.ErrorClass("PAYMENT", Disposition.DEADLOCK, "40P01");
    errors.record(deadlock, "early", false, start - 1);
    errors.record(deadlock, "healed", true, start + 3 * SECOND);
    errors.record(deadlock, "final", false, start + 4 * SECOND - 1);
    errors.record(deadlock, "last", false, start + 20 * SECOND);
    interval.endNoLaterThan(start + 10 * SECOND);
    RunStatistics run = finish();
    assertThat(sink.errors)
        .containsExactly(
            Map.entry(3L, List.of(deadlocks(2, 1))),
            // Raised in an interval that was cut short afterwards: counted there, so told too.
            Map.entry(20L, List.of(deadlocks(1, 0))));
    assertThat(run.errors().get(0).count()).isEqualTo(3);
  }

  @Test
  void aSecondHasItsOwnPercentiles() {
    begin(2 * SECOND);
    for (int i = 1; i <= 100; i++) {
      committed(PAYMENT, 500 * MILLI, i * MILLI);
    }
    ended(PAYMENT, 600 * MILLI, 900 * MILLI, Disposition.LOCK_TIMEOUT);
    finish();
    SecondFigures second = sink.figures.get(0).get(PAYMENT);
    assertThat(second.count()).isEqualTo(101);
    assertThat(second.errors()).isEqualTo(1);
    assertThat(second.minNanos()).isEqualTo(MILLI);
    assertThat(second.maxNanos()).isEqualTo(100 * MILLI);
    assertThat(second.sumNanos()).isEqualTo(5050 * MILLI);
    assertMillis(second.p50Nanos(), 50);
    assertMillis(second.p95Nanos(), 95);
    assertMillis(second.p99Nanos(), 99);
  }

  @Test
  void manyWorkersLoseNothing() throws InterruptedException {
    begin(10 * SECOND);
    int workers = 4;
    int each = 200_000;
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < workers; w++) {
      SampleRecorder own = collector.newRecorder();
      Thread thread =
          new Thread(
              () -> {
                TransactionTimes times = new TransactionTimes();
                for (int i = 0; i < each; i++) {
                  times.dueNanos = start;
                  times.dequeuedNanos = start;
                  times.startNanos = start;
                  times.endNanos = start + i * 10_000L;
                  own.record(times, NEW_ORDER, Disposition.COMMITTED, 0, 0, false);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    RunStatistics run = finish();
    assertThat(newOrders(run)).isEqualTo((long) workers * each);
    assertThat(sink.elapsedNanos).hasSize(workers * each);
    assertThat(sink.figures.stream().mapToLong(types -> types.get(NEW_ORDER).count()).sum())
        .isEqualTo((long) workers * each);
  }

  /** Ramp-up of 10 s, then the interval; what a watcher is told of both. */
  @Test
  void tellsAWatcherOfEachSecondAndEachTransaction() {
    List<LiveSecond> seconds = new ArrayList<>();
    collector.watch(2, seconds::add);
    begin(3 * SECOND);
    committed(NEW_ORDER, -5 * SECOND, 9 * MILLI);
    committed(NEW_ORDER, 500 * MILLI, 2 * MILLI);
    ended(NEW_ORDER, 600 * MILLI, MILLI, Disposition.ROLLED_BACK);
    ended(NEW_ORDER, 700 * MILLI, MILLI, Disposition.DEADLOCK);
    TransactionTimes times = Instants.of(start + SECOND, start + SECOND + 4 * MILLI);
    times.homePartition = 1;
    recorder.record(times, PAYMENT, Disposition.COMMITTED, 2, 0, true);
    finish();

    assertThat(seconds).extracting(LiveSecond::second).startsWith(-10L, -9L).endsWith(1L, 2L);
    assertThat(seconds).hasSize(13);
    LiveSecond rampUp = seconds.get(5);
    assertThat(rampUp.phase()).isEqualTo(LiveFigures.LivePhase.RAMP_UP);
    assertThat(rampUp.done().types().get(NEW_ORDER).count(Disposition.COMMITTED)).isOne();
    LiveSecond first = seconds.get(10);
    assertThat(first.phase()).isEqualTo(LiveFigures.LivePhase.MEASURING);
    assertThat(first.done().types().get(NEW_ORDER).count(Disposition.DEADLOCK)).isOne();
    assertThat(first.done().types().get(NEW_ORDER).second().maxNanos()).isEqualTo(2 * MILLI);
    Snapshot all = new Snapshot(TestTypes.TPCC, 2);
    seconds.forEach(second -> all.add(second.done()));
    assertThat(all.types().get(NEW_ORDER).successes()).isEqualTo(3);
    assertThat(all.types().get(NEW_ORDER).errors()).isOne();
    assertThat(all.types().get(PAYMENT).retries().count()).isEqualTo(2);
    assertThat(all.types().get(PAYMENT).distributed()).isOne();
    assertThat(all.ofPartitions()).containsExactly(0L, 1L);
    assertThat(all.types().get(NEW_ORDER).latencies(LatencyKind.DUE).sumNanos())
        .isEqualTo(12 * MILLI);
  }

  @Test
  void aWatcherThatLagsGetsAllTransactions() {
    Semaphore released = new Semaphore(0);
    List<LiveSecond> seconds = new ArrayList<>();
    collector.watch(
        0,
        second -> {
          released.acquireUninterruptibly();
          released.release();
          seconds.add(second);
        });
    begin(200 * SECOND);
    for (int second = -5; second < 200; second++) {
      committed(NEW_ORDER, second * SECOND + MILLI, MILLI);
    }
    CompletableFuture<RunStatistics> run = CompletableFuture.supplyAsync(this::finish);
    await().until(() -> faults.notes().toString().contains("does not keep up"));
    released.release();
    run.join();

    assertThat(seconds).hasSizeLessThan(200);
    assertThat(seconds.stream().mapToInt(LiveSecond::seconds).sum()).isEqualTo(210);
    assertThat(seconds.stream().mapToLong(second -> second.done().transactions()).sum())
        .isEqualTo(205);
  }

  /** What ends after an interval that was cut short is of no second of it. */
  @Test
  void aWatcherLearnsOfWhatEndedAfterTheInterval() {
    List<LiveSecond> seconds = new ArrayList<>();
    collector.watch(0, seconds::add);
    begin(1_500 * MILLI);
    committed(NEW_ORDER, 1_400 * MILLI, MILLI);
    committed(NEW_ORDER, 1_600 * MILLI, MILLI);
    committed(NEW_ORDER, 3_500 * MILLI, MILLI);
    RunStatistics run = finish();
    assertThat(newOrders(run)).isEqualTo(1);
    assertThat(run.outside()).isEqualTo(2);
    assertThat(sink.seconds).containsExactly(0L, 1L);
    assertThat(seconds.subList(11, 14))
        .extracting(second -> second.phase() + " " + second.done().transactions())
        .containsExactly("MEASURING 1", "ENDING 1", "ENDING 1");
  }

  @Test
  void statusIsOfAllThatWasRecorded() {
    start = System.nanoTime() - 20 * SECOND;
    interval.begin(start - SECOND, new MeasurementInterval(start, start + 3600 * SECOND));
    committed(PAYMENT, -MILLI, MILLI);
    for (int second = 0; second < 300; second++) { // any five that are complete have five
      committed(NEW_ORDER, second * SECOND + MILLI, 5 * MILLI);
      committed(DELIVERY_BG, second * SECOND + MILLI, MILLI);
    }
    ended(PAYMENT, 299 * SECOND, MILLI, Disposition.CONNECTION_LOST);
    collector.start();
    await().atMost(Duration.ofMinutes(2)).until(() -> collector.live().errors() == 1);
    LiveFigures live = collector.live();
    finish();
    assertThat(live.phase()).isEqualTo(LiveFigures.LivePhase.MEASURING);
    assertThat(live.transactions()).isEqualTo(301);
    assertThat(live.errors()).isEqualTo(1);
    assertThat(live.average().successes()).containsExactly(300L, 0L, 0L, 0L, 0L, 300L);
    assertThat(live.average().nanos()).isGreaterThanOrEqualTo(20 * SECOND);
    assertThat(live.current().rate(TestTypes.TPM_C, TestTypes.TPCC)).isEqualTo(60);
    assertMillis(live.p95Nanos(), 5);
    assertThat(live.timeLeft()).isPresent();
  }

  /** Only the figures by second lack it. */
  @Test
  void samplesOfClosedSecondsAreInTotalsAndStages() {
    collector.divide(
        List.of(new Stage(Duration.ofSeconds(10), 60), new Stage(Duration.ofHours(1), 60)),
        METRICS);
    start = System.nanoTime() - 20 * SECOND;
    interval.begin(start, new MeasurementInterval(start, start + 3600 * SECOND));
    committed(NEW_ORDER, 15 * SECOND, MILLI);
    committed(NEW_ORDER, 60 * SECOND, MILLI); // closes what is half a minute older
    committed(NEW_ORDER, 5 * SECOND, 3 * MILLI);
    committed(NEW_ORDER, 6 * SECOND, 3 * MILLI);
    collector.start(); // now, or it might write second 15 before its sample is there
    RunStatistics run = finish();
    assertThat(newOrders(run)).isEqualTo(4);
    assertMillis(run.overall(LatencyKind.DUE, Scope.ALL).max(), 3);
    assertThat(run.stages()).extracting(StageResult::successes).containsExactly(2L, 2L);
    assertThat(run.outside()).isZero();
    assertThat(sink.figures.stream().mapToLong(types -> types.get(NEW_ORDER).count()).sum())
        .isEqualTo(2);
    assertThat(faults.notes())
        .singleElement()
        .asString()
        .contains("2 transactions were recorded after their second was written");
  }
}
