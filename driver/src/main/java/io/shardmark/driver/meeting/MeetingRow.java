package io.shardmark.driver.meeting;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * What one driver says of itself, a row of the table {@link MeetingTable#NAME}. Only the driver
 * whose it is writes it.
 */
record MeetingRow(String group, int index, About about, Status status) {
  /**
   * How a driver introduces itself.
   *
   * @param drivers how many the run has
   * @param terms only of driver 0
   */
  record About(int drivers, DriverIdentity identity, @Nullable GroupTerms terms) {
    About {
      requireNonNull(identity, "no identity");
    }
  }

  /**
   * What changes.
   *
   * @param beat grows while the driver lives
   * @param note why it refuses, why all end, or where its result is
   * @param startMicros by driver 0, when it has started the run: when that is, by the database's
   *     clock
   * @param endMicros when all end, if this driver is to end
   */
  record Status(
      MeetingState state,
      long beat,
      String note,
      @Nullable Long startMicros,
      @Nullable Long endMicros) {
    /** What the column takes. */
    private static final int MOST_NOTE = 1000;

    Status {
      requireNonNull(state, "no state");
      note = note.substring(0, Math.min(MOST_NOTE, note.length()));
    }
  }

  /** How far a driver is. The order is that in which it happens. */
  enum MeetingState {
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

    boolean isAtLeast(MeetingState other) {
      return compareTo(other) >= 0;
    }
  }

  /** Of a driver that has just come. */
  static MeetingRow joined(String group, About about) {
    return new MeetingRow(
        group, about.identity().index(), about, new Status(MeetingState.JOINED, 1, "", null, null));
  }

  MeetingState state() {
    return status.state();
  }

  private MeetingRow with(Status next) {
    return new MeetingRow(group, index, about, next);
  }

  MeetingRow beating() {
    return with(
        new Status(state(), status.beat + 1, status.note, status.startMicros, status.endMicros));
  }

  MeetingRow with(MeetingState state, String note) {
    return with(new Status(state, status.beat, note, status.startMicros, status.endMicros));
  }

  MeetingRow started(long micros) {
    return with(
        new Status(MeetingState.STARTED, status.beat, status.note, micros, status.endMicros));
  }

  MeetingRow ending(long micros, String reason) {
    return with(new Status(state(), status.beat, reason, status.startMicros, micros));
  }

  /** The driver's name for users. */
  String name() {
    return about.identity().name();
  }
}
