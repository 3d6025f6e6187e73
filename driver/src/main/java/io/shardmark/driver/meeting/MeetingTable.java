package io.shardmark.driver.meeting;

import io.shardmark.driver.meeting.MeetingRow.State;
import io.shardmark.sql.dialect.Dialect;
import io.shardmark.sql.dialect.MissingTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The table {@code shardmark_driver} and the database's clock, on a connection of its own in
 * auto-commit mode. Thread-safe: one statement at a time.
 */
final class MeetingTable implements AutoCloseable, DatabaseClock.Source {
  static final String NAME = "shardmark_driver";

  /** Makes the table, in any of the databases. */
  static final String DEFINITION =
      "create table "
          + NAME
          + " (grp varchar(36) not null, idx integer not null, drivers integer not null,"
          + " state varchar(10) not null, beat decimal(18) not null, about varchar(4000) not null,"
          + " note varchar(1000), start_at decimal(18), end_at decimal(18), primary key (grp, idx))";

  private static final String COLUMNS =
      "grp, idx, drivers, state, beat, about, note, start_at, end_at";
  private static final int MOST_NOTE = 1000;

  private final Connection connection;
  private final String clock;

  private MeetingTable(Connection connection, String clock) {
    this.connection = connection;
    this.clock = clock;
  }

  /**
   * Makes the table if it is not there.
   *
   * @param connection in auto-commit mode; closed with this
   * @param shard where to ask for the time, if the database is spread over several; else empty
   */
  static MeetingTable open(Connection connection, Dialect dialect, String shard)
      throws SQLException {
    MeetingTable table = new MeetingTable(connection, clock(dialect, shard));
    try {
      table.makeSure();
      return table;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private static String clock(Dialect dialect, String shard) {
    return switch (dialect) {
      case POSTGRES ->
          (shard.isEmpty() ? "" : "/* shardmark_shard: " + shard + " */ ")
              + "select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)";
      case MYSQL -> "select cast(unix_timestamp(sysdate(6)) * 1000000 as signed)";
      case ORACLE ->
          "select extract(day from d) * 86400000000 + extract(hour from d) * 3600000000"
              + " + extract(minute from d) * 60000000 + round(extract(second from d) * 1000000)"
              + " from (select sys_extract_utc(systimestamp) - timestamp '1970-01-01 00:00:00' as d from dual)";
      case FIREBIRD ->
          "select datediff(millisecond from timestamp '1970-01-01 00:00:00' to cast('now' as timestamp))"
              + " * 1000 from rdb$database";
    };
  }

  private void makeSure() throws SQLException {
    if (isThere()) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(DEFINITION);
    } catch (SQLException e) {
      // Another driver may have been quicker.
      if (!isThere()) {
        throw new SQLException(
            "%s. Have it made by hand: %s; or set startAt".formatted(e.getMessage(), DEFINITION),
            e.getSQLState(),
            e);
      }
    }
  }

  private boolean isThere() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("select count(*) from " + NAME).close();
      return true;
    } catch (SQLException e) {
      if (MissingTable.isCauseOf(e)) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public synchronized long micros() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(clock)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** The drivers of all runs. */
  synchronized List<MeetingRow> all() throws SQLException {
    return rows("order by grp, idx");
  }

  /** The driver 0 of each run of so many drivers. */
  synchronized List<MeetingRow> firsts(int drivers) throws SQLException {
    return rows("where idx = 0 and drivers = ?", drivers);
  }

  /** The drivers of a run, in order. */
  synchronized List<MeetingRow> group(String group) throws SQLException {
    return rows("where grp = ? order by idx", group);
  }

  private List<MeetingRow> rows(String which, Object... values) throws SQLException {
    List<MeetingRow> rows = new ArrayList<>();
    try (PreparedStatement query =
        connection.prepareStatement("select " + COLUMNS + " from " + NAME + " " + which)) {
      for (int i = 0; i < values.length; i++) {
        query.setObject(i + 1, values[i]);
      }
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          String note = row.getString(7);
          rows.add(
              new MeetingRow(
                  row.getString(1),
                  row.getInt(2),
                  row.getInt(3),
                  State.valueOf(row.getString(4)),
                  row.getLong(5),
                  row.getString(6),
                  note == null ? "" : note,
                  micros(row, 8),
                  micros(row, 9)));
        }
      }
    }
    return rows;
  }

  private static OptionalLong micros(ResultSet row, int column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(micros);
  }

  /**
   * Brings a driver's row in.
   *
   * @return false if another driver of the run has this index
   */
  synchronized boolean insert(MeetingRow row) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into "
                + NAME
                + " (state, beat, note, start_at, end_at, grp, idx, drivers, about)"
                + " values (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      setState(insert, row);
      insert.setInt(8, row.drivers());
      insert.setString(9, row.about());
      insert.executeUpdate();
      return true;
    } catch (SQLException e) {
      if (group(row.group()).stream().anyMatch(other -> other.index() == row.index())) {
        return false;
      }
      throw e;
    }
  }

  /** Writes how far a driver is. */
  synchronized void update(MeetingRow row) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "update "
                + NAME
                + " set state = ?, beat = ?, note = ?, start_at = ?, end_at = ?"
                + " where grp = ? and idx = ?")) {
      setState(update, row);
      update.executeUpdate();
    }
  }

  private static void setState(PreparedStatement statement, MeetingRow row) throws SQLException {
    String note = row.note();
    statement.setString(1, row.state().name());
    statement.setLong(2, row.beat());
    statement.setString(3, note.substring(0, Math.min(MOST_NOTE, note.length())));
    setMicros(statement, 4, row.startMicros());
    setMicros(statement, 5, row.endMicros());
    statement.setString(6, row.group());
    statement.setInt(7, row.index());
  }

  private static void setMicros(PreparedStatement statement, int parameter, OptionalLong micros)
      throws SQLException {
    if (micros.isPresent()) {
      statement.setLong(parameter, micros.getAsLong());
    } else {
      statement.setNull(parameter, Types.DECIMAL);
    }
  }

  /** Takes all rows of a run away. */
  synchronized void delete(String group) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("delete from " + NAME + " where grp = ?")) {
      delete.setString(1, group);
      delete.executeUpdate();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
