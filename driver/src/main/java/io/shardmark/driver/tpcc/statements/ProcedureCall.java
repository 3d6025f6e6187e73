package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;

/** A call of a stored procedure. */
interface ProcedureCall {
  /** Takes the values. */
  Sql inputs();

  /**
   * Calls, and reads all that the screen shows.
   *
   * @param result the result that is returned as a number, from 1; 0 returns 0
   * @param what whose call it is, for the message
   * @throws WrongDataException if the procedure misses a row that should exist
   */
  int call(int result, String what) throws SQLException;

  /** A function of PostgreSQL, whose results are the columns of its one row. */
  record OfPostgres(Sql inputs) implements ProcedureCall {
    /** SQLSTATE no_data_found, which the functions raise for a row that should exist. */
    private static final String MISSING_ROW = "P0002";

    OfPostgres(Connection connection, String call) throws SQLException {
      this(new Sql(connection, "SELECT * FROM " + call));
    }

    @Override
    public int call(int result, String what) throws SQLException {
      try {
        return inputs.one(row -> result == 0 ? 0 : row.getInt(result), what);
      } catch (SQLException e) {
        if (MISSING_ROW.equals(e.getSQLState())) {
          throw new WrongDataException(String.valueOf(e.getMessage()));
        }
        throw e;
      }
    }
  }

  /** A procedure of the package {@code tpccc_oracle}, whose results are output parameters. */
  final class OfOracle implements ProcedureCall {
    /** What the package raises for a row that should exist and does not. */
    private static final int MISSING_ROW = 20002;

    private final CallableStatement statement;
    private final Sql inputs;
    private final int first;
    private final int[] types;

    /**
     * @param types of the output parameters, which follow the inputs
     */
    OfOracle(Connection connection, String inputs, int inputCount, int... types)
        throws SQLException {
      this.types = types;
      first = inputCount + 1;
      statement =
          connection.prepareCall(
              "BEGIN tpccc_oracle." + inputs + ", ?".repeat(types.length) + "); END;");
      this.inputs = new Sql(statement);
      for (int index = 0; index < types.length; index++) {
        statement.registerOutParameter(first + index, types[index]);
      }
    }

    @Override
    public Sql inputs() {
      return inputs;
    }

    @Override
    public int call(int result, String what) throws SQLException {
      try {
        statement.execute();
      } catch (SQLException e) {
        if (e.getErrorCode() == MISSING_ROW) {
          throw new WrongDataException(String.valueOf(e.getMessage()));
        }
        throw e;
      }
      for (int index = 0; index < types.length; index++) {
        read(first + index, types[index]);
      }
      return result == 0 ? 0 : statement.getInt(first + result - 1);
    }

    private void read(int parameter, int type) throws SQLException {
      switch (type) {
        case Types.NUMERIC -> statement.getBigDecimal(parameter);
        case Types.TIMESTAMP -> statement.getTimestamp(parameter);
        case Types.REF_CURSOR -> readRows(parameter);
        default -> statement.getString(parameter);
      }
    }

    private void readRows(int parameter) throws SQLException {
      try (ResultSet rows = statement.getObject(parameter, ResultSet.class)) {
        if (rows == null) {
          throw new WrongDataException("the procedure's cursor is null");
        }
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          for (int column = 1; column <= columns; column++) {
            rows.getString(column);
          }
        }
      }
    }
  }
}
