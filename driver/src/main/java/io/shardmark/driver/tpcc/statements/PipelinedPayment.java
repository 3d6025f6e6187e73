package io.shardmark.driver.tpcc.statements;

import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.tpcc.input.Payment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;

/**
 * Payment in one round trip, or two if the customer's warehouse is remote. The warehouse row, which
 * all terminals of a warehouse update, is locked last.
 */
final class PipelinedPayment {
  private static final String BY_ID = "c_id = ?";

  /** The middle one, rounded up, in the order of first names (2.5.2.2). */
  private static final String BY_NAME =
      "c_id = (SELECT (array_agg(c_id ORDER BY c_first))[(count(*) + 1) / 2]"
          + " FROM bmsql_customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?)";

  private static final String CUSTOMER_COLUMNS =
      "c_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone,"
          + " c_since, c_credit, c_credit_lim, c_discount, c_balance,"
          + " CASE WHEN c_credit = 'BC' THEN left(c_data, 200) END";

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
          + " WHERE d_w_id = ? AND d_id = ? RETURNING h_c_id";

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

  private static final int HISTORY_PARAMETERS = 7;

  private final Connection connection;
  private final boolean inTwoTrips;
  private final PreparedStatement localById;
  private final PreparedStatement localByName;
  private final PreparedStatement remoteById;
  private final PreparedStatement remoteByName;
  private final PreparedStatement remoteRest;

  /**
   * @param inTwoTrips true if every payment is made as one by a remote customer: in statements that
   *     name one warehouse and write one table each
   */
  PipelinedPayment(Connection connection, boolean inTwoTrips) throws SQLException {
    this.connection = connection;
    this.inTwoTrips = inTwoTrips;
    localById = connection.prepareStatement(local(BY_ID));
    localByName = connection.prepareStatement(local(BY_NAME));
    remoteById = connection.prepareStatement(remote(BY_ID));
    remoteByName = connection.prepareStatement(remote(BY_NAME));
    remoteRest = connection.prepareStatement(INSERT_REMOTE_HISTORY + ";" + UPDATE_HOME + ";COMMIT");
  }

  /**
   * A customer of the home warehouse is updated and recorded by one statement, as the history row
   * needs the number found by name. The division fails if there is no customer or district, and
   * with it the whole pipeline.
   */
  private static String local(String choice) {
    return "WITH paid AS ("
        + UPDATE_CUSTOMER.formatted(choice)
        + "), recorded AS ("
        + INSERT_HISTORY.formatted("paid.c_id", "paid CROSS JOIN")
        + ") SELECT paid.*, 1 / least(num_nonnulls(paid.c_id), (SELECT count(*) FROM recorded))"
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
    PreparedStatement statement = byName ? localByName : localById;
    int parameter = bindCustomer(statement, input);
    parameter = bindHistory(statement, parameter, input);
    bindHome(statement, parameter, input);
    Results.execute(
        statement,
        "district or customer " + input.customerLast() + " of payment",
        input.warehouseId(),
        input.districtId(),
        input.customerId());
    try (ResultSet customer = Results.first(statement)) {
      readCustomer(customer, input);
    }
    readHome(Results.next(statement), statement, input);
    return Outcome.COMMITTED;
  }

  private Outcome executeInTwoTrips(Payment input, PreparedStatement customerStatement)
      throws SQLException {
    connection.setAutoCommit(false);
    int parameter = bindCustomer(customerStatement, input);
    Parameters.set(customerStatement, parameter, input.warehouseId(), input.districtId());
    customerStatement.execute();
    int customerId;
    try (ResultSet customer = Results.first(customerStatement)) {
      customerId = readCustomer(customer, input);
    }
    try (ResultSet names = Results.next(customerStatement)) {
      Rows.requireNext(names, "district", input.warehouseId(), input.districtId());
      bindRemoteHistory(
          input,
          customerId,
          PaymentText.historyData(
              Rows.requireString(names, 1, "w_name of warehouse", input.warehouseId()),
              Rows.requireString(
                  names, 2, "d_name of district", input.warehouseId(), input.districtId())));
    }
    bindHome(remoteRest, HISTORY_PARAMETERS + 1, input);
    remoteRest.execute();
    // The first answer is the history row's count.
    readHome(Results.next(remoteRest), remoteRest, input);
    return Outcome.COMMITTED;
  }

  private void bindRemoteHistory(Payment input, int customerId, String data) throws SQLException {
    Parameters.set(
        remoteRest,
        1,
        customerId,
        input.customerDistrictId(),
        input.customerWarehouseId(),
        input.districtId(),
        input.warehouseId());
    remoteRest.setBigDecimal(6, input.amount());
    remoteRest.setString(HISTORY_PARAMETERS, data);
  }

  private static int bindCustomer(PreparedStatement statement, Payment input) throws SQLException {
    statement.setBigDecimal(1, input.amount());
    statement.setBigDecimal(2, input.amount());
    statement.setString(3, PaymentText.customerDataAfterId(input));
    Parameters.set(statement, 4, input.customerWarehouseId(), input.customerDistrictId());
    String name = input.customerLast();
    if (name == null) {
      statement.setInt(6, input.customerId());
      return 7;
    }
    Parameters.set(statement, 6, input.customerWarehouseId(), input.customerDistrictId());
    statement.setString(8, name);
    return 9;
  }

  private static int bindHistory(PreparedStatement statement, int first, Payment input)
      throws SQLException {
    Parameters.set(statement, first, input.customerDistrictId(), input.customerWarehouseId());
    statement.setBigDecimal(first + 2, input.amount());
    Parameters.set(statement, first + 3, input.warehouseId(), input.districtId());
    return first + 5;
  }

  private static void bindHome(PreparedStatement statement, int first, Payment input)
      throws SQLException {
    statement.setBigDecimal(first, input.amount());
    Parameters.set(statement, first + 1, input.warehouseId(), input.districtId());
    statement.setBigDecimal(first + 3, input.amount());
    statement.setInt(first + 4, input.warehouseId());
  }

  /** Reads all that the screen shows (2.5.3.3) and returns the customer's number. */
  private static int readCustomer(ResultSet row, Payment input) throws SQLException {
    if (!row.next()) {
      throw Rows.missing(
          "customer " + input.customerLast() + " of",
          input.customerWarehouseId(),
          input.customerDistrictId(),
          input.customerId());
    }
    for (int column = 2; column <= 10; column++) {
      row.getString(column);
    }
    row.getObject(11, LocalDateTime.class);
    row.getString(12);
    for (int column = 13; column <= 15; column++) {
      row.getBigDecimal(column);
    }
    row.getString(16);
    return row.getInt(1);
  }

  private static void readHome(ResultSet district, PreparedStatement statement, Payment input)
      throws SQLException {
    try (district) {
      Rows.requireNext(district, "district", input.warehouseId(), input.districtId());
      readStrings(district);
    }
    try (ResultSet warehouse = Results.next(statement)) {
      Rows.requireNext(warehouse, "warehouse", input.warehouseId());
      readStrings(warehouse);
    }
  }

  private static void readStrings(ResultSet row) throws SQLException {
    for (int column = 1; column <= 6; column++) {
      row.getString(column);
    }
  }
}
