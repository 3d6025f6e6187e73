package io.shardmark.loader;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to the database that is loaded. Called from several threads. */
@FunctionalInterface
public interface ConnectionSource {
  /** A new connection, which the caller closes. */
  Connection open() throws SQLException;
}
