package io.shardmark.driver.meeting;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What one driver says of itself, a row of the table {@code shardmark_driver}. Only the driver
 * whose it is writes it.
 *
 * @param group the run's identifier
 * @param index of the driver
 * @param drivers how many the run has
 * @param state how far it is
 * @param beat grows while the driver lives
 * @param about {@link DriverIdentity} as JSON; for driver 0 with its {@link GroupTerms}
 * @param note why it refuses, why all end, or where its result is
 * @param startMicros by driver 0, when it has started the run: when that is, by the database's
 *     clock
 * @param endMicros when all end, if this driver is to end
 */
record MeetingRow(
    String group,
    int index,
    int drivers,
    State state,
    long beat,
    String about,
    String note,
    OptionalLong startMicros,
    OptionalLong endMicros) {

  /** How far a driver is. The order is that in which it happens. */
  enum State {
    /** Has come; of driver 0: waits for the others to come. */
    JOINED,
    /** Only of driver 0: all have come and fit together. */
    COMPLETE,
    /** Has its connections and files. */
    READY,
    /** Only of driver 0: the start is set. */
    STARTED,
    /** Its result is written. */
    DONE,
    /** Has left after the start, without a result. */
    LEFT,
    /** Cannot take part; of driver 0: there will be no run. */
    REFUSED;

    boolean isAtLeast(State other) {
      return compareTo(other) >= 0;
    }
  }

  /** True if nothing has been heard since this beat, or it is the first that is heard. */
  boolean equalsBeat(@Nullable Long heard) {
    return heard == null || heard == beat;
  }

  MeetingRow beating() {
    return new MeetingRow(
        group, index, drivers, state, beat + 1, about, note, startMicros, endMicros);
  }

  MeetingRow with(State newState, String newNote) {
    return new MeetingRow(
        group, index, drivers, newState, beat, about, newNote, startMicros, endMicros);
  }

  MeetingRow started(long micros) {
    return new MeetingRow(
        group,
        index,
        drivers,
        State.STARTED,
        beat,
        about,
        note,
        OptionalLong.of(micros),
        endMicros);
  }

  MeetingRow ending(long micros, String reason) {
    return new MeetingRow(
        group, index, drivers, state, beat, about, reason, startMicros, OptionalLong.of(micros));
  }

  /** The driver's name for users. */
  String name() {
    return Introduction.of(this).identity().name();
  }
}
