package io.shardmark.driver.replication;

import java.util.Locale;

/** What a COMMIT waits for, beside the primary's own disk. */
enum StandbyCommit {
  /** Nothing. */
  ASYNC("local"),
  /** The standby has written the log to its operating system. */
  REMOTE_WRITE("remote_write"),
  /** The log is on the standby's disk. */
  ON("on"),
  /** The standby shows the change. */
  REMOTE_APPLY("remote_apply");

  /** PG18 runtime-config-wal, synchronous_commit. */
  private final String setting;

  StandbyCommit(String setting) {
    this.setting = setting;
  }

  String setSession() {
    return "SET synchronous_commit = " + setting;
  }

  boolean waits() {
    return this != ASYNC;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
