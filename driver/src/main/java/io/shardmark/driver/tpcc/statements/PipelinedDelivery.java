package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Delivery;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The deferred part of Delivery for all ten districts in one statement, its own transaction: one
 * round trip.
 */
final class PipelinedDelivery {
  /**
   * The locking sub-select waits for a delivery that is taking the same order, and then, as its
   * LIMIT stands above the lock, goes on to the next order of the district. Districts are locked in
   * ascending order by all.
   */
  private static final String DELIVER =
      "WITH oldest AS MATERIALIZED ("
          + "SELECT d.id AS d_id, o.no_o_id AS o_id FROM generate_series(1, 10) AS d(id)"
          + " CROSS JOIN LATERAL (SELECT no_o_id FROM bmsql_new_order"
          + " WHERE no_w_id = ? AND no_d_id = d.id ORDER BY no_o_id LIMIT 1 FOR UPDATE) AS o),"
          + " taken AS (DELETE FROM bmsql_new_order USING oldest"
          + " WHERE no_w_id = ? AND no_d_id = oldest.d_id AND no_o_id = oldest.o_id"
          + " RETURNING no_d_id AS d_id, no_o_id AS o_id),"
          + " carried AS (UPDATE bmsql_oorder SET o_carrier_id = ? FROM taken"
          + " WHERE o_w_id = ? AND o_d_id = taken.d_id AND bmsql_oorder.o_id = taken.o_id"
          + " RETURNING o_d_id, o_c_id),"
          + " delivered AS (UPDATE bmsql_order_line SET ol_delivery_d = localtimestamp FROM taken"
          + " WHERE ol_w_id = ? AND ol_d_id = taken.d_id AND ol_o_id = taken.o_id"
          + " RETURNING ol_d_id, ol_amount),"
          + " owed AS (SELECT ol_d_id, sum(ol_amount) AS amount FROM delivered GROUP BY ol_d_id),"
          + " charged AS (UPDATE bmsql_customer SET c_balance = c_balance + owed.amount,"
          + " c_delivery_cnt = c_delivery_cnt + 1 FROM carried JOIN owed ON ol_d_id = o_d_id"
          + " WHERE c_w_id = ? AND c_d_id = o_d_id AND c_id = o_c_id RETURNING c_balance)"
          // Fails unless every order has its row, its lines with amounts and its customer.
          + " SELECT t.orders, 1 / (t.orders = c.customers)::integer"
          + " FROM (SELECT count(*) AS orders FROM taken) t,"
          + " (SELECT count(c_balance) AS customers FROM charged) c";

  private static final int DISTRICTS = 10;

  private final Connection connection;
  private final Sql deliver;

  PipelinedDelivery(Connection connection) throws SQLException {
    this.connection = connection;
    deliver = new Sql(connection, DELIVER);
  }

  Outcome execute(Delivery.Background input) throws SQLException {
    connection.setAutoCommit(true);
    int warehouseId = input.warehouseId();
    deliver
        .with(warehouseId, warehouseId, input.carrierId(), warehouseId, warehouseId, warehouseId)
        .run("order, lines or customer of delivery", warehouseId);
    int taken = deliver.next(row -> row.getInt(1), "delivery of warehouse", warehouseId);
    return Outcome.committedSkipping(DISTRICTS - taken);
  }
}
