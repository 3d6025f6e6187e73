package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.StockLevel;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.sql.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The {@code procedures} profile: one call of a stored procedure for each transaction, with the
 * same values in the same order whatever the database.
 *
 * <p>On PostgreSQL a function of {@code storedProcedureCreates.sql}. The connection is in
 * auto-commit mode, so the call is the transaction: the server commits it when it ends and rolls it
 * back when it fails, and neither BEGIN nor COMMIT is sent, parsed and answered.
 *
 * <p>On Oracle a procedure of the package {@code tpccc_oracle}, and its COMMIT. Arrays are made in
 * the call from single parameters, because Oracle's driver makes arrays through its own classes
 * only.
 */
record Procedures(
    Connection connection,
    @Nullable PGConnection postgres,
    ProcedureCall newOrder,
    ProcedureCall payment,
    ProcedureCall orderStatus,
    ProcedureCall stockLevel,
    ProcedureCall delivery) {
  /** Those of PostgreSQL; the connection is put into auto-commit mode, for good. */
  static Procedures ofPostgres(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    return new Procedures(
        connection,
        connection.unwrap(PGConnection.class),
        new ProcedureCall.OfPostgres(
            connection, "bmsql_proc_new_order(?, ?, ?, ?, ?, ?)", 3, 6, 10, 13),
        new ProcedureCall.OfPostgres(
            connection, "bmsql_proc_payment(?, ?, ?, ?, ?, ?, ?)", 1, 7, 13, 23),
        new ProcedureCall.OfPostgres(connection, "bmsql_proc_order_status(?, ?, ?, ?)", 1, 6, 10),
        new ProcedureCall.OfPostgres(connection, "bmsql_proc_stock_level(?, ?, ?)", 1),
        new ProcedureCall.OfPostgres(connection, "bmsql_proc_delivery_bg(?, ?, ?)", 2));
  }

  /** Those of Oracle. */
  static Procedures ofOracle(Connection connection) throws SQLException {
    String lines = ", bmsql_int_array(?" + ", ?".repeat(NewOrder.MAX_LINES - 1) + ")";
    return new Procedures(
        connection,
        null,
        new ProcedureCall.OfOracle(
                connection,
                "oracle_proc_new_order(?, ?, ?" + lines.repeat(3),
                3 + 3 * NewOrder.MAX_LINES,
                Types.NUMERIC,
                Types.NUMERIC,
                Types.NUMERIC,
                Types.TIMESTAMP,
                Types.NUMERIC,
                Types.NUMERIC,
                Types.VARCHAR,
                Types.VARCHAR,
                Types.NUMERIC,
                Types.REF_CURSOR)
            .requiring(Set.of(3, 6), Set.of(6)),
        new ProcedureCall.OfOracle(
                connection,
                "oracle_proc_payment(?, ?, ?, ?, ?, ?, ?",
                7,
                Types.NUMERIC,
                Types.NUMERIC,
                Types.VARCHAR,
                Types.TIMESTAMP,
                Types.REF_CURSOR)
            .requiring(Set.of(1, 3), Set.of(1, 7)),
        new ProcedureCall.OfOracle(
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
                Types.REF_CURSOR)
            .requiring(Set.of(1, 6), Set.of()),
        new ProcedureCall.OfOracle(connection, "oracle_proc_stock_level(?, ?, ?", 3, Types.NUMERIC),
        new ProcedureCall.OfOracle(
            connection, "oracle_proc_delivery_bg(?, ?, ?", 3, Types.NUMERIC));
  }

  TpccTransactions transactions() {
    return new TpccTransactions(
        this::newOrder, this::payment, this::orderStatus, this::stockLevel, this::deliver);
  }

  private Outcome newOrder(NewOrder input) throws SQLException {
    newOrder
        .inputs()
        .withKey(input.warehouseId())
        .and(input.districtId(), input.customerId())
        .and(lines(input.supplyWarehouseIds()))
        .and(lines(input.itemIds()))
        .and(lines(input.quantities()));
    try {
      return committed(newOrder, "new order of warehouse");
    } catch (SQLException e) {
      Dialect dialect = postgres == null ? Dialect.ORACLE : Dialect.POSTGRES;
      if (!input.rollback() || !dialect.isInvalidItem(e)) {
        throw e;
      }
      if (postgres == null) {
        connection.rollback();
      }
      return Outcome.ROLLED_BACK;
    }
  }

  /** On Oracle an item number of 0 ends the lines, so shorter orders are filled up with it. */
  private Object[] lines(int[] values) throws SQLException {
    return postgres == null
        ? IntStream.range(0, NewOrder.MAX_LINES)
            .mapToObj(line -> line < values.length ? values[line] : 0)
            .toArray()
        : new Object[] {postgres.createArrayOf("int4", values)};
  }

  private Outcome payment(Payment input) throws SQLException {
    payment
        .inputs()
        .withKey(input.warehouseId())
        .and(input.districtId(), input.customerId())
        .and(input.customerDistrictId(), input.customerWarehouseId())
        .and(input.customerLast(), input.amount());
    return committed(payment, "payment of warehouse");
  }

  private Outcome orderStatus(OrderStatus input) throws SQLException {
    orderStatus
        .inputs()
        .withKey(input.warehouseId())
        .and(input.districtId(), input.customerId(), input.customerLast());
    return committed(orderStatus, "order status of warehouse");
  }

  private Outcome stockLevel(StockLevel input) throws SQLException {
    stockLevel.inputs().withKey(input.warehouseId()).and(input.districtId(), input.threshold());
    return committed(stockLevel, "stock level of warehouse");
  }

  private Outcome deliver(Delivery.Background input) throws SQLException {
    String what = "delivery of warehouse";
    delivery.inputs().withKey(input.warehouseId()).and(input.carrierId());
    if (postgres == null) {
      delivery.inputs().and(Timestamp.from(Instant.now()));
      int skipped = delivery.call(1, what);
      connection.commit();
      return Outcome.committedSkipping(skipped);
    }
    delivery.inputs().and(LocalDateTime.now(ZoneId.systemDefault()));
    return Outcome.committedSkipping(delivery.call(2, what));
  }

  private Outcome committed(ProcedureCall call, String what) throws SQLException {
    call.call(0, what);
    if (postgres == null) {
      connection.commit();
    }
    return Outcome.COMMITTED;
  }
}
