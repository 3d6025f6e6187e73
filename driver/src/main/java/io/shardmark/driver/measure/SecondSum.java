package io.shardmark.driver.measure;

import org.HdrHistogram.Histogram;

/** What one type did in one second, added up. Used by one thread. */
public final class SecondSum {
  private final LatencyHistogram due = new LatencyHistogram();
  private long count;
  private long committed;
  private long rolledBack;
  private long errors;
  private long retries;

  void add(Sample sample) {
    count++;
    retries += sample.retries();
    Disposition disposition = sample.disposition();
    if (disposition.isError()) {
      errors++;
      return;
    }
    if (disposition == Disposition.COMMITTED) {
      committed++;
    } else {
      rolledBack++;
    }
    due.record(sample.dueLatencyNanos());
  }

  /**
   * What another driver did of the same type in the same second.
   *
   * @param figures but for their percentiles
   * @param latencies what these come from; those of some may be missing
   */
  public void add(SecondFigures figures, Histogram latencies) {
    count += figures.count();
    committed += figures.committed();
    rolledBack += figures.rolledBack();
    errors += figures.errors();
    retries += figures.retries();
    if (figures.successes() > 0) {
      due.add(latencies, figures.sumNanos(), figures.minNanos(), figures.maxNanos());
    }
  }

  public SecondFigures figures() {
    return new SecondFigures(
        count,
        committed,
        rolledBack,
        errors,
        retries,
        due.sumNanos(),
        due.minNanos(),
        due.maxNanos(),
        due.percentileNanos(50),
        due.percentileNanos(95),
        due.percentileNanos(99));
  }

  /** Latencies of the successes, for reading. */
  public LatencyHistogram due() {
    return due;
  }

  public void reset() {
    due.reset();
    count = 0;
    committed = 0;
    rolledBack = 0;
    errors = 0;
    retries = 0;
  }
}
