package io.shardmark.driver.meeting;

import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.meeting.MeetingRow.About;
import io.shardmark.driver.meeting.MeetingRow.Status;
import io.shardmark.sql.dialect.Dialect;
import io.shardmark.sql.dialect.MissingTable;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.jdbc.FirstValue;
import io.shardmark.sql.jdbc.ReopenedConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The table {@code shardmark_drivers} and the database's clock, on its own connection in
 * auto-commit mode: made when it is first used and after a failure. A row has what a driver says of
 * itself as JSON. Thread-safe: one statement at a time.
 */
public final class MeetingTable implements AutoCloseable {
  static final String NAME = "shardmark_drivers";

  /** Makes the table, in any of the databases. */
  static final String DEFINITION =
      "create table "
          + NAME
          + " (grp varchar(36) not null, idx integer not null, about varchar(4000) not null,"
          + " status varchar(4000) not null, primary key (grp, idx))";

  private static final String ROWS =
      "select grp, idx, about, status from " + NAME + " order by grp, idx";

  /** Another version's row is read as far as it can be: its version is to be seen. */
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final ReopenedConnection connection;
  private final Dialect dialect;
  private final String shard;

  /** A row as it is in the table. */
  record TextColumn(String group, int index, String about, String status) {
    private boolean isOf(MeetingRow row) {
      return index == row.index() && group.equals(row.group());
    }

    private MeetingRow read() throws SQLDataException {
      try {
        return new MeetingRow(
            group, index, JSON.readValue(about, About.class), JSON.readValue(status, Status.class));
      } catch (JsonProcessingException e) {
        throw new SQLDataException(
            "the table %s has a row of this run that cannot be read, of driver %d: %s"
                .formatted(NAME, index, e.getOriginalMessage()),
            e);
      }
    }
  }

  /**
   * Connects to nothing yet.
   *
   * @param connections in auto-commit mode
   * @param shard whose clock counts, if the database is spread over several; else empty
   */
  public MeetingTable(ConnectionSource connections, Dialect dialect, String shard) {
    this.connection = new ReopenedConnection(connections, MeetingTable::makeSure);
    this.dialect = dialect;
    this.shard = shard;
  }

  /** What is done over the connection. */
  private interface TableWork<T> {
    T on(Connection connection) throws SQLException;
  }

  /** After a failure the connection is of no more use. */
  private synchronized <T> T ask(TableWork<T> work) throws SQLException {
    try {
      return work.on(connection.get());
    } catch (SQLException e) {
      connection.giveUp();
      throw e;
    } catch (ConfigException e) {
      throw new SQLException(e.getMessage(), e);
    }
  }

  private static void makeSure(Connection connection) throws SQLException {
    if (isThere(connection)) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(DEFINITION);
    } catch (SQLException e) {
      // Another driver may have been quicker.
      if (!isThere(connection)) {
        throw new SQLException(
            "%s. Have it made by hand: %s; or set startAt".formatted(e.getMessage(), DEFINITION),
            e.getSQLState(),
            e);
      }
    }
  }

  private static boolean isThere(Connection connection) throws SQLException {
    try {
      FirstValue.number(connection, "select count(*) from " + NAME);
      return true;
    } catch (SQLException e) {
      if (MissingTable.isCauseOf(e)) {
        return false;
      }
      throw e;
    }
  }

  /** The database's time in microseconds since 1970, UTC. */
  long micros() throws SQLException {
    return ask(open -> FirstValue.number(open, clock()));
  }

  private String clock() {
    return switch (dialect) {
      case POSTGRES ->
          (shard.isEmpty() ? "" : "/* shardmark_shard: " + shard + " */ ")
              + "select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)";
      case MYSQL -> "select cast(unix_timestamp(sysdate(6)) * 1000000 as signed)";
      case ORACLE ->
          "select extract(day from d) * 86400000000 + extract(hour from d) * 3600000000 +"
              + " extract(minute from d) * 60000000 + round(extract(second from d) * 1000000) from"
              + " (select sys_extract_utc(systimestamp) - timestamp '1970-01-01 00:00:00' as d from"
              + " dual)";
      case FIREBIRD ->
          "select datediff(millisecond from timestamp '1970-01-01 00:00:00' to cast('now' as"
              + " timestamp)) * 1000 from rdb$database";
    };
  }

  /**
   * The drivers of a run, in order.
   *
   * @throws SQLDataException if a row cannot be read
   */
  List<MeetingRow> of(String group) throws SQLException {
    List<MeetingRow> rows = new ArrayList<>();
    for (TextColumn text : texts()) {
      if (text.group().equals(group)) {
        rows.add(text.read());
      }
    }
    return rows;
  }

  /** Driver 0 of each run; a row that cannot be read is not one to join. */
  List<MeetingRow> firsts() throws SQLException {
    List<MeetingRow> rows = new ArrayList<>();
    for (TextColumn text : texts()) {
      try {
        if (text.index() == 0) {
          rows.add(text.read());
        }
      } catch (SQLDataException e) {
        // Another run's, or its own driver 0 says so.
      }
    }
    return rows;
  }

  /** The rows of all runs, whatever they say: a few. */
  List<TextColumn> texts() throws SQLException {
    return ask(
        open -> {
          List<TextColumn> texts = new ArrayList<>();
          try (Statement statement = open.createStatement();
              ResultSet row = statement.executeQuery(ROWS)) {
            while (row.next()) {
              texts.add(
                  new TextColumn(
                      row.getString(1), row.getInt(2), row.getString(3), row.getString(4)));
            }
          }
          return texts;
        });
  }

  /**
   * Brings a driver's row in.
   *
   * @return false if another driver of the run has this index
   */
  boolean insert(MeetingRow row) throws SQLException {
    try {
      execute(
          "insert into " + NAME + " (about, status, grp, idx) values (?, ?, ?, ?)",
          json(row.about()),
          json(row.status()),
          row.group(),
          row.index());
      return true;
    } catch (SQLException e) {
      if (texts().stream().noneMatch(text -> text.isOf(row))) {
        throw e;
      }
      return false;
    }
  }

  /** Writes how far a driver is. */
  void update(MeetingRow row) throws SQLException {
    execute(
        "update " + NAME + " set status = ? where grp = ? and idx = ?",
        json(row.status()),
        row.group(),
        row.index());
  }

  /** Takes all rows of a run away. */
  void delete(String group) throws SQLException {
    execute("delete from " + NAME + " where grp = ?", group);
  }

  /** Takes those runs away of which nobody has changed a row since these were read. */
  void deleteUnchanged(List<TextColumn> before) throws SQLException {
    Map<String, List<TextColumn>> now = texts().stream().collect(groupingBy(TextColumn::group));
    for (var run : before.stream().collect(groupingBy(TextColumn::group)).entrySet()) {
      if (run.getValue().equals(now.get(run.getKey()))) {
        delete(run.getKey());
      }
    }
  }

  private static String json(Object value) {
    return JSON.valueToTree(value).toString();
  }

  private void execute(String sql, Object... values) throws SQLException {
    ask(
        open -> {
          try (PreparedStatement statement = open.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
              statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
          }
        });
  }

  /** Does not wait for a statement that hangs. */
  @Override
  public void close() {
    connection.close();
  }
}
