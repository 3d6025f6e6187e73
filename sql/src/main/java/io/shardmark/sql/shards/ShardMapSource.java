package io.shardmark.sql.shards;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** One way in which an endpoint says where its rows are. */
@FunctionalInterface
interface ShardMapSource {
  /** One server, or what does not say that it is several. */
  ShardMapSource ONE_SERVER = connection -> Optional.empty();

  /**
   * Asks. In a transaction that is open the question may end it: it is rolled back then.
   *
   * @param connection borrowed
   * @return empty if the endpoint does not answer in this way
   * @throws SQLException if the connection is of no use
   */
  Optional<ShardMap> read(Connection connection) throws SQLException;
}
