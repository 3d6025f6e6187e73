package io.shardmark.driver.terminal;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.SampleRecorder;
import io.shardmark.driver.measure.TransactionTimes;
import java.util.ArrayList;
import java.util.List;

/** Keeps what workers record, in order. Safe for use by many threads. */
final class KeptSamples implements SampleRecorder {
  record Kept(int type, Disposition disposition, int retries, int skipped) {}

  /** When a sample was due and when it ended. */
  record Span(long dueNanos, long endNanos) {}

  private int lastHomePartition = -1;

  record KeptError(Disposition disposition, String sqlState, String message, boolean retried) {}

  private final List<Kept> samples = new ArrayList<>();
  private final List<Span> spans = new ArrayList<>();
  private final List<KeptError> errors = new ArrayList<>();

  @Override
  public synchronized void record(
      TransactionTimes times,
      int typeIndex,
      Disposition disposition,
      int retries,
      int skipped,
      boolean distributed) {
    lastHomePartition = times.homePartition;
    samples.add(new Kept(typeIndex, disposition, retries, skipped));
    spans.add(new Span(times.dueNanos, times.endNanos));
  }

  @Override
  public synchronized void error(
      String type, Disposition disposition, String sqlState, String message, boolean retried) {
    errors.add(new KeptError(disposition, sqlState, message, retried));
  }

  synchronized int lastHomePartition() {
    return lastHomePartition;
  }

  synchronized List<Kept> samples() {
    return List.copyOf(samples);
  }

  synchronized List<Span> spans() {
    return List.copyOf(spans);
  }

  synchronized List<KeptError> errors() {
    return List.copyOf(errors);
  }

  synchronized long count(int type) {
    return samples.stream().filter(sample -> sample.type() == type).count();
  }
}
