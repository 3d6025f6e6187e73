package io.shardmark.loader;

import io.shardmark.loader.data.LoadUnit;
import java.io.IOException;
import java.sql.SQLException;

/** One worker's way to load units, whole or not at all. Used by one thread. */
interface UnitSession extends AutoCloseable {
  /**
   * Loads a unit.
   *
   * @return its number of rows
   */
  long load(LoadUnit unit) throws SQLException;

  @Override
  void close() throws SQLException;

  /** Opens sessions, one for each worker, on the worker's thread. */
  @FunctionalInterface
  interface Factory {
    UnitSession open() throws SQLException, IOException;
  }
}
