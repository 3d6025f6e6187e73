package io.shardmark.driver.measure;

import java.util.concurrent.TimeUnit;

/**
 * Up to which instant all records have come in. A worker records a transaction right after its end,
 * but may be held up in between; where the collector itself was held up, so were they. Pure: time
 * comes in by the instants at which the rings began to be read. Used by one thread.
 */
final class Arrivals {
  static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A collector that runs comes round in a tenth of that. */
  static final long HELD_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private long last;
  private long settledFrom;
  private long complete;

  /**
   * @param startNanos nothing was recorded before
   */
  Arrivals(long startNanos) {
    last = startNanos;
    settledFrom = startNanos - GRACE_NANOS;
    complete = startNanos - GRACE_NANOS;
  }

  /**
   * The instant before which every transaction has been recorded and read.
   *
   * @param beganNanos when the last reading of all rings began: what was recorded after that may
   *     not be in, however old it is when somebody looks at the clock again
   */
  long completeBefore(long beganNanos) {
    if (beganNanos - last > HELD_UP_NANOS) {
      settledFrom = beganNanos;
    }
    last = beganNanos;
    if (beganNanos - settledFrom >= GRACE_NANOS) {
      complete = beganNanos - GRACE_NANOS;
    }
    return complete;
  }
}
