package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.StockLevel;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.sql.dialect.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.postgresql.PGConnection;

/**
 * The {@code procedures} profile on PostgreSQL: one call of a function of {@code
 * storedProcedureCreates.sql} for each transaction. The connection is in auto-commit mode, so the
 * call is the transaction: the server commits it when it ends and rolls it back when it fails, and
 * neither BEGIN nor COMMIT is sent, parsed and answered.
 */
final class PostgresProcedures {
  /** SQLSTATE no_data_found, which the functions raise for a row that should exist. */
  private static final String MISSING_ROW = "P0002";

  private final PGConnection postgres;
  private final PreparedStatement newOrder;
  private final PreparedStatement payment;
  private final PreparedStatement orderStatus;
  private final PreparedStatement stockLevel;
  private final PreparedStatement delivery;
  private final RowReader newOrderRow = new RowReader();
  private final RowReader paymentRow = new RowReader();
  private final RowReader orderStatusRow = new RowReader();
  private final RowReader stockLevelRow = new RowReader();

  /**
   * @param connection put into auto-commit mode, for good
   * @param citus true if Citus is to send each call to the worker of its warehouse, which it cannot
   *     do by a generic plan
   */
  PostgresProcedures(Connection connection, boolean citus) throws SQLException {
    postgres = connection.unwrap(PGConnection.class);
    if (citus) {
      InstalledProcedures.requireDistributed(connection);
    } else {
      GenericPlans.choose(connection);
    }
    connection.setAutoCommit(true);
    newOrder = prepare(connection, "bmsql_proc_new_order(?, ?, ?, ?, ?, ?)");
    payment = prepare(connection, "bmsql_proc_payment(?, ?, ?, ?, ?, ?, ?)");
    orderStatus = prepare(connection, "bmsql_proc_order_status(?, ?, ?, ?)");
    stockLevel = prepare(connection, "bmsql_proc_stock_level(?, ?, ?)");
    delivery = prepare(connection, "bmsql_proc_delivery_bg(?, ?, ?)");
  }

  private static PreparedStatement prepare(Connection connection, String call) throws SQLException {
    return connection.prepareStatement("SELECT * FROM " + call);
  }

  TpccTransactions transactions() {
    return new TpccTransactions(
        this::newOrder, this::payment, this::orderStatus, this::stockLevel, this::deliver);
  }

  private Outcome newOrder(NewOrder input) throws SQLException {
    Parameters.set(newOrder, 1, input.warehouseId(), input.districtId(), input.customerId());
    newOrder.setArray(4, postgres.createArrayOf("int4", input.supplyWarehouseIds()));
    newOrder.setArray(5, postgres.createArrayOf("int4", input.itemIds()));
    newOrder.setArray(6, postgres.createArrayOf("int4", input.quantities()));
    try {
      readRow(newOrder, newOrderRow);
      return Outcome.COMMITTED;
    } catch (SQLException e) {
      if (input.rollback() && Dialect.POSTGRES.isInvalidItem(e)) {
        return Outcome.ROLLED_BACK;
      }
      throw e;
    }
  }

  private Outcome payment(Payment input) throws SQLException {
    Parameters.set(
        payment,
        1,
        input.warehouseId(),
        input.districtId(),
        input.customerId(),
        input.customerDistrictId(),
        input.customerWarehouseId());
    payment.setString(6, input.customerLast());
    payment.setBigDecimal(7, input.amount());
    readRow(payment, paymentRow);
    return Outcome.COMMITTED;
  }

  private Outcome orderStatus(OrderStatus input) throws SQLException {
    Parameters.set(orderStatus, 1, input.warehouseId(), input.districtId(), input.customerId());
    orderStatus.setString(4, input.customerLast());
    readRow(orderStatus, orderStatusRow);
    return Outcome.COMMITTED;
  }

  private Outcome stockLevel(StockLevel input) throws SQLException {
    Parameters.set(stockLevel, 1, input.warehouseId(), input.districtId(), input.threshold());
    readRow(stockLevel, stockLevelRow);
    return Outcome.COMMITTED;
  }

  private Outcome deliver(Delivery.Background input) throws SQLException {
    Parameters.set(delivery, 1, input.warehouseId(), input.carrierId());
    delivery.setObject(3, LocalDateTime.now(ZoneId.systemDefault()));
    try (ResultSet row = run(delivery)) {
      Rows.requireNext(row, "delivery of warehouse", input.warehouseId());
      row.getString(1);
      return Outcome.committedSkipping(row.getInt(2));
    }
  }

  /** Runs a call and reads every column of its row, as the terminal's screen shows them. */
  private static void readRow(PreparedStatement call, RowReader reader) throws SQLException {
    try (ResultSet row = run(call)) {
      Rows.requireNext(row, "the row of a function call");
      reader.read(row);
    }
  }

  private static ResultSet run(PreparedStatement call) throws SQLException {
    try {
      return call.executeQuery();
    } catch (SQLException e) {
      if (MISSING_ROW.equals(e.getSQLState())) {
        throw new WrongDataException(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }
}
