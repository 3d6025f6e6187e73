package io.shardmark.proxy.dialog;

/** How far a server skips what it gets after an error, as the client sees it. */
public enum SkipReach {
  /** Nothing: what failed was a Query or a Sync, whose ReadyForQuery comes next. */
  NOTHING,
  /** To a Sync that the client has sent. */
  SYNC_SENT,
  /** To a Sync that the client has not sent yet. */
  SYNC_TO_COME
}
