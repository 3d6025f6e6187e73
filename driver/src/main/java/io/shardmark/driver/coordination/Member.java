package io.shardmark.driver.coordination;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One driver as the coordinator sees it. Its fields are guarded by the coordinator's lock; sending
 * is not.
 */
final class Member {
  private final DriverIdentity identity;
  private final Link link;
  private ClockOffset clock = new ClockOffset();
  private ClockOffset clockBefore = clock;
  private @Nullable ClockOffset clockAtStart;
  private boolean ready;
  private boolean done;
  private @Nullable Path files;
  private @Nullable String lost;
  private boolean gone;
  private long lastProgressNanos = System.nanoTime();

  Member(DriverIdentity identity, Link link) {
    this.identity = identity;
    this.link = link;
  }

  DriverIdentity identity() {
    return identity;
  }

  int index() {
    return identity.index();
  }

  /** {@code driver 2 (10.0.0.7:41234)}. */
  String name() {
    return "driver %d (%s)".formatted(index(), link.peer());
  }

  /** Sends if it is still there; whoever reads from it will notice if it is not. */
  void send(Message message) {
    try {
      link.send(message);
    } catch (IOException e) {
      link.close();
    }
  }

  void disconnect() {
    link.close();
  }

  void pong(Message.Pong pong, long receivedNanos) {
    clock.add(pong.sentNanos(), pong.memberNanos(), receivedNanos);
  }

  boolean isClockKnown() {
    return clock.isKnown();
  }

  /** From now on the clock is measured anew; what was measured before is kept beside it. */
  void renewClock() {
    clockBefore = clock;
    clock = new ClockOffset();
  }

  /**
   * Keeps what is known of its clock now: start and end of the interval are both told by it, so
   * that the interval has the same length for all.
   */
  ClockOffset fixClock() {
    ClockOffset fixed = clock;
    clockAtStart = fixed;
    renewClock();
    return fixed;
  }

  @Nullable ClockOffset clockAtStart() {
    return clockAtStart;
  }

  /** How far its clock has gone away from ours since the start, as the last pings say. */
  OptionalLong driftNanos() {
    ClockOffset start = clockAtStart;
    ClockOffset last =
        clockBefore != start
                && clockBefore.isKnown()
                && (!clock.isKnown() || clockBefore.uncertaintyNanos() < clock.uncertaintyNanos())
            ? clockBefore
            : clock;
    return start == null || !last.isKnown()
        ? OptionalLong.empty()
        : OptionalLong.of(last.offsetNanos() - start.offsetNanos());
  }

  boolean isReady() {
    return ready;
  }

  void markReady() {
    ready = true;
  }

  boolean isDone() {
    return done;
  }

  /**
   * @param directory of its files; null if it keeps them itself
   */
  void markDone(@Nullable Path directory) {
    done = true;
    files = directory;
  }

  @Nullable Path files() {
    return files;
  }

  @Nullable String lost() {
    return lost;
  }

  void markLost(String reason) {
    if (lost == null) {
      lost = reason;
    }
  }

  /** The connection has ended, whether that was right or not. */
  void markGone() {
    gone = true;
  }

  boolean isGone() {
    return gone;
  }

  boolean isHere() {
    return lost == null;
  }

  long lastProgressNanos() {
    return lastProgressNanos;
  }

  void markProgress() {
    lastProgressNanos = System.nanoTime();
  }
}
