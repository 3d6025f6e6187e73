package io.shardmark.driver.results.reader;

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
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.TestTypes;
import java.util.Random;

/** A made-up minute whose latencies are whole milliseconds, as BenchmarkSQL measures them. */
final class WholeMillisecondRun {
  private static final long MILLI = 1_000_000;
  private static final long MINUTE = 60_000;

  private final Random random = new Random(4711);
  private final SampleRecorder recorder;
  private final long startNanos;

  private WholeMillisecondRun(SampleRecorder recorder, long startNanos) {
    this.recorder = recorder;
    this.startNanos = startNanos;
  }

  /** Plays it into a sink. */
  static RunStatistics play(SampleSink sink) {
    IntervalInForce interval = new IntervalInForce();
    Collector collector =
        new Collector(
            TestTypes.TPCC,
            interval,
            new ErrorLog(interval, notice -> {}),
            sink,
            1,
            QuietFaults.none());
    // In the future, so that the collector's clock closes no second meanwhile.
    long start = System.nanoTime() + 3600 * 1000 * MILLI;
    interval.begin(start, new MeasurementInterval(start, start + MINUTE * MILLI));
    WholeMillisecondRun run = new WholeMillisecondRun(collector.newRecorder(), start);
    collector.start();
    for (int i = 0; i < 100; i++) {
      for (int j = 0; j < 10; j++) {
        run.ended(TestTypes.NEW_ORDER, i * 600 + j * 60, 8 + 4 * j);
        if (j % 2 == 0) {
          run.ended(TestTypes.PAYMENT, i * 600 + j * 60, 5 + j);
        }
      }
      run.ended(TestTypes.STOCK_LEVEL, i * 600 + 300, 3);
      run.ended(TestTypes.STOCK_LEVEL, i * 600 + 400, 40);
      run.ended(TestTypes.DELIVERY, i * 600 + 500, 1);
      run.ended(TestTypes.DELIVERY_BG, i * 600 + 510, 90);
    }
    return collector.finish(new LeftOver(0));
  }

  /** Around a mean, now and then much longer. */
  private void ended(int type, long atMillis, int meanMillis) {
    long latency =
        1L + random.nextInt(2 * meanMillis) + (random.nextInt(50) == 0 ? random.nextInt(900) : 0);
    long end = startNanos + atMillis * MILLI;
    Disposition disposition =
        type == TestTypes.NEW_ORDER && random.nextInt(100) == 0
            ? Disposition.ROLLED_BACK
            : Disposition.COMMITTED;
    recorder.record(Instants.of(end - latency * MILLI, end), type, disposition, 0, 0, false);
  }
}
