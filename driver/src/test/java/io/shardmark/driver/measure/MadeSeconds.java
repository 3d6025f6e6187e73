package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.TransactionType;
import java.util.List;

/** Makes seconds of a run for tests. */
public final class MadeSeconds {
  private MadeSeconds() {}

  /**
   * A hundred successes of the first type, of 2 ms each, of which one was rolled back on purpose; a
   * quarter is of the second partition and touches others.
   */
  public static Snapshot ofHundred(List<TransactionType> types) {
    Snapshot second = new Snapshot(types, 2);
    for (int i = 0; i < 100; i++) {
      Sample sample = new Sample();
      boolean distributed = i % 4 == 0;
      sample.set(
          0,
          1_000_000,
          1_000_000,
          2_000_000,
          Sample.pack(
              0,
              i == 0 ? Disposition.ROLLED_BACK : Disposition.COMMITTED,
              0,
              0,
              distributed,
              distributed ? 1 : 0));
      second.add(sample);
    }
    return second;
  }
}
