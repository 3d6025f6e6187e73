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
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;

/**
 * The {@code procedures} profile on Oracle: one call of package {@code tpccc_oracle} for each
 * transaction, and its COMMIT. Arrays are made in the call from single parameters, because Oracle's
 * driver makes arrays through classes of its own only.
 */
final class OracleProcedures {
  private static final int MAX_LINES = 15;

  /** What the package raises for a row that should exist and does not. */
  private static final int MISSING_ROW = 20002;

  private static final String LINE_ARRAY = "bmsql_int_array(?" + ", ?".repeat(MAX_LINES - 1) + ")";

  private final Connection connection;
  private final Call newOrder;
  private final Call payment;
  private final Call orderStatus;
  private final Call stockLevel;
  private final Call delivery;

  OracleProcedures(Connection connection) throws SQLException {
    this.connection = connection;
    newOrder =
        new Call(
            connection,
            "oracle_proc_new_order(?, ?, ?, %s, %s, %s"
                .formatted(LINE_ARRAY, LINE_ARRAY, LINE_ARRAY),
            3 + 3 * MAX_LINES,
            Types.NUMERIC,
            Types.NUMERIC,
            Types.NUMERIC,
            Types.TIMESTAMP,
            Types.NUMERIC,
            Types.NUMERIC,
            Types.VARCHAR,
            Types.VARCHAR,
            Types.NUMERIC,
            Types.REF_CURSOR);
    payment =
        new Call(
            connection,
            "oracle_proc_payment(?, ?, ?, ?, ?, ?, ?",
            7,
            Types.NUMERIC,
            Types.NUMERIC,
            Types.VARCHAR,
            Types.TIMESTAMP,
            Types.REF_CURSOR);
    orderStatus =
        new Call(
            connection,
            "oracle_proc_order_status(?, ?, ?, ?",
            4,
            Types.NUMERIC,
            Types.VARCHAR,
            Types.VARCHAR,
            Types.VARCHAR,
            Types.NUMERIC,
            Types.NUMERIC,
            Types.TIMESTAMP,
            Types.NUMERIC,
            Types.REF_CURSOR);
    stockLevel = new Call(connection, "oracle_proc_stock_level(?, ?, ?", 3, Types.NUMERIC);
    delivery = new Call(connection, "oracle_proc_delivery_bg(?, ?, ?", 3, Types.NUMERIC);
  }

  /** A call with its output parameters, which follow the inputs. */
  private static final class Call {
    final CallableStatement statement;
    private final int first;
    private final int[] types;

    Call(Connection connection, String inputs, int inputCount, int... types) throws SQLException {
      this.types = types;
      first = inputCount + 1;
      statement =
          connection.prepareCall(
              "BEGIN tpccc_oracle." + inputs + ", ?".repeat(types.length) + "); END;");
      for (int index = 0; index < types.length; index++) {
        statement.registerOutParameter(first + index, types[index]);
      }
    }

    /** Calls, and reads all that the screen shows. */
    void execute() throws SQLException {
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

  TpccTransactions transactions() {
    return new TpccTransactions(
        this::newOrder, this::payment, this::orderStatus, this::stockLevel, this::deliver);
  }

  private Outcome newOrder(NewOrder input) throws SQLException {
    CallableStatement call = newOrder.statement;
    Parameters.set(call, 1, input.warehouseId(), input.districtId(), input.customerId());
    bindLines(call, 4, input.supplyWarehouseIds());
    bindLines(call, 4 + MAX_LINES, input.itemIds());
    bindLines(call, 4 + 2 * MAX_LINES, input.quantities());
    try {
      newOrder.execute();
    } catch (SQLException e) {
      if (input.rollback() && Dialect.ORACLE.isInvalidItem(e)) {
        connection.rollback();
        return Outcome.ROLLED_BACK;
      }
      throw e;
    }
    return commit();
  }

  /** An item number of 0 ends the lines, so shorter orders are filled up with it. */
  private static void bindLines(CallableStatement call, int first, int[] values)
      throws SQLException {
    for (int line = 0; line < MAX_LINES; line++) {
      call.setInt(first + line, line < values.length ? values[line] : 0);
    }
  }

  private Outcome payment(Payment input) throws SQLException {
    CallableStatement call = payment.statement;
    Parameters.set(
        call,
        1,
        input.warehouseId(),
        input.districtId(),
        input.customerId(),
        input.customerDistrictId(),
        input.customerWarehouseId());
    call.setString(6, input.customerLast());
    call.setBigDecimal(7, input.amount());
    payment.execute();
    return commit();
  }

  private Outcome orderStatus(OrderStatus input) throws SQLException {
    CallableStatement call = orderStatus.statement;
    Parameters.set(call, 1, input.warehouseId(), input.districtId(), input.customerId());
    call.setString(4, input.customerLast());
    orderStatus.execute();
    return commit();
  }

  private Outcome stockLevel(StockLevel input) throws SQLException {
    CallableStatement call = stockLevel.statement;
    Parameters.set(call, 1, input.warehouseId(), input.districtId(), input.threshold());
    stockLevel.execute();
    return commit();
  }

  private Outcome deliver(Delivery.Background input) throws SQLException {
    CallableStatement call = delivery.statement;
    Parameters.set(call, 1, input.warehouseId(), input.carrierId());
    call.setTimestamp(3, Timestamp.from(Instant.now()));
    delivery.execute();
    int skipped = call.getInt(4);
    connection.commit();
    return Outcome.committedSkipping(skipped);
  }

  private Outcome commit() throws SQLException {
    connection.commit();
    return Outcome.COMMITTED;
  }
}
