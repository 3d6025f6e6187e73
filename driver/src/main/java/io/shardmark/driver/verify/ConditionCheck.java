package io.shardmark.driver.verify;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FirstLine;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs one condition on one connection. Any thread, one at a time on a connection. */
record ConditionCheck(DatabaseKind kind, LoadState loadState) {

  ConditionResult run(Condition condition, Connection connection) {
    if (condition.scope() == Condition.ConditionScope.AFTER_LOAD
        && loadState.verdict() != Verdict.PASS) {
      return ConditionResult.without(
          condition, loadState.verdict(), loadState.reason(), Duration.ZERO);
    }
    long start = System.nanoTime();
    try {
      return ReadTransaction.ask(connection, () -> ask(condition, connection, start));
    } catch (SQLException e) {
      return ConditionResult.without(
          condition, Verdict.ERROR, FirstLine.of(e), Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private ConditionResult ask(Condition condition, Connection connection, long start)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (kind == DatabaseKind.ORACLE) {
        statement.setMaxRows(ConditionResult.MAX_SAMPLES);
      }
      String sql = condition.firstOffenders(kind, ConditionResult.MAX_SAMPLES);
      try (ResultSet rows = statement.executeQuery(sql)) {
        return judge(condition, rows, start);
      }
    }
  }

  private static ConditionResult judge(Condition condition, ResultSet rows, long start)
      throws SQLException {
    int countColumn = rows.getMetaData().getColumnCount();
    long offenders = 0;
    List<String> samples = new ArrayList<>();
    while (rows.next()) {
      offenders = rows.getLong(countColumn);
      samples.add(text(rows, countColumn - 1));
    }
    return ConditionResult.of(
        condition, offenders, samples, Duration.ofNanos(System.nanoTime() - start));
  }

  private static String text(ResultSet rows, int columns) throws SQLException {
    ResultSetMetaData metaData = rows.getMetaData();
    List<String> pairs = new ArrayList<>();
    for (int i = 1; i <= columns; i++) {
      // Oracle's and Firebird's labels are upper case; Firebird pads texts of a CASE with blanks.
      String label = metaData.getColumnLabel(i).toLowerCase(Locale.ROOT);
      String value = rows.getString(i);
      pairs.add(label + "=" + (value == null ? "null" : value.strip()));
    }
    return String.join(" ", pairs);
  }
}
