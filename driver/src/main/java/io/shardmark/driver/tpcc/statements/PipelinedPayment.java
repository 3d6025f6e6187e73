package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Payment;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Payment in one round trip, or two if the customer's warehouse is remote. The warehouse row, which
 * all terminals of a warehouse update, is locked last.
 */
final class PipelinedPayment {
  private static final String CUSTOMER_COLUMNS =
      "c_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone,"
          + " c_since, c_credit, c_credit_lim, c_discount, c_balance,"
          + " CASE WHEN c_credit = 'BC' THEN left(c_data, 200) END AS shown_data";

  private static final String UPDATE_CUSTOMER =
      "UPDATE bmsql_customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,"
          + " c_payment_cnt = c_payment_cnt + 1,"
          + " c_data = CASE WHEN c_credit = 'BC' THEN left('C_ID=' || c_id || ? || c_data, 500)"
          + " ELSE c_data END"
          + " WHERE c_w_id = ? AND c_d_id = ? AND %s"
          + " RETURNING "
          + CUSTOMER_COLUMNS;

  private static final String INSERT_HISTORY =
      "INSERT INTO bmsql_history"
          + " (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)"
          + " SELECT %s, ?, ?, d_id, d_w_id, localtimestamp, ?, w_name || '    ' || d_name"
          + " FROM %s bmsql_district JOIN bmsql_warehouse ON w_id = d_w_id"
          + " WHERE d_w_id = ? AND d_id = ? RETURNING h_data";

  /** Where shards are by warehouse, each of these is asked of one: the names come from home. */
  private static final String SELECT_NAMES =
      "SELECT w_name, d_name FROM bmsql_district JOIN bmsql_warehouse ON w_id = d_w_id"
          + " WHERE d_w_id = ? AND d_id = ?";

  private static final String INSERT_REMOTE_HISTORY =
      "INSERT INTO bmsql_history"
          + " (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)"
          + " VALUES (?, ?, ?, ?, ?, localtimestamp, ?, ?)";

  private static final String UPDATE_HOME =
      "UPDATE bmsql_district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?"
          + " RETURNING d_name, d_street_1, d_street_2, d_city, d_state, d_zip;"
          + "UPDATE bmsql_warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?"
          + " RETURNING w_name, w_street_1, w_street_2, w_city, w_state, w_zip";

  private final Connection connection;
  private final boolean inTwoTrips;
  private final Sql localById;
  private final Sql localByName;
  private final Sql remoteById;
  private final Sql remoteByName;
  private final Sql remoteRest;

  /**
   * @param inTwoTrips true if every payment is made as one by a remote customer: in statements that
   *     name one warehouse and write one table each
   */
  PipelinedPayment(Connection connection, boolean inTwoTrips) throws SQLException {
    Sql.Preparer sql = Sql.on(connection);
    this.connection = connection;
    this.inTwoTrips = inTwoTrips;
    localById = sql.of(local(OneTripTransactions.BY_ID));
    localByName = sql.of(local(OneTripTransactions.BY_NAME));
    remoteById = sql.of(remote(OneTripTransactions.BY_ID));
    remoteByName = sql.of(remote(OneTripTransactions.BY_NAME));
    remoteRest = sql.of(INSERT_REMOTE_HISTORY + ";" + UPDATE_HOME + ";COMMIT");
  }

  /**
   * A customer of the home warehouse is updated and recorded by one statement, as the history row
   * needs the number found by name. The division fails, and with it the whole pipeline, if there is
   * no customer or district, or if what the payment writes is made of a null.
   */
  private static String local(String choice) {
    return "WITH paid AS ("
        + UPDATE_CUSTOMER.formatted(choice)
        + "), recorded AS ("
        + INSERT_HISTORY.formatted("paid.c_id", "paid CROSS JOIN")
        + ") SELECT paid.*, 1 / least("
        + "coalesce((c_credit <> 'BC' OR shown_data IS NOT NULL)::integer, 0),"
        + " (SELECT count(h_data) FROM recorded))"
        + " FROM (VALUES (1)) AS one LEFT JOIN paid ON true;"
        + UPDATE_HOME;
  }

  private static String remote(String choice) {
    return UPDATE_CUSTOMER.formatted(choice) + ";" + SELECT_NAMES;
  }

  Outcome execute(Payment input) throws SQLException {
    boolean byName = input.customerLast() != null;
    if (inTwoTrips || input.isRemote()) {
      return executeInTwoTrips(input, byName ? remoteByName : remoteById);
    }
    connection.setAutoCommit(true);
    Sql statement = byName ? localByName : localById;
    bindCustomer(statement, input)
        .and(input.customerDistrictId(), input.customerWarehouseId(), input.amount())
        .and(input.warehouseId(), input.districtId());
    bindHome(statement, input)
        .run(
            "district or customer " + input.customerLast() + " of payment",
            input.warehouseId(),
            input.districtId(),
            input.customerId());
    readCustomer(statement, input);
    readHome(statement, input);
    return Outcome.COMMITTED;
  }

  private Outcome executeInTwoTrips(Payment input, Sql customer) throws SQLException {
    connection.setAutoCommit(false);
    int warehouseId = input.warehouseId();
    int districtId = input.districtId();
    bindCustomer(customer, input).and(warehouseId, districtId).run();
    int customerId = readCustomer(customer, input);
    String historyData =
        customer.next(
            names ->
                PaymentRows.historyData(
                    Rows.requireString(names, 1, "w_name of warehouse", warehouseId),
                    Rows.requireString(names, 2, "d_name of district", warehouseId, districtId)),
            "district",
            warehouseId,
            districtId);
    remoteRest
        .with(customerId, input.customerDistrictId(), input.customerWarehouseId())
        .and(districtId, warehouseId, input.amount(), historyData);
    bindHome(remoteRest, input).run();
    remoteRest.skip(); // the history row's count
    readHome(remoteRest, input);
    return Outcome.COMMITTED;
  }

  private static Sql bindCustomer(Sql statement, Payment input) throws SQLException {
    return OneTripTransactions.bindCustomer(
        statement.with(input.amount(), input.amount(), PaymentRows.customerDataAfterId(input)),
        input.customerWarehouseId(),
        input.customerDistrictId(),
        input.customerId(),
        input.customerLast());
  }

  private static Sql bindHome(Sql statement, Payment input) throws SQLException {
    return statement
        .and(input.amount(), input.warehouseId(), input.districtId())
        .and(input.amount(), input.warehouseId());
  }

  /** Reads all that the screen shows (2.5.3.3) and returns the customer's number. */
  private static int readCustomer(Sql statement, Payment input) throws SQLException {
    return statement.next(
        row -> {
          int customerId = row.getInt(1);
          PaymentRows.requireCredit(
              row, 12, 16, input.customerWarehouseId(), input.customerDistrictId(), customerId);
          return customerId;
        },
        "customer " + input.customerLast() + " of",
        input.customerWarehouseId(),
        input.customerDistrictId(),
        input.customerId());
  }

  private static void readHome(Sql statement, Payment input) throws SQLException {
    statement.showNext("district", input.warehouseId(), input.districtId());
    statement.showNext("warehouse", input.warehouseId());
  }
}
