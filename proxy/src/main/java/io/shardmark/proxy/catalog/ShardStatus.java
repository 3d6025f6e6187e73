package io.shardmark.proxy.catalog;

import java.time.Instant;

/**
 * What the catalog's thread last saw of a shard.
 *
 * @param detail one line: the server's version, or the error
 * @param since when it came to this state
 */
public record ShardStatus(String shard, ShardState state, String detail, Instant since) {
  /** Whether the shard answers. */
  public enum ShardState {
    /** Not tried yet. */
    UNKNOWN,
    /** Answered the last look. */
    UP,
    /** Could not be reached, or refused. */
    DOWN
  }
}
