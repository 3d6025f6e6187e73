package io.shardmark.driver.meeting;

import io.shardmark.config.ConfigException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The connection over which a driver meets the others; opened anew when it has failed. */
final class MeetingLink implements AutoCloseable {
  private final MeetingPlace place;
  private @Nullable MeetingTable table;
  private boolean closed;

  MeetingLink(MeetingPlace place) {
    this.place = place;
  }

  /**
   * The table.
   *
   * @throws SQLException if the database cannot be reached or the table not be made
   */
  synchronized MeetingTable open() throws SQLException {
    MeetingTable open = table;
    if (open == null) {
      if (closed) {
        throw new SQLException("the connection is closed");
      }
      try {
        open = MeetingTable.open(place.connections().get(), place.dialect(), place.shard());
      } catch (ConfigException e) {
        throw new SQLException(e.getMessage(), e);
      }
      table = open;
    }
    return open;
  }

  /** The connection is of no more use. */
  synchronized void failed() {
    MeetingTable open = table;
    table = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        // It had failed before.
      }
    }
  }

  /** What is done with the table. */
  interface Work {
    void on(MeetingTable table) throws SQLException;
  }

  /** Tidies up, if that can be done; rows that are left behind harm nobody. */
  void quietly(Work work) {
    try {
      work.on(open());
    } catch (SQLException e) {
      failed();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    failed();
  }
}
