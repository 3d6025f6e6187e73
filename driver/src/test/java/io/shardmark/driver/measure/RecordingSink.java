package io.shardmark.driver.measure;

import io.shardmark.driver.results.ErrorResult;
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
  public void second(long second, List<SecondSum> types) {
    seconds.add(second);
    figures.add(types.stream().map(SecondSum::figures).toList());
    latencies.add(types.stream().map(type -> type.due().count()).toList());
  }

  @Override
  public void errors(long second, List<ErrorResult> raised) {
    errors.put(second, raised);
  }

  @Override
  public void flush() {}
}
