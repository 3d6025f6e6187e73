package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.WrongDataException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Set;

/** A call of a stored procedure. */
interface ProcedureCall {
  /** Takes the values. */
  Sql inputs();

  /**
   * Calls, and reads all that the screen shows.
   *
   * @param result the result that is returned as a number, from 1; 0 returns 0
   * @param what whose call it is, for the message
   * @throws WrongDataException if the procedure misses a row that should exist, or a result that
   *     must have a value is null
   */
  int call(int result, String what) throws SQLException;

  /**
   * A function of PostgreSQL, whose results are the columns of its one row. Those of ours raise an
   * error before they write what is made of a null; the check of the results finds it where
   * functions of another version are installed.
   *
   * @param required the columns that must have a value, and in arrays each element
   */
  record OfPostgres(Sql inputs, List<Integer> required) implements ProcedureCall {
    /**
     * SQLSTATEs no_data_found, which the functions raise for a row that should exist, and
     * null_value_not_allowed.
     */
    private static final Set<String> WRONG_ROWS = Set.of("P0002", "22004");

    OfPostgres(Connection connection, String call, Integer... required) throws SQLException {
      this(new Sql(connection, "SELECT * FROM " + call), List.of(required));
    }

    @Override
    public int call(int result, String what) throws SQLException {
      try {
        return inputs.one(
            row -> {
              for (int column : required) {
                if (inputs.wasNull(column)) {
                  throw new WrongDataException(
                      "%s of %s is null or has a null"
                          .formatted(row.getMetaData().getColumnName(column), what));
                }
              }
              return result == 0 ? 0 : row.getInt(result);
            },
            what);
      } catch (SQLException e) {
        if (e.getSQLState() != null && WRONG_ROWS.contains(e.getSQLState())) {
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
    private Set<Integer> required = Set.of();
    private Set<Integer> requiredInRows = Set.of();

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

    /**
     * Says which results must have a value.
     *
     * @param results from 1
     * @param ofRows columns of the cursor's rows, of which there must be one at least
     */
    OfOracle requiring(Set<Integer> results, Set<Integer> ofRows) {
      required = results;
      requiredInRows = ofRows;
      return this;
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
        boolean isNull = isNull(first + index, types[index], what);
        if (isNull && required.contains(index + 1)) {
          throw new WrongDataException("result %d of %s is null".formatted(index + 1, what));
        }
      }
      return result == 0 ? 0 : statement.getInt(first + result - 1);
    }

    private boolean isNull(int parameter, int type, String what) throws SQLException {
      return switch (type) {
        case Types.NUMERIC -> statement.getBigDecimal(parameter) == null;
        case Types.TIMESTAMP -> statement.getTimestamp(parameter) == null;
        case Types.REF_CURSOR -> {
          readRows(parameter, what);
          yield false;
        }
        default -> statement.getString(parameter) == null;
      };
    }

    private void readRows(int parameter, String what) throws SQLException {
      try (ResultSet rows = statement.getObject(parameter, ResultSet.class)) {
        if (rows == null || !rows.next()) {
          throw new WrongDataException("rows of " + what + " not found");
        }
        int columns = rows.getMetaData().getColumnCount();
        do {
          for (int column = 1; column <= columns; column++) {
            if (rows.getString(column) == null && requiredInRows.contains(column)) {
              throw new WrongDataException(
                  "%s of %s is null".formatted(rows.getMetaData().getColumnName(column), what));
            }
          }
        } while (rows.next());
      }
    }
  }
}
