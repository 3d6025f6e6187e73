package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.WrongDataException;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement of a transaction: binds its values in the order of its parameters, and reads
 * and checks what comes back. Of one connection, used by one thread.
 */
final class Sql {
  /** SQLSTATE division_by_zero: what statements fail with where a row that must exist does not. */
  private static final String MISSING_ROW = "22012";

  private final PreparedStatement statement;
  private final List<RowReader> readers = new ArrayList<>();
  private int parameter = 1;
  private int[] key = {};
  private int answer;

  /** What is made of a row. */
  @FunctionalInterface
  interface LockedReading<T> {
    T of(ResultSet row) throws SQLException;
  }

  /** Prepares the statements of one connection. */
  @FunctionalInterface
  interface Preparer {
    Sql of(String text) throws SQLException;
  }

  static Preparer on(Connection connection) {
    return text -> new Sql(connection, text);
  }

  Sql(Connection connection, String text) throws SQLException {
    this(connection.prepareStatement(text));
  }

  Sql(PreparedStatement statement) {
    this.statement = statement;
  }

  /** Binds values from the first parameter on. */
  Sql with(@Nullable Object... values) throws SQLException {
    parameter = 1;
    return and(values);
  }

  /** Binds the values of the parameters that follow. */
  Sql and(@Nullable Object... values) throws SQLException {
    for (Object value : values) {
      bind(parameter++, value);
    }
    return this;
  }

  /** Binds the key of the row that the statement asks for or changes; messages name it. */
  Sql withKey(int... values) throws SQLException {
    parameter = 1;
    return andKey(values);
  }

  /** Binds the key after the values that are bound. */
  Sql andKey(int... values) throws SQLException {
    for (int value : values) {
      statement.setInt(parameter++, value);
    }
    key = values;
    return this;
  }

  /** Each type by its own method, which says to every driver what is meant. */
  private void bind(int index, @Nullable Object value) throws SQLException {
    if (value instanceof Integer number) {
      statement.setInt(index, number);
    } else if (value instanceof BigDecimal number) {
      statement.setBigDecimal(index, number);
    } else if (value == null || value instanceof String) {
      statement.setString(index, (String) value);
    } else if (value instanceof Array array) {
      statement.setArray(index, array);
    } else if (value instanceof Boolean truth) {
      statement.setBoolean(index, truth);
    } else if (value instanceof Timestamp instant) {
      statement.setTimestamp(index, instant);
    } else {
      statement.setObject(index, value);
    }
  }

  /** The rows of a query; the caller closes them. */
  ResultSet rows() throws SQLException {
    answer = 1;
    return statement.executeQuery();
  }

  /**
   * Asks for the one row that must exist, and reads every column as the terminal's screen shows it.
   *
   * @param what the row, for the message
   */
  <T> T one(LockedReading<T> reading, String what) throws SQLException {
    try (ResultSet row = rows()) {
      return read(row, reading, what, key);
    }
  }

  /** The same where nothing of the row is used. */
  void show(String what) throws SQLException {
    one(row -> what, what);
  }

  /** The same where the number in one column is used; null is wrong. */
  int oneInt(int column, String ofColumn, String what) throws SQLException {
    return one(row -> Rows.requireInt(row, column, ofColumn, key), what);
  }

  /** The same where the text in one column is used; null is wrong. */
  String oneString(int column, String ofColumn, String what) throws SQLException {
    return one(row -> Rows.requireString(row, column, ofColumn, key), what);
  }

  /** The same where the decimal in one column is used; null is wrong. */
  BigDecimal oneDecimal(int column, String ofColumn, String what) throws SQLException {
    return one(row -> Rows.requireDecimal(row, column, ofColumn, key), what);
  }

  /** Sends it; of a pipeline all statements. */
  void run() throws SQLException {
    answer = 0;
    statement.execute();
  }

  /**
   * Sends a pipeline whose COMMIT must not be reached with rows missing.
   *
   * @param what the rows, with their key, for the message
   * @throws WrongDataException if a row was missing; the transaction is aborted, not committed
   */
  void run(String what, int... key) throws SQLException {
    try {
      run();
    } catch (SQLException e) {
      if (MISSING_ROW.equals(e.getSQLState())) {
        throw Rows.missing(what, key);
      }
      throw e;
    }
  }

  /** Passes over a pipeline's answer that has no rows. */
  void skip() {
    answer++;
  }

  /** A pipeline's next answer, which has rows; the caller closes it. */
  ResultSet next() throws SQLException {
    ResultSet rows = answer++ == 0 || statement.getMoreResults() ? statement.getResultSet() : null;
    if (rows == null) {
      throw new WrongDataException("the pipeline's next answer has no rows");
    }
    return rows;
  }

  /** The one row of a pipeline's next answer, read as {@link #one} does. */
  <T> T next(LockedReading<T> reading, String what, int... key) throws SQLException {
    try (ResultSet row = next()) {
      return read(row, reading, what, key);
    }
  }

  /** The same where nothing of the row is used. */
  void showNext(String what, int... key) throws SQLException {
    next(row -> what, what, key);
  }

  /** Reads every column of the row that a result set of this statement is on. */
  void show(ResultSet row) throws SQLException {
    show(row, 1);
  }

  /**
   * Reads an order's lines from the row that a result set of this statement is on.
   *
   * @param first the first column of a line; those before it, the same in all rows, are read once
   */
  void showLines(ResultSet rows, int first) throws SQLException {
    show(rows);
    while (rows.next()) {
      show(rows, first);
    }
  }

  /** Whether a column of the row that was shown last is null, or an array with a null in it. */
  boolean wasNull(int column) {
    return readers.get(answer - 1).isNull(column);
  }

  private void show(ResultSet row, int first) throws SQLException {
    while (readers.size() < answer) {
      readers.add(new RowReader());
    }
    readers.get(answer - 1).read(row, first);
  }

  private <T> T read(ResultSet row, LockedReading<T> reading, String what, int... key)
      throws SQLException {
    Rows.requireNext(row, what, key);
    show(row);
    return reading.of(row);
  }

  /** Changes rows; gives how many. */
  int update() throws SQLException {
    return statement.executeUpdate();
  }

  /** Changes so many rows. */
  void update(int expected, String what) throws SQLException {
    Rows.requireCount(expected, update(), what, key);
  }

  /** Puts the bound values off to {@link #runBatch}. */
  void batch() throws SQLException {
    statement.addBatch();
  }

  /** Runs what was put off; each must change a row, where the driver reports it. */
  void runBatch(String what) throws SQLException {
    for (int count : statement.executeBatch()) {
      if (count == 0) {
        throw new WrongDataException(what + " changed no row");
      }
    }
  }

  /** Forgets what was put off. */
  void clearBatch() throws SQLException {
    statement.clearBatch();
  }
}
