package io.shardmark.driver.measure;

/** Makes the four instants of a transaction for tests. */
public final class Instants {
  private Instants() {}

  /** Due, taken up and started at the same instant. */
  public static TransactionTimes of(long startNanos, long endNanos) {
    return of(startNanos, startNanos, startNanos, endNanos);
  }

  public static TransactionTimes of(long due, long dequeued, long start, long end) {
    TransactionTimes times = new TransactionTimes();
    times.dueNanos = due;
    times.dequeuedNanos = dequeued;
    times.startNanos = start;
    times.endNanos = end;
    return times;
  }
}
