package io.shardmark.proxy.pool;

/** Which transactions a pool lets begin. */
enum PoolPhase {
  /** All. */
  OPEN,
  /** None; those that have begun get the connections that they still need. */
  PAUSED,
  /** None, and there are no connections any more. */
  CLOSED;

  PoolPhase paused() {
    return this == CLOSED ? CLOSED : PAUSED;
  }

  PoolPhase resumed() {
    return this == CLOSED ? CLOSED : OPEN;
  }
}
