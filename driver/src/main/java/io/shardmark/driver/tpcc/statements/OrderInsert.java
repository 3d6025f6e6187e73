package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.tpcc.input.NewOrder;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.postgresql.PGConnection;

/**
 * The last round trip of a New-Order: order, open order, lines, and the end of the transaction in
 * one pipeline.
 */
final class OrderInsert {
  private static final String INSERT_ORDER =
      "INSERT INTO bmsql_oorder"
          + " (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local)"
          + " VALUES (?, ?, ?, ?, localtimestamp, ?, ?);"
          + "INSERT INTO bmsql_new_order (no_w_id, no_d_id, no_o_id) VALUES (?, ?, ?);";

  private static final String INTO_LINES =
      "INSERT INTO bmsql_order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id,"
          + " ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info)";

  private static final String ARRAYS =
      INTO_LINES
          + " SELECT ?, ?, ?, l.* FROM unnest(?::integer[], ?::integer[], ?::integer[],"
          + " ?::integer[], ?::numeric[], ?::text[]) AS l;";

  private final Connection connection;
  private final boolean asRows;

  /** By their number of lines, if that makes a difference. */
  private final Map<Integer, Sql> commits = new HashMap<>();

  private final Map<Integer, Sql> rollsBack = new HashMap<>();

  /**
   * @param asRows true for lines as rows of VALUES, in a statement for each number of them: Citus
   *     sends rows that it sees to their worker; those of a query it gathers first and copies then.
   *     False for lines as arrays: one statement for any number of them
   */
  OrderInsert(Connection connection, boolean asRows) {
    this.connection = connection;
    this.asRows = asRows;
  }

  /** Sends it, and commits, or rolls back as the order asks for (TPC-C 2.4.2.3). */
  void execute(NewOrder input, int orderId, OrderLines lines) throws SQLException {
    Map<Integer, Sql> prepared = input.rollback() ? rollsBack : commits;
    String end = input.rollback() ? "ROLLBACK" : "COMMIT";
    int rows = asRows ? lines.foundCount() : 0;
    Sql insert = prepared.get(rows);
    if (insert == null) {
      insert = new Sql(connection, INSERT_ORDER + (asRows ? rows(rows) : ARRAYS) + end);
      prepared.put(rows, insert);
    }
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    insert
        .with(warehouseId, districtId, orderId, input.customerId())
        .and(input.lineCount(), input.remoteLines() == 0 ? 1 : 0)
        .and(warehouseId, districtId, orderId);
    if (asRows) {
      for (int line = 0; line < input.lineCount(); line++) {
        if (lines.isFound(line)) {
          lines.bind(insert, input, orderId, line);
        }
      }
    } else {
      bindArrays(insert.and(warehouseId, districtId, orderId), input, lines);
    }
    insert.run();
  }

  /** None of a single line is left if that is the unused item. */
  private static String rows(int count) {
    String row = "(?, ?, ?, ?, ?, ?, ?, ?, ?)";
    return count == 0 ? "" : INTO_LINES + " VALUES " + (row + ", ").repeat(count - 1) + row + ";";
  }

  private void bindArrays(Sql insert, NewOrder input, OrderLines lines) throws SQLException {
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
    PGConnection postgres = connection.unwrap(PGConnection.class);
    for (int[] numbersOfLines : new int[][] {numbers, items, supplies, quantities}) {
      insert.and(postgres.createArrayOf("int4", numbersOfLines));
    }
    insert
        .and(connection.createArrayOf("numeric", amounts))
        .and(connection.createArrayOf("text", distInfos));
  }
}
