package io.shardmark.driver.sweep;

import org.jspecify.annotations.Nullable;

/**
 * What the plan says about one point.
 *
 * @param attempts how often it was begun
 * @param outcome of the last attempt that ended; null without one
 * @param child the process of an attempt under way, so that a sweep that is resumed can wait for
 *     its end; null without one
 */
record PointRecord(
    Point point,
    String directory,
    PointState state,
    int attempts,
    @Nullable PointOutcome outcome,
    @Nullable ChildIdentity child) {

  /** How far a point is. */
  enum PointState {
    /** Not begun. */
    PENDING,
    /** Begun; if no sweep is at work, it was broken off and will be run again. */
    RUNNING,
    /** Run and verified. */
    DONE,
    /** The run failed, or left wrong data; a sweep that is resumed runs it again. */
    FAILED
  }

  /** Of the last attempt; null if it left none. */
  @Nullable PointFigures figures() {
    return outcome == null ? null : outcome.figures();
  }

  /** Why the last attempt failed; empty if it did not. */
  String why() {
    return outcome == null ? "" : outcome.why();
  }

  /** Whether the check after the last attempt found something. */
  boolean isDataWrong() {
    return outcome != null && outcome.verifyStatus() != null && outcome.verifyStatus() != 0;
  }

  static PointRecord pending(Point point) {
    return new PointRecord(point, point.directory(), PointState.PENDING, 0, null, null);
  }

  PointRecord begun() {
    return new PointRecord(point, directory, PointState.RUNNING, attempts + 1, null, null);
  }

  PointRecord with(ChildIdentity process) {
    return new PointRecord(point, directory, state, attempts, outcome, process);
  }

  PointRecord ended(PointOutcome how) {
    PointState end = how.why().isEmpty() ? PointState.DONE : PointState.FAILED;
    return new PointRecord(point, directory, end, attempts, how, null);
  }

  PointRecord again() {
    return new PointRecord(point, directory, PointState.PENDING, attempts, outcome, null);
  }

  /**
   * How an attempt ended.
   *
   * @param runStatus exit status of the run; null if it was not begun
   * @param verifyStatus exit status of the check; null if there was none
   * @param began ISO 8601 with offset
   * @param figures null if the run left none
   */
  record PointOutcome(
      @Nullable Integer runStatus,
      @Nullable Integer verifyStatus,
      String began,
      String ended,
      String why,
      @Nullable PointFigures figures) {}

  /**
   * A process, distinguished from a later one with the same number.
   *
   * @param started when, ISO 8601; empty if the system does not say
   */
  record ChildIdentity(long pid, String started) {}
}
