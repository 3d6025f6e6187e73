package io.shardmark.proxy.recovery;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a shard holds prepared of a transaction of a proxy's, whether anybody is at it or not.
 *
 * @param shard name of the shard
 * @param name as in pg_prepared_xacts
 * @param age since it was prepared, by the shard's clock
 */
public record PreparedPart(String shard, String name, Duration age) {
  private static final Duration LOCK_LIMIT = Duration.ofSeconds(5);

  /** All of a shard; empty if it cannot be asked. Blocks. */
  public static Optional<List<PreparedPart>> of(ShardAccess shard) {
    try (ShardSession session = ShardSession.open(shard, LOCK_LIMIT)) {
      return Optional.of(
          session.prepared().stream()
              .map(one -> new PreparedPart(shard.name(), one.name(), one.age()))
              .toList());
    } catch (SQLException e) {
      return Optional.empty();
    }
  }
}
