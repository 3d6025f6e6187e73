package io.shardmark.proxy.dialog;

/** Where the last message that was sent to a server is between two Syncs. */
enum Position {
  /** A Sync or Query was sent last, or nothing yet. */
  SYNCED,
  /** A message of the extended protocol was sent after it. */
  UNSYNCED,
  /** The server has failed such a message and skips all it gets until a Sync. */
  SKIPPING
}
