package io.shardmark.driver.live;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.LeftOver;
import io.shardmark.driver.measure.LiveFigures.LivePhase;
import io.shardmark.driver.measure.LiveSecond;
import io.shardmark.driver.measure.MadeSeconds;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.QuietFaults;
import io.shardmark.driver.measure.SampleRecorder;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.Snapshot;
import io.shardmark.driver.measure.TestTypes;
import io.shardmark.driver.measure.TransactionTimes;
import io.shardmark.driver.recorder.ServerSide;
import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.terminal.SessionSource;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run whose seconds a test makes up: over two shards, with a hundred New-Orders each second. */
public final class WatchedRun {
  private static final long MILLI = 1_000_000;

  private final List<TransactionType> types;
  private final IntervalInForce interval = new IntervalInForce();
  private final ErrorLog errors = new ErrorLog(interval, notice -> {});
  private final Collector collector;
  private final SampleRecorder recorder;
  private final LiveRun run;
  private ServerSide server =
      new ServerSide(
          Map.of(), ServerWaits.none("nobody looks at the server"), Optional.empty(), List.of());
  private long second;

  /** Of TPC-C. */
  public WatchedRun() {
    this(
        "TPC-C",
        Scale.shared("warehouse", 2),
        List.of(
            type(0, "NEW_ORDER", true, true),
            type(1, "PAYMENT", false, true),
            type(2, "DELIVERY_BG", false, false)),
        List.of(TestTypes.TPM_C, TestTypes.TPM_TOTAL));
  }

  private WatchedRun(
      String workload, Scale scale, List<TransactionType> types, List<MetricRule> metrics) {
    this.types = types;
    collector = new Collector(types, interval, errors, SampleSink.NONE, 1, QuietFaults.none());
    long now = System.nanoTime();
    interval.begin(now, new MeasurementInterval(now, now + 3_600_000_000_000L));
    recorder = collector.newRecorder();
    run =
        new LiveRun(
            new RunFacts(
                7,
                "Shardmark <test>",
                workload,
                types,
                metrics,
                "postgres",
                scale,
                8,
                4,
                "benchmarksql",
                ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, ZoneOffset.UTC),
                Duration.ZERO,
                Optional.of(Duration.ofHours(1)),
                0,
                List.of("s1", "s2")),
            new LiveRun.Sources(
                collector,
                errors,
                () -> new SessionSource.Usage(3, 1, 2),
                () -> server,
                Optional.empty()));
  }

  /** Of another benchmark, with a type of 20 operations. */
  public static WatchedRun ofOperations() {
    return new WatchedRun(
        "other",
        Scale.shared("branch", 1),
        List.of(TransactionType.unpaced(0, "update", 20)),
        List.of(
            MetricRule.rate("tps", "/s", MetricRule.Computation.COMMITS_PER_SECOND),
            MetricRule.rate("bestSecond", "/s", MetricRule.Computation.BEST_SECOND),
            MetricRule.rate("qps", "/s", MetricRule.Computation.OPERATIONS_PER_SECOND)));
  }

  private static TransactionType type(int index, String name, boolean headline, boolean counted) {
    return new TransactionType(
        index, name, headline, counted, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(5), 1);
  }

  /** What is seen of the server from now on. */
  void observe(ServerSide seen) {
    server = seen;
  }

  public LiveRun run() {
    return run;
  }

  /** Counts, as the collector would, four New-Orders at home in s1, s1, s1 and s2. */
  private void count() {
    collector.start();
    for (int shard : new int[] {0, 0, 0, 1}) {
      TransactionTimes times = new TransactionTimes();
      times.dueNanos = System.nanoTime() - 3 * MILLI;
      times.dequeuedNanos = times.dueNanos + MILLI;
      times.startNanos = times.dueNanos + 2 * MILLI;
      times.endNanos = times.dueNanos + 3 * MILLI;
      times.homePartition = shard;
      recorder.record(times, 0, Disposition.COMMITTED, 1, 0, shard == 1);
    }
    collector.finish(new LeftOver(0));
  }

  /** The next second of the run passes. */
  public void second() {
    if (second == 0) {
      count();
    }
    pass(true);
  }

  /** Another one passes in which nothing is done. */
  void idleSecond() {
    pass(false);
  }

  /** One of the ramp-up passes. */
  void rampUpSecond(long number) {
    run.second(new LiveSecond(number, LivePhase.RAMP_UP, MadeSeconds.ofHundred(types)));
  }

  /** So many come as one. */
  void secondsAtOnce(int seconds) {
    second += seconds;
    run.second(
        new LiveSecond(second - 1, seconds, LivePhase.MEASURING, MadeSeconds.ofHundred(types)));
  }

  private void pass(boolean busy) {
    Snapshot done = busy ? MadeSeconds.ofHundred(types) : new Snapshot(types, 2);
    run.second(new LiveSecond(second, LivePhase.MEASURING, done));
    second++;
  }

  /** So many deadlocks happen. */
  public void fail(int count) {
    for (int i = 0; i < count; i++) {
      recorder.error("NEW_ORDER", Disposition.DEADLOCK, "40P01", "deadlock detected", false);
    }
  }
}
