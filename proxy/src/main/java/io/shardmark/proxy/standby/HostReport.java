package io.shardmark.proxy.standby;

import io.shardmark.proxy.shards.ShardHosts.HostPlace;
import java.util.Optional;

/** What a host said when it was asked. */
public sealed interface HostReport {
  /**
   * It could not be asked.
   *
   * @param why one line
   */
  record Silent(String why) implements HostReport {}

  /**
   * It answered.
   *
   * @param system identifier of its cluster of databases, which a primary and its standbys share
   * @param timeline that it writes or follows; each promotion begins a higher one
   * @param position in the write-ahead log: written by a primary, replayed by a standby
   * @param shard what its database calls itself, if it does
   * @param place where it answered
   */
  record HostAnswer(
      ServerRole role,
      long system,
      int timeline,
      long position,
      Optional<String> shard,
      HostPlace place)
      implements HostReport {}

  /** What a server does. */
  enum ServerRole {
    /** It takes writes. */
    PRIMARY,
    /** It replays what a primary wrote. */
    STANDBY
  }
}
