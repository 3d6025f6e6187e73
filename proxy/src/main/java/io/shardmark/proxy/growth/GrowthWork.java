package io.shardmark.proxy.growth;

import java.sql.SQLException;
import java.time.Duration;

/** What a proxy does for the growth of a cluster, step by step. Belongs to one thread; blocks. */
interface GrowthWork extends AutoCloseable {
  /**
   * Does the next step.
   *
   * @return the pause before the one after it
   * @throws SQLException if the connection is lost by which this proxy has taken the work
   */
  Duration advance() throws SQLException, InterruptedException;

  boolean isOver();

  /** Whether others are to be done first. */
  default boolean isPutOff() {
    return false;
  }

  /** Of a move its number. */
  default int id() {
    return MoveSql.OF_ADDITION;
  }

  @Override
  void close();
}
