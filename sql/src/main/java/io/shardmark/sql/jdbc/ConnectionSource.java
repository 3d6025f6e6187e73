package io.shardmark.sql.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a new connection, which who asks for it closes. */
@FunctionalInterface
public interface ConnectionSource {
  /**
   * @throws SQLException if the database cannot be reached
   * @throws io.shardmark.config.ConfigException the same
   */
  Connection open() throws SQLException;
}
