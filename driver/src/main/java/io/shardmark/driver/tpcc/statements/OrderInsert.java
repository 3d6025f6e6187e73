package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.NewOrder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The last round trip of a New-Order: order, open order, lines, and the end of the transaction in
 * one pipeline.
 */
abstract class OrderInsert {
  private static final String INSERT_ORDER =
      "INSERT INTO bmsql_oorder"
          + " (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)"
          + " VALUES (?, ?, ?, ?, localtimestamp, ?, ?);"
          + "INSERT INTO bmsql_new_order (no_w_id, no_d_id, no_o_id) VALUES (?, ?, ?);";

  private static final String INTO_LINES =
      "INSERT INTO bmsql_order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id,"
          + " ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info)";

  /**
   * Sends it.
   *
   * @param end COMMIT or ROLLBACK
   */
  final void execute(NewOrder input, int orderId, OrderLines lines, End end) throws SQLException {
    PreparedStatement insert = statement(lines.foundCount(), end);
    int parameter = bindKey(insert, 1, input, orderId);
    parameter =
        Parameters.set(
            insert,
            parameter,
            input.customerId(),
            input.lineCount(),
            input.remoteLines() == 0 ? 1 : 0);
    parameter = bindKey(insert, parameter, input, orderId);
    bindLines(insert, parameter, input, orderId, lines);
    insert.execute();
  }

  /** How the transaction ends. */
  enum End {
    COMMIT,
    ROLLBACK
  }

  /**
   * @param count how many lines are inserted
   */
  abstract PreparedStatement statement(int count, End end) throws SQLException;

  abstract void bindLines(
      PreparedStatement insert, int first, NewOrder input, int orderId, OrderLines lines)
      throws SQLException;

  /**
   * @return the parameter after the key
   */
  private static int bindKey(PreparedStatement insert, int first, NewOrder input, int orderId)
      throws SQLException {
    return Parameters.set(insert, first, input.warehouseId(), input.districtId(), orderId);
  }

  /** The lines as arrays: one statement for any number of them. */
  static final class Arrays extends OrderInsert {
    private static final String LINES =
        INTO_LINES
            + " SELECT ?, ?, ?, l.* FROM unnest(?::integer[], ?::integer[], ?::integer[],"
            + " ?::integer[], ?::numeric[], ?::text[]) AS l;";

    private final Connection connection;
    private final PGConnection postgres;
    private final PreparedStatement commits;
    private final PreparedStatement rollsBack;

    Arrays(Connection connection) throws SQLException {
      this.connection = connection;
      postgres = connection.unwrap(PGConnection.class);
      commits = connection.prepareStatement(INSERT_ORDER + LINES + End.COMMIT);
      rollsBack = connection.prepareStatement(INSERT_ORDER + LINES + End.ROLLBACK);
    }

    @Override
    PreparedStatement statement(int count, End end) {
      return end == End.COMMIT ? commits : rollsBack;
    }

    @Override
    void bindLines(
        PreparedStatement insert, int first, NewOrder input, int orderId, OrderLines lines)
        throws SQLException {
      int count = lines.foundCount();
      int[] numbers = new int[count];
      int[] items = new int[count];
      int[] supplies = new int[count];
      int[] quantities = new int[count];
      Object[] amounts = new Object[count];
      String[] distInfos = new String[count];
      int at = 0;
      for (int line = 0; line < input.lineCount(); line++) {
        if (lines.isFound(line)) {
          numbers[at] = line + 1;
          items[at] = input.itemIds()[line];
          supplies[at] = input.supplyWarehouseIds()[line];
          quantities[at] = input.quantities()[line];
          amounts[at] = lines.amount(input, line);
          distInfos[at++] = lines.distInfo(line);
        }
      }
      int parameter = bindKey(insert, first, input, orderId);
      insert.setArray(parameter++, postgres.createArrayOf("int4", numbers));
      insert.setArray(parameter++, postgres.createArrayOf("int4", items));
      insert.setArray(parameter++, postgres.createArrayOf("int4", supplies));
      insert.setArray(parameter++, postgres.createArrayOf("int4", quantities));
      insert.setArray(parameter++, connection.createArrayOf("numeric", amounts));
      insert.setArray(parameter, connection.createArrayOf("text", distInfos));
    }
  }

  /**
   * The lines as rows of VALUES, in a statement for each number of them. Citus sends rows that it
   * sees to their worker; those of a query it gathers first and copies then.
   */
  static final class Values extends OrderInsert {
    private static final int MOST_LINES = 15;

    private final Connection connection;
    private final @Nullable PreparedStatement[] commits = new PreparedStatement[MOST_LINES + 1];
    private final @Nullable PreparedStatement[] rollsBack = new PreparedStatement[MOST_LINES + 1];

    Values(Connection connection) {
      this.connection = connection;
    }

    @Override
    PreparedStatement statement(int count, End end) throws SQLException {
      @Nullable PreparedStatement[] prepared = end == End.COMMIT ? commits : rollsBack;
      PreparedStatement found = prepared[count];
      if (found == null) {
        found = connection.prepareStatement(INSERT_ORDER + lines(count) + end);
        prepared[count] = found;
      }
      return found;
    }

    /** None of a single line is left if that is the unused item. */
    private static String lines(int count) {
      String row = "(?, ?, ?, ?, ?, ?, ?, ?, ?)";
      return count == 0 ? "" : INTO_LINES + " VALUES " + (row + ", ").repeat(count - 1) + row + ";";
    }

    @Override
    void bindLines(
        PreparedStatement insert, int first, NewOrder input, int orderId, OrderLines lines)
        throws SQLException {
      int parameter = first;
      for (int line = 0; line < input.lineCount(); line++) {
        if (lines.isFound(line)) {
          parameter = bindKey(insert, parameter, input, orderId);
          parameter =
              Parameters.set(
                  insert,
                  parameter,
                  line + 1,
                  input.itemIds()[line],
                  input.supplyWarehouseIds()[line],
                  input.quantities()[line]);
          insert.setBigDecimal(parameter++, lines.amount(input, line));
          insert.setString(parameter++, lines.distInfo(line));
        }
      }
    }
  }
}
