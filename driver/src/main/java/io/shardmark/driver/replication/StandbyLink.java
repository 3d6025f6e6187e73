package io.shardmark.driver.replication;

import io.shardmark.driver.benchmark.Endpoints;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.jdbc.ReopenedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A connection to the primary and one to each standby, and what is asked over them. Of several
 * standbys the figures are those of the one that has least. Opened when they are needed; one that
 * fails is closed and opened again. One thread, but for {@link #abort}.
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
      SELECT CASE WHEN count(*) = %d THEN min(coalesce(
                pg_wal_lsn_diff(greatest(s.confirmed_flush_lsn, r.replay_lsn), '0/0'), 0)) END
        FROM pg_replication_slots s LEFT JOIN pg_stat_replication r ON r.pid = s.active_pid
       WHERE s.slot_name IN (%s)
      """;

  /** Rows of a lane that are not committed yet, each looked at before the last that is. */
  private static final int MOST_PASSED = 1000;

  private final ReopenedConnection primary;
  private final List<Standby> standbys;
  private final TableLayout layout;
  private final Positions ofPrimary;

  /**
   * @param slots of a logical standby's subscriptions; empty if it is a physical one
   */
  record Address(String url, List<String> slots) {
    /** Sessions that stream to it. */
    int sessions() {
      return Math.max(1, slots.size());
    }
  }

  private record Standby(ReopenedConnection connection, List<String> slots, Positions positions) {}

  StandbyLink(Endpoints endpoints, List<Address> addresses, TableLayout layout) {
    primary = new ReopenedConnection(endpoints::open, StandbyLink::name);
    standbys =
        addresses.stream()
            .map(
                address ->
                    new Standby(
                        new ReopenedConnection(
                            () -> endpoints.open(address.url()), StandbyLink::name),
                        address.slots(),
                        new Positions(layout)))
            .toList();
    this.layout = layout;
    ofPrimary = new Positions(layout);
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

  /** The end of what all standbys have applied of it. */
  long applied() throws SQLException {
    long least = Long.MAX_VALUE;
    for (Standby standby : standbys) {
      least = Math.min(least, applied(standby));
    }
    return least;
  }

  private long applied(Standby standby) throws SQLException {
    if (standby.slots.isEmpty()) {
      return number(standby.connection.get(), REPLAYED);
    }
    String slots =
        standby.slots.stream()
            .map(slot -> "'" + slot.replace("'", "''") + "'")
            .collect(Collectors.joining(", "));
    return number(primary.get(), CONFIRMED.formatted(standby.slots.size(), slots));
  }

  /**
   * False if a count during the run has to pass so many rows of transactions that go on that it
   * would take part of the processors.
   */
  boolean countsCheaply() {
    return layout.statements() <= MOST_PASSED;
  }

  ReplicationFigures.ReplicatedCount committed() throws SQLException {
    long statements = ofPrimary.read(primary.get());
    return new ReplicationFigures.ReplicatedCount(System.nanoTime(), statements);
  }

  ReplicationFigures.ReplicatedCount shown() throws SQLException {
    long least = Long.MAX_VALUE;
    for (Standby standby : standbys) {
      least = Math.min(least, standby.positions.read(standby.connection.get()));
    }
    return new ReplicationFigures.ReplicatedCount(System.nanoTime(), least);
  }

  /** The standbys first: they never seem to have more than the primary. */
  ReplicationFigures.ReplicationCounts counts() throws SQLException {
    ReplicationFigures.ReplicatedCount shown = shown();
    return new ReplicationFigures.ReplicationCounts(shown, committed());
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
    standbys.forEach(standby -> standby.connection.giveUp());
  }

  /** Ends a question that another thread waits for. */
  void abort() throws SQLException {
    primary.abort();
    for (Standby standby : standbys) {
      standby.connection.abort();
    }
  }

  @Override
  public void close() {
    primary.close();
    standbys.forEach(standby -> standby.connection.close());
  }
}
