package io.shardmark.driver.measure;

import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.LatencyKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keeps everything it was told; read after the collector has finished. */
final class RecordingSink implements SampleSink {
  final List<Long> elapsedNanos = new ArrayList<>();
  final List<Long> seconds = new ArrayList<>();
  final List<List<SecondFigures>> figures = new ArrayList<>();
  final Map<Long, List<ErrorResult>> errors = new LinkedHashMap<>();
  final List<List<Long>> latencies = new ArrayList<>();
  volatile boolean failing;

  /** Runs on the collector's thread. */
  volatile Runnable beforeSample = () -> {};

  @Override
  public void begin(Instant intervalStart) {}

  @Override
  public void sample(Sample sample, long elapsed) {
    beforeSample.run();
    if (failing) {
      throw new IllegalStateException("the sink failed");
    }
    elapsedNanos.add(elapsed);
  }

  @Override
  public void second(long second, Snapshot done) {
    seconds.add(second);
    figures.add(done.types().stream().map(TypeStatistics::second).toList());
    latencies.add(
        done.types().stream().map(type -> type.latencies(LatencyKind.DUE).count()).toList());
  }

  @Override
  public void errors(long second, List<ErrorResult> raised) {
    errors.put(second, raised);
  }

  @Override
  public void flush() {}
}
