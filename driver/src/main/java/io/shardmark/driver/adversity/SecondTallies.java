package io.shardmark.driver.adversity;

import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.Sample;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.Snapshot;
import io.shardmark.driver.results.ErrorResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the transactions of a run by second on their way to its files. Used by the collector's
 * thread, and by another one after that has ended.
 */
public final class SecondTallies implements SampleSink {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final SampleSink files;
  private final List<TransactionType> types;
  private final List<SecondTally> seconds = new ArrayList<>();

  /**
   * @param files receives all that this one does
   */
  public SecondTallies(SampleSink files, List<TransactionType> types) {
    this.files = files;
    this.types = List.copyOf(types);
  }

  @Override
  public void begin(Instant intervalStart) {
    files.begin(intervalStart);
  }

  @Override
  public void sample(Sample sample, long elapsedNanos) {
    files.sample(sample, elapsedNanos);
    if (types.get(sample.typeIndex()).counted()) {
      int second = (int) (elapsedNanos / NANOS_PER_SECOND);
      while (seconds.size() <= second) {
        seconds.add(new SecondTally());
      }
      seconds.get(second).add(sample.disposition(), sample.dueLatencyNanos());
    }
  }

  @Override
  public void second(long second, Snapshot done) {
    files.second(second, done);
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
