package io.shardmark.driver.merge;

import io.shardmark.config.ResultRows;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.Instants;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.LeftOver;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.QuietFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.SampleRecorder;
import io.shardmark.driver.measure.TestTypes;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.recorder.ResultFiles;
import io.shardmark.driver.recorder.SampleRun;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Drivers with made-up transactions, each with a result directory as a real one has it, and one
 * that did all of them alone.
 */
final class MadeDrivers {
  static final String GROUP = "a group";
  private static final long MICRO = 1_000;
  private static final long SECOND = 1_000_000_000;
  private static final int SECONDS = 23;

  /** Driver 1's observers began so long before the start, driver 2's twice, driver 0's with it. */
  private static final long OBSERVED_BEFORE_NANOS = 2_500_000_000L;

  private final Path parent;

  /** TPC-C's, each of another number of operations. */
  private static final List<TransactionType> TYPES =
      TestTypes.TPCC.stream()
          .map(
              type ->
                  new TransactionType(
                      type.index(),
                      type.name(),
                      type.headline(),
                      type.counted(),
                      type.keyingTime(),
                      type.meanThinkTime(),
                      type.responseTimeLimit(),
                      2 + type.index()))
          .toList();

  private static final List<MetricRule> METRICS =
      Stream.concat(
              SampleRun.METRICS.stream(),
              Stream.of(
                  MetricRule.rate("qps", "/s", MetricRule.Computation.OPERATIONS_PER_SECOND),
                  MetricRule.rate("median", "/s", MetricRule.Computation.MEDIAN_SECOND),
                  MetricRule.rate("best", "/s", MetricRule.Computation.BEST_SECOND)))
          .toList();

  private final Random random;
  private final List<Made> all = new ArrayList<>();
  private final List<Path> parts = new ArrayList<>();

  /** One transaction; times in whole microseconds, so that sums of rounded ones are exact. */
  private record Made(
      long endNanos, List<Long> nanos, int type, Disposition disposition, boolean distributed) {}

  MadeDrivers(Path parent, long seed) {
    this.parent = parent;
    this.random = new Random(seed);
  }

  List<Path> parts() {
    return parts;
  }

  /** Makes a driver that did this many transactions. */
  MadeDrivers with(int index, int transactions) throws IOException {
    List<Made> own = new ArrayList<>();
    for (int i = 0; i < transactions; i++) {
      own.add(draw());
    }
    all.addAll(own);
    parts.add(write("driver" + index, own, index, SECONDS * SECOND, GROUP));
    return this;
  }

  /** Makes a driver of another length or group. */
  Path other(int index, long intervalNanos, String group) throws IOException {
    return write("other" + index, List.of(draw()), index, intervalNanos, group);
  }

  /** The result of one that did what all of them did. */
  Path alone() throws IOException {
    return write("alone", all, 0, SECONDS * SECOND, "alone");
  }

  private Made draw() {
    long end = MICRO * random.nextInt((int) (SECONDS * 1_000_000L));
    long waits = random.nextInt(2000);
    List<Long> nanos =
        List.of(
            MICRO * (1 + random.nextInt(50_000) + (random.nextInt(100) == 0 ? 900_000 : 0) + waits),
            MICRO * (waits / 2),
            MICRO * (waits / 4));
    Disposition[] ways = {
      Disposition.COMMITTED,
      Disposition.COMMITTED,
      Disposition.COMMITTED,
      Disposition.ROLLED_BACK,
      Disposition.DEADLOCK
    };
    return new Made(
        end,
        nanos,
        random.nextInt(TYPES.size()),
        ways[random.nextInt(ways.length)],
        random.nextInt(5) == 0);
  }

  private Path write(String name, List<Made> made, int index, long intervalNanos, String group)
      throws IOException {
    ResultDirectory directory = ResultDirectory.create(parent.resolve(name).toString());
    ResultFiles files =
        ResultFiles.open(
            directory,
            new ResultFiles.FileLayout(7, TYPES, ResultRows.ALL, 1, true),
            line -> {
              throw new IllegalStateException(line);
            });
    RunStatistics statistics = play(made, intervalNanos, files);
    files.close();
    RunResult result = SampleRun.result(statistics, METRICS, drivers(index, group));
    directory.writeRunProperties(
        """
        db=postgres
        driver=org.postgresql.Driver
        conn=jdbc:postgresql://db/x
        user=u
        password=***********
        warehouses=12
        terminals=24
        runMins=1
        drivers=3
        """);
    directory.write("data/runInfo.csv", "run,numSUTThreads,limitTxnsPerMin\n7,8,0\n");
    directory.write(
        "data/client.csv",
        """
        run,elapsed,cores_used,cores_available
        7,1000,%1$d.100,2
        7,2000,%1$d.200,2
        7,6000,%1$d.300,2
        """
            .formatted(index));
    directory.writeSummary(result, statistics);
    TotalsFile.write(directory, statistics, METRICS, SampleRun.RULES);
    return directory.root();
  }

  private static RunStatistics play(List<Made> made, long intervalNanos, ResultFiles files) {
    IntervalInForce interval = new IntervalInForce();
    Collector collector =
        new Collector(
            TYPES, interval, new ErrorLog(interval, notice -> {}), files, 1, QuietFaults.none());
    SampleRecorder recorder = collector.newRecorder();
    // In the future, so that the collector's clock closes no second meanwhile.
    long start = System.nanoTime() + 3600 * SECOND;
    interval.begin(start, new MeasurementInterval(start, start + intervalNanos));
    collector.start();
    made.stream()
        .sorted(Comparator.comparingLong(Made::endNanos))
        .forEach(
            one -> {
              long end = start + one.endNanos();
              long due = end - one.nanos().get(0);
              long dequeued = due + one.nanos().get(1);
              recorder.record(
                  Instants.of(due, dequeued, dequeued + one.nanos().get(2), end),
                  one.type(),
                  one.disposition(),
                  one.disposition() == Disposition.DEADLOCK ? 2 : 0,
                  0,
                  one.distributed());
            });
    return collector.finish(new LeftOver(0));
  }

  private static Drivers drivers(int index, String group) {
    return new Drivers(
        group,
        3,
        false,
        null,
        null,
        List.of(
            Drivers.DriverPart.of(
                index,
                4 * index + 1,
                4 * index + 4,
                8,
                8,
                0.001 * (index + 1),
                0.0005,
                index == 2 ? null : -2.5 * index, // not known of the last
                OBSERVED_BEFORE_NANOS * index / 1e6)),
        List.of());
  }
}
