package io.shardmark.proxy.deadlock;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Times of {@link System#nanoTime} as microseconds since 1970, which mean the same to other
 * processes. The two clocks are compared once: a transaction's start must not change when the clock
 * is set.
 *
 * @param ofNanoTimeZero the time at which nanoTime was or will be 0
 */
record EpochMicros(long ofNanoTimeZero) {
  private static final int READINGS = 20;

  static EpochMicros ofThisProcess() {
    return compare(System::nanoTime, Instant::now);
  }

  /**
   * Reads both some times: a thread may be held up between two readings, and what it was held up
   * for would make all its transactions that much older. The closest pair counts.
   */
  static EpochMicros compare(LongSupplier nanoTime, Supplier<Instant> now) {
    long closest = Long.MAX_VALUE;
    long zero = 0;
    for (int i = 0; i < READINGS; i++) {
      long before = nanoTime.getAsLong();
      Instant instant = now.get();
      long apart = nanoTime.getAsLong() - before;
      if (apart < closest) {
        closest = apart;
        zero =
            ChronoUnit.MICROS.between(Instant.EPOCH, instant)
                - TimeUnit.NANOSECONDS.toMicros(before + apart / 2);
      }
    }
    return new EpochMicros(zero);
  }

  long at(long nanoTime) {
    return ofNanoTimeZero + TimeUnit.NANOSECONDS.toMicros(nanoTime);
  }
}
