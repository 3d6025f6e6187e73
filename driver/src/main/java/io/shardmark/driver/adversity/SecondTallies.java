package io.shardmark.driver.adversity;

import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.Sample;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.Snapshot;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.LatencyKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps what each second of a run had, on its way to the run's files. Used by the collector's
 * thread, and by another one after that has ended.
 */
public final class SecondTallies implements SampleSink {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final SampleSink files;
  private final List<SecondTally> seconds = new ArrayList<>();

  /**
   * @param files receives all that this one does
   */
  public SecondTallies(SampleSink files) {
    this.files = files;
  }

  @Override
  public void begin(Instant intervalStart) {
    files.begin(intervalStart);
  }

  @Override
  public void sample(Sample sample, long elapsedNanos) {
    files.sample(sample, elapsedNanos);
  }

  @Override
  public void second(long second, Snapshot done) {
    files.second(second, done);
    SecondTally tally = new SecondTally();
    for (TypeStatistics type : done.types()) {
      if (type.type().counted()) {
        for (Disposition disposition : Disposition.values()) {
          tally.add(disposition, type.count(disposition));
        }
        tally.add(type.latencies(LatencyKind.DUE));
      }
    }
    seconds.add(tally);
  }

  @Override
  public void errors(long second, List<ErrorResult> errors) {
    files.errors(second, errors);
  }

  @Override
  public void flush() {
    files.flush();
  }

  /** The whole seconds of an interval of this length. */
  RunSeconds of(long intervalNanos) {
    int whole = (int) (intervalNanos / NANOS_PER_SECOND);
    while (seconds.size() < whole) {
      seconds.add(new SecondTally());
    }
    return new RunSeconds(seconds.subList(0, whole));
  }
}
