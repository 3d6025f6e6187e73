package io.shardmark.driver.replication;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How far a standby lags: in bytes of the log, and in the time until it had applied what the
 * primary had written at a moment. The end of the primary's log is noted now and then, and the
 * standby is asked for each note until it has applied that. Pure.
 */
final class LagTracker {
  private static final long NOTE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LEAST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** The next question comes when this part of the time waited so far has passed once more. */
  private static final int REST_PART = 4;

  private final Deque<LagNote> notApplied = new ArrayDeque<>();
  private @Nullable LagNote newest;
  private long applied = -1;
  private long bytes;
  private long lastNanos;
  private double sumNanos;
  private double weights;
  private long maxNanos;
  private long maxBytes;

  /**
   * The primary's log ended there.
   *
   * @param weight the time since the note before, for means over time
   */
  private record LagNote(long nanos, long position, long weight) {}

  boolean isNoteDue(long nanos) {
    LagNote before = newest;
    return before == null || nanos - before.nanos() >= NOTE_NANOS;
  }

  /**
   * @param position the end of the primary's log
   */
  void written(long nanos, long position) {
    LagNote before = newest;
    LagNote note =
        new LagNote(nanos, position, before == null ? NOTE_NANOS : nanos - before.nanos());
    newest = note;
    notApplied.add(note);
    if (applied >= 0) {
      bytes = Math.max(0, position - applied);
      maxBytes = Math.max(maxBytes, bytes);
    }
  }

  /**
   * @param position the end of what the standby has applied of that log
   */
  void applied(long nanos, long position) {
    applied = position;
    while (!notApplied.isEmpty() && notApplied.element().position() <= position) {
      take(notApplied.remove(), nanos);
    }
  }

  /** The last observation: what is not applied yet lags at least until now. */
  void end(long nanos) {
    while (!notApplied.isEmpty()) {
      take(notApplied.remove(), nanos);
    }
  }

  private void take(LagNote note, long nanos) {
    lastNanos = nanos - note.nanos();
    sumNanos += (double) lastNanos * note.weight();
    weights += note.weight();
    maxNanos = Math.max(maxNanos, lastNanos);
  }

  /** How long to wait with the next question: short after a note, longer the older it is. */
  long restNanos(long nanos) {
    LagNote before = newest;
    if (before == null) {
      return 0;
    }
    long toNote = Math.max(0, before.nanos() + NOTE_NANOS - nanos);
    return notApplied.isEmpty()
        ? toNote
        : Math.min(
            toNote, Math.max(LEAST_REST_NANOS, (nanos - notApplied.element().nanos()) / REST_PART));
  }

  /** The lag, by what was seen last. */
  long behindNanos(long nanos) {
    return notApplied.isEmpty()
        ? lastNanos
        : Math.max(lastNanos, nanos - notApplied.element().nanos());
  }

  /** At the last note. */
  long behindBytes() {
    return bytes;
  }

  boolean isWaiting() {
    return !notApplied.isEmpty();
  }

  /** Mean and greatest count from here, and what was noted before does not. */
  void restart() {
    notApplied.clear();
    sumNanos = 0;
    weights = 0;
    maxNanos = 0;
    maxBytes = 0;
  }

  boolean hasLooked() {
    return weights > 0;
  }

  double meanMillis() {
    return weights == 0 ? 0 : sumNanos / weights / 1e6;
  }

  double maxMillis() {
    return maxNanos / 1e6;
  }

  long maxBytes() {
    return maxBytes;
  }
}
