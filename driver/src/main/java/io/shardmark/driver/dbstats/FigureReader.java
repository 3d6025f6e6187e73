package io.shardmark.driver.dbstats;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the figures on one connection; drops the groups that the server refuses. One thread. */
final class FigureReader {
  private static final int VALID_SECONDS = 5;

  private final Connection connection;
  private final List<FigureGroup> groups;
  private final Consumer<String> notes;

  /**
   * @param sizes one more query for sizes
   * @param notes receives one line for each group that the server refuses
   */
  FigureReader(
      Connection connection, DatabaseKind kind, Optional<String> sizes, Consumer<String> notes)
      throws SQLException {
    connection.setAutoCommit(false); // a reading is one transaction in the server's own counters
    this.connection = connection;
    this.groups =
        new ArrayList<>(ServerFigures.of(kind, connection.getMetaData().getDatabaseMajorVersion()));
    sizes.ifPresent(
        sql ->
            groups.add(
                new FigureGroup(
                    FigureGroup.FigureKind.SIZE, FigureGroup.FigureLayout.ONE_ROW, sql)));
    this.notes = notes;
    if (groups.isEmpty()) {
      notes.accept("database figures: none are known for " + kind.propertyName());
    }
  }

  /**
   * @throws SQLException if the connection is lost
   */
  Reading read(boolean withSizes) throws SQLException {
    Reading reading = Reading.empty();
    for (FigureGroup group : List.copyOf(groups)) {
      if (group.kind() == FigureGroup.FigureKind.SIZE && !withSizes) {
        continue;
      }
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(group.sql())) {
        store(rows, group.layout(), reading.of(group.kind()));
      } catch (SQLException e) {
        if (!connection.isValid(VALID_SECONDS)) {
          throw e;
        }
        connection.rollback();
        groups.remove(group);
        notes.accept("database figures: some are left out: " + FirstLine.of(e));
      }
    }
    connection.commit();
    return reading;
  }

  private static void store(ResultSet rows, FigureGroup.FigureLayout layout, Map<String, Long> into)
      throws SQLException {
    while (rows.next()) {
      if (layout == FigureGroup.FigureLayout.NAME_AND_VALUE) {
        put(into, rows.getString(1), rows.getBigDecimal(2));
      } else {
        ResultSetMetaData columns = rows.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          put(into, columns.getColumnLabel(i), rows.getBigDecimal(i));
        }
      }
    }
  }

  private static void put(Map<String, Long> into, String name, BigDecimal value) {
    into.put(name.toLowerCase(Locale.ROOT).replace(' ', '_'), value.longValue());
  }
}
