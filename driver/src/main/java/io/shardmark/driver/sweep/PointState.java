package io.shardmark.driver.sweep;

/** How far a point of a sweep is. */
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
