package io.shardmark.driver.measure;

import org.jspecify.annotations.Nullable;

/**
 * The measurement interval of the running benchmark, shared by workers, error log and collector. It
 * is set when the terminals start and may be cut short by an interrupt. Safe on any thread.
 */
public final class IntervalInForce {
  /** Nothing counts before {@link #begin}: connections are still being opened. */
  private volatile PhasesInForce phases = new PhasesInForce(System.nanoTime(), null);

  private record PhasesInForce(long sessionStartNanos, @Nullable MeasurementInterval interval) {}

  /**
   * The terminals start now.
   *
   * @param sessionStartNanos start of the ramp-up, or of the interval if there is none
   */
  public void begin(long sessionStartNanos, MeasurementInterval interval) {
    phases = new PhasesInForce(sessionStartNanos, interval);
  }

  /**
   * The run was interrupted: nothing that ends from this instant on counts. A session that had not
   * started by then has no ramp-up, none of negative length.
   */
  public synchronized void endNoLaterThan(long nanos) {
    PhasesInForce now = phases;
    if (now.interval != null) {
      MeasurementInterval cut = now.interval.endingNoLaterThan(nanos);
      boolean begun = cut.startNanos() - now.sessionStartNanos >= 0;
      phases = new PhasesInForce(begun ? now.sessionStartNanos : cut.startNanos(), cut);
    }
  }

  /**
   * The interval begins, and ends, by so much earlier than planned: at an instant still to come.
   *
   * @return false if it is not the planned one any more: the run was interrupted
   */
  synchronized boolean beginEarlier(MeasurementInterval planned, long nanos) {
    PhasesInForce now = phases;
    if (!planned.equals(now.interval)) {
      return false;
    }
    phases =
        new PhasesInForce(
            now.sessionStartNanos,
            new MeasurementInterval(planned.startNanos() - nanos, planned.endNanos() - nanos));
    return true;
  }

  /** True if a transaction that ended then counts. */
  public boolean contains(long nanos) {
    MeasurementInterval interval = phases.interval;
    return interval != null && interval.contains(nanos);
  }

  /** True if no new transaction may start. */
  public boolean isOver(long nowNanos) {
    MeasurementInterval interval = phases.interval;
    return interval != null && nowNanos - interval.endNanos() >= 0;
  }

  public boolean hasBegun() {
    return phases.interval != null;
  }

  /** The interval; before {@link #begin} an empty one. */
  public MeasurementInterval interval() {
    PhasesInForce now = phases;
    return now.interval != null
        ? now.interval
        : new MeasurementInterval(now.sessionStartNanos, now.sessionStartNanos);
  }

  public long sessionStartNanos() {
    return phases.sessionStartNanos;
  }
}
