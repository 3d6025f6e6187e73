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
   * What is no fault of the data, but not what the properties file says, in a line each.
   *
   * @param connection to the database, or to the endpoint of shards
   */
  default List<String> remarks(Connection connection) throws SQLException {
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
