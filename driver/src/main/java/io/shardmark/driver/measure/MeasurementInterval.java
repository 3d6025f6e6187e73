package io.shardmark.driver.measure;

/**
 * The window that counts (TPC-C 5.5): a transaction belongs to it if it <em>ended</em> inside.
 * Instants are of {@link System#nanoTime()}, compared so that an overflow of that clock does no
 * harm.
 *
 * @param startNanos first instant that counts
 * @param endNanos first instant that counts no more
 */
public record MeasurementInterval(long startNanos, long endNanos) {
  /** About 73 years: an end that is not known yet. */
  private static final long OPEN_NANOS = Long.MAX_VALUE / 4;

  public MeasurementInterval {
    if (endNanos - startNanos < 0) {
      throw new IllegalArgumentException(
          "interval ends %d ns before it starts".formatted(startNanos - endNanos));
    }
  }

  /** An interval that ends with the last transaction (key {@code runTxnsPerTerminal}). */
  public static MeasurementInterval openEnded(long startNanos) {
    return new MeasurementInterval(startNanos, startNanos + OPEN_NANOS);
  }

  public boolean isOpenEnded() {
    return lengthNanos() >= OPEN_NANOS;
  }

  /** True if what ended then counts. */
  public boolean contains(long nanos) {
    return nanos - startNanos >= 0 && nanos - endNanos < 0;
  }

  /**
   * This interval cut short; never longer than before. One that had not begun by then becomes empty
   * and lies at that instant, so that the run that waits for its start ends too.
   */
  public MeasurementInterval endingNoLaterThan(long nanos) {
    if (nanos - endNanos >= 0) {
      return this;
    }
    return new MeasurementInterval(nanos - startNanos < 0 ? nanos : startNanos, nanos);
  }

  public long lengthNanos() {
    return endNanos - startNanos;
  }
}
