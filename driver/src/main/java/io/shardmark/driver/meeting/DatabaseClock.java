package io.shardmark.driver.meeting;

import java.sql.SQLException;

/**
 * How this process's {@link System#nanoTime()} and the database's clock go together.
 *
 * @param offsetNanos what to add to the database's time to get this process's
 * @param uncertaintyNanos how wrong the offset is, at most: half of the time that asking took
 */
record DatabaseClock(long offsetNanos, long uncertaintyNanos) {
  private static final int ROUNDS = 25;
  private static final long NANOS_PER_MICRO = 1000;

  /** Asks several times and believes the quickest answer. */
  static DatabaseClock measure(MeetingTable table) throws SQLException {
    DatabaseClock best = new DatabaseClock(0, Long.MAX_VALUE);
    for (int round = 0; round < ROUNDS; round++) {
      long asked = System.nanoTime();
      long micros = table.micros();
      DatabaseClock seen = of(asked, micros, System.nanoTime());
      if (seen.uncertaintyNanos() < best.uncertaintyNanos()) {
        best = seen;
      }
    }
    return best;
  }

  static DatabaseClock of(long askedNanos, long micros, long answeredNanos) {
    long half = (answeredNanos - askedNanos) / 2;
    return new DatabaseClock(askedNanos + half - micros * NANOS_PER_MICRO, half + NANOS_PER_MICRO);
  }

  long toNanos(long micros) {
    return micros * NANOS_PER_MICRO + offsetNanos;
  }

  long toMicros(long nanos) {
    return (nanos - offsetNanos) / NANOS_PER_MICRO;
  }
}
