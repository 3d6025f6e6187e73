package io.shardmark.driver.coordination;

/**
 * How far another process' monotonic clock is ahead of ours, measured by round trips. The other
 * clock was read somewhere between our sending and our receiving, so that the shortest round trip
 * knows best, and is wrong by half of its length at most. Not safe for several threads.
 */
final class ClockOffset {
  private long offsetNanos;
  private long roundTripNanos = Long.MAX_VALUE;

  /**
   * Takes one round trip.
   *
   * @param sentNanos our clock when the question left
   * @param otherNanos the other clock
   * @param receivedNanos our clock when the answer was in
   */
  void add(long sentNanos, long otherNanos, long receivedNanos) {
    long roundTrip = receivedNanos - sentNanos;
    if (roundTrip >= 0 && roundTrip < roundTripNanos) {
      roundTripNanos = roundTrip;
      offsetNanos = otherNanos - (sentNanos + roundTrip / 2);
    }
  }

  boolean isKnown() {
    return roundTripNanos != Long.MAX_VALUE;
  }

  /** The other clock at an instant of ours. */
  long toOther(long ourNanos) {
    return ourNanos + offsetNanos;
  }

  long offsetNanos() {
    return offsetNanos;
  }

  /** Half of the shortest round trip, rounded up. */
  long uncertaintyNanos() {
    return (roundTripNanos + 1) / 2;
  }
}
