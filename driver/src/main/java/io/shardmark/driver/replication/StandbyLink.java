package io.shardmark.driver.replication;

import io.shardmark.driver.benchmark.Endpoints;
import io.shardmark.driver.replication.ReplicationFigures.Count;
import io.shardmark.driver.replication.ReplicationFigures.Counts;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.jdbc.ReopenedConnection;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection to the primary and one to its standby, and what is asked over them. Opened when they
 * are needed; one that fails is closed and opened again. One thread, but for {@link #abort}.
 */
final class StandbyLink implements AutoCloseable {
  /**
   * A server that answers later than that is as good as gone for the moment. Not a setting of the
   * session: a pooler would lend that out to others.
   */
  static final int TIMEOUT_SECONDS = 20;

  private static final String END_OF_LOG =
      "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')";
  private static final String REPLAYED =
      "SELECT pg_wal_lsn_diff(coalesce(pg_last_wal_replay_lsn(), '0/0'), '0/0')";

  /** What its session says is newer; the slot is there without a session too. */
  private static final String CONFIRMED =
      """
      SELECT coalesce(pg_wal_lsn_diff(greatest(s.confirmed_flush_lsn, r.replay_lsn), '0/0'), 0)
        FROM pg_replication_slots s LEFT JOIN pg_stat_replication r ON r.pid = s.active_pid
       WHERE s.slot_name = '%s'
      """;

  /** Rows of a lane that are not committed yet, each looked at before the last that is. */
  private static final int MOST_PASSED = 1000;

  private final ReopenedConnection primary;
  private final ReopenedConnection standby;
  private final String slot;
  private final Layout layout;
  private final Positions ofPrimary;
  private final Positions ofStandby;

  /**
   * @param slot of a logical standby's subscription; empty if it is a physical one
   */
  StandbyLink(Endpoints endpoints, String standbyUrl, String slot, Layout layout) {
    primary = new ReopenedConnection(endpoints::open, StandbyLink::name);
    standby = new ReopenedConnection(() -> endpoints.open(standbyUrl), StandbyLink::name);
    this.slot = slot;
    this.layout = layout;
    ofPrimary = new Positions(layout);
    ofStandby = new Positions(layout);
  }

  /**
   * @throws io.shardmark.config.ConfigException if it cannot be reached
   */
  Connection primary() throws SQLException {
    return primary.get();
  }

  private static void name(Connection connection) throws SQLException {
    connection.setClientInfo("ApplicationName", "shardmark observer");
  }

  /** The end of the primary's log. */
  long written() throws SQLException {
    return number(primary.get(), END_OF_LOG);
  }

  /** The end of what the standby has applied of it. */
  long applied() throws SQLException {
    return slot.isEmpty()
        ? number(standby.get(), REPLAYED)
        : number(primary.get(), CONFIRMED.formatted(slot.replace("'", "''")));
  }

  /**
   * False if a count during the run has to pass so many rows of transactions that go on that it
   * would take part of the processors.
   */
  boolean countsCheaply() {
    return layout.statements() <= MOST_PASSED;
  }

  Count committed() throws SQLException {
    long statements = ofPrimary.read(primary.get());
    return new Count(System.nanoTime(), statements);
  }

  Count shown() throws SQLException {
    long statements = ofStandby.read(standby.get());
    return new Count(System.nanoTime(), statements);
  }

  /** The standby first: it never seems to have more than the primary. */
  Counts counts() throws SQLException {
    Count standbys = shown();
    return new Counts(standbys, committed());
  }

  private static long number(Connection connection, String query) throws SQLException {
    String number = FirstValue.text(connection, query, TIMEOUT_SECONDS);
    if (number.isEmpty()) {
      throw new SQLException("the slot of the standby's subscription is gone");
    }
    return Long.parseLong(number);
  }

  /** Closes what may be broken; the next question opens it again. */
  void reset() {
    primary.giveUp();
    standby.giveUp();
  }

  /** Ends a question that another thread waits for. */
  void abort() throws SQLException {
    primary.abort();
    standby.abort();
  }

  @Override
  public void close() {
    primary.close();
    standby.close();
  }
}
