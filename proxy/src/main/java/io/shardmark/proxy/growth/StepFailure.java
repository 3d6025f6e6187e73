package io.shardmark.proxy.growth;

import io.shardmark.proxy.protocol.SqlState;
import java.sql.SQLException;
import java.util.List;

/** What the failure of a step says about the next try. */
enum StepFailure {
  /** Of the connection, the transaction, resources, a server that is not ready, an operator. */
  MAY_PASS,
  /** A disk does not empty itself; what is undone makes room. */
  DISK_FULL,
  LASTS;

  private static final List<String> PASSING = List.of("08", "25", "40", "53", "55", "57", "58");

  static StepFailure of(SQLException e) {
    String state = e.getSQLState() == null ? SqlState.CONNECTION_FAILURE.code() : e.getSQLState();
    return state.equals(SqlState.DISK_FULL.code())
        ? DISK_FULL
        : PASSING.contains(state.substring(0, 2)) ? MAY_PASS : LASTS;
  }
}
