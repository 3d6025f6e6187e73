package io.shardmark.driver.verify;

import io.shardmark.config.DatabaseKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** What must hold of a benchmark's data. Immutable, safe on any thread. */
public interface Conditions {
  /** A table that every load fills: without it there is nothing to verify. */
  String table();

  /**
   * All conditions, in the order in which they are shown.
   *
   * @param kind decides the variant of statements that are not portable
   */
  List<Condition> all(DatabaseKind kind);

  /**
   * Over shards: conditions that each shard is asked in place of one of {@link #all} whose reach is
   * the database; the two have the same clause and sentence.
   */
  default List<Condition> ofEachShard() {
    return List.of();
  }

  /**
   * Over shards: conditions that are put together from each shard's sums in place of one of {@link
   * #all} whose reach is the database; the two have the same clause and sentence.
   *
   * @param shards how many there are
   */
  default List<CrossShardCondition> overShards(int shards) {
    return List.of();
  }

  /**
   * Finds out whether transactions have changed the data. Asked if a condition only holds after a
   * load; each shard for itself.
   */
  default LoadState loadState(Connection connection) throws SQLException {
    return LoadState.AS_LOADED;
  }
}
