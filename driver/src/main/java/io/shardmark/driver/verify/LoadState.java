package io.shardmark.driver.verify;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Whether the data are still as the loader left them. After the load D_NEXT_O_ID is 3001 and D_YTD
 * 30000.00 in every district (TPC-C 4.3.3.1): a New-Order moves the first, a Payment the second. A
 * Delivery moves neither, but gives a carrier to an order above 2100.
 *
 * @param verdict {@link Verdict#PASS} as loaded, {@link Verdict#NOT_APPLICABLE} changed, {@link
 *     Verdict#ERROR} not known
 * @param reason what has changed, or the database's message
 */
record LoadState(Verdict verdict, String reason) {
  private static final String CHANGED_DISTRICT =
      """
      SELECT d_w_id, d_id, d_next_o_id, d_ytd
        FROM bmsql_district
       WHERE d_next_o_id <> 3001 OR d_ytd <> 30000
       ORDER BY d_w_id, d_id
      """;
  private static final String DELIVERED_ORDERS =
      """
      SELECT count(*) FROM bmsql_oorder WHERE o_id > 2100 AND o_carrier_id IS NOT NULL
      """;

  static LoadState of(Connection connection) {
    try (Statement statement = connection.createStatement()) {
      return read(statement);
    } catch (SQLException e) {
      return new LoadState(Verdict.ERROR, String.valueOf(e.getMessage()));
    }
  }

  private static LoadState read(Statement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery(CHANGED_DISTRICT)) {
      if (rows.next()) {
        return new LoadState(
            Verdict.NOT_APPLICABLE,
            "only after a load: district (%d, %d) has D_NEXT_O_ID %d and D_YTD %s, loaded were 3001 and 30000.00"
                .formatted(rows.getInt(1), rows.getInt(2), rows.getInt(3), rows.getBigDecimal(4)));
      }
    }
    try (ResultSet rows = statement.executeQuery(DELIVERED_ORDERS)) {
      rows.next();
      long delivered = rows.getLong(1);
      return delivered == 0
          ? new LoadState(Verdict.PASS, "")
          : new LoadState(
              Verdict.NOT_APPLICABLE,
              "only after a load: %d orders above 2100 were delivered".formatted(delivered));
    }
  }
}
