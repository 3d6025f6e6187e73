package io.shardmark.driver.tpcc.statements;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds a customer by last name in one round trip, TPC-C 2.5.2.2: the middle one, rounded up, in
 * the order of first names.
 */
final class CustomerByName {
  private static final int TYPICAL_NAMESAKES = 16;

  private final Sql select;
  private int[] ids = new int[TYPICAL_NAMESAKES];

  CustomerByName(Connection connection) throws SQLException {
    select =
        new Sql(
            connection,
            "SELECT c_id FROM bmsql_customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first");
  }

  /**
   * @param customerId used unchanged unless a name is given
   * @param lastName null if the customer is chosen by number
   */
  int resolve(int warehouseId, int districtId, int customerId, @Nullable String lastName)
      throws SQLException {
    if (lastName == null) {
      return customerId;
    }
    int count = 0;
    try (ResultSet rows = select.with(warehouseId, districtId, lastName).rows()) {
      while (rows.next()) {
        if (count == ids.length) {
          ids = Arrays.copyOf(ids, 2 * count);
        }
        ids[count++] = rows.getInt(1);
      }
    }
    if (count == 0) {
      throw Rows.missing("customer " + lastName + " of district", warehouseId, districtId);
    }
    return ids[(count - 1) / 2];
  }
}
