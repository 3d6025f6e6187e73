package io.shardmark.driver.replication;

import java.util.Locale;

/** What a COMMIT waits for besides the primary's own disk. */
enum StandbyCommit {
  /** Nothing. */
  ASYNC,
  /** The standby has written the log to its operating system. */
  REMOTE_WRITE,
  /** The log is on the standby's disk. */
  ON,
  /** The standby shows the change. */
  REMOTE_APPLY;

  /** PG18 runtime-config-wal, synchronous_commit. */
  String setSession() {
    return "SET synchronous_commit = " + (waits() ? this : "local");
  }

  boolean waits() {
    return this != ASYNC;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
