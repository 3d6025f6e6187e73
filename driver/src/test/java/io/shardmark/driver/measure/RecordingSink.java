package io.shardmark.driver.measure;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Keeps everything it was told; read after the collector has finished. */
final class RecordingSink implements SampleSink {
  final List<Long> elapsedNanos = new ArrayList<>();
  final List<Long> seconds = new ArrayList<>();
  final List<List<SecondFigures>> figures = new ArrayList<>();
  final Map<Long, List<ErrorSecond>> errors = new LinkedHashMap<>();
  final List<List<Histogram>> due = new ArrayList<>();
  volatile boolean failing;

  @Override
  public void begin(Instant intervalStart) {}

  @Override
  public void sample(Sample sample, long elapsed) {
    if (failing) {
      throw new IllegalStateException("the sink failed");
    }
    elapsedNanos.add(elapsed);
  }

  @Override
  public void second(long second, List<SecondFigures> types, List<Histogram> latencies) {
    seconds.add(second);
    figures.add(types);
    due.add(latencies.stream().map(Histogram::copy).toList());
  }

  @Override
  public void errors(long second, List<ErrorSecond> raised) {
    errors.put(second, raised);
  }

  @Override
  public void flush() {}
}
