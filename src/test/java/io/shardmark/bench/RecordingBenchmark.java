package io.shardmark.bench;

import io.shardmark.config.ResultRows;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.LeftOver;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.measure.SampleRecorder;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.TransactionTimes;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.recorder.ResultFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one finished transaction costs the measurement. One worker records as fast as it can, so the
 * rate is that of the slower side, the collector: it takes samples from the ring, sums up
 * histograms and counts, and (with {@code files}) writes result rows. Instants are made up: 100,000
 * transactions in each second.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class RecordingBenchmark {
  private static final int TYPES = 6;
  private static final long NANOS_PER_SAMPLE = 10_000;

  @Param({"none", "files"})
  public String sink = "none";

  private final TransactionTimes times = new TransactionTimes();
  private @Nullable Path directory;
  private @Nullable ResultFiles files;
  private @Nullable Collector collector;
  private @Nullable SampleRecorder recorder;
  private long random = 88172645463325252L;

  /** Starts a collector and, if asked for, opens its files. */
  @Setup
  public void start() throws IOException {
    List<TransactionType> types =
        IntStream.range(0, TYPES)
            .mapToObj(
                i ->
                    new TransactionType(
                        i,
                        "TYPE_" + i,
                        i == 0,
                        true,
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ofSeconds(5),
                        1))
            .toList();
    IntervalInForce interval = new IntervalInForce();
    Collector started =
        new Collector(
            types,
            interval,
            new ErrorLog(interval, notice -> {}),
            sink(types),
            1,
            new RunFaults(() -> {}, line -> {}, line -> {}));
    recorder = started.newRecorder();
    long now = System.nanoTime();
    times.endNanos = now;
    interval.begin(now, MeasurementInterval.openEnded(now));
    started.start();
    collector = started;
  }

  private SampleSink sink(List<TransactionType> types) throws IOException {
    if (sink.equals("none")) {
      return SampleSink.NONE;
    }
    Path made = Files.createTempDirectory("recording");
    directory = made;
    ResultFiles opened =
        ResultFiles.open(
            ResultDirectory.create(made + "/r", ZonedDateTime.now(ZoneOffset.UTC)),
            new ResultFiles.FileLayout(1, types, ResultRows.ALL, 1),
            line -> {
              throw new IllegalStateException(line);
            });
    files = opened;
    return opened;
  }

  /** One finished transaction of a random type and a latency of up to 16 ms. */
  @Benchmark
  public void recordAndCollect() {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    times.endNanos += NANOS_PER_SAMPLE;
    times.startNanos = times.endNanos - (random & 0xFFFFFF);
    times.dequeuedNanos = times.startNanos - (random >>> 50);
    times.dueNanos = times.dequeuedNanos;
    if (recorder != null) {
      int type = (int) Long.remainderUnsigned(random, TYPES);
      recorder.record(times, type, Disposition.COMMITTED, 0, 0, (random & 15) == 0);
    }
  }

  /** Ends the collector and deletes its files. */
  @TearDown
  public void finish() throws IOException {
    if (collector != null) {
      collector.finish(new LeftOver(0));
    }
    if (files != null) {
      files.close();
    }
    if (directory != null) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }
}
