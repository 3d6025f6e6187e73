package io.shardmark.driver.tpcc.statements;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.tpcc.StatementProfile;
import io.shardmark.driver.benchmark.Outcome;
import io.shardmark.driver.benchmark.WrongDataException;
import io.shardmark.driver.tpcc.conditions.TpccConditions;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.driver.tpcc.input.Payment;
import io.shardmark.driver.tpcc.input.StockLevel;
import io.shardmark.driver.tpcc.input.TpccInput;
import io.shardmark.driver.tpcc.input.TpccTransactions;
import io.shardmark.driver.tpcc.input.WarehouseShards;
import io.shardmark.driver.verify.ConditionResult;
import io.shardmark.driver.verify.Verdict;
import io.shardmark.driver.verify.Verifier;
import io.shardmark.sql.dialect.Dialect;
import io.shardmark.sql.dialect.SqlErrorClass;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every statement profile does to the rows, whatever its statements. */
abstract class StatementContract {
  private static final int THREADS = 4;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Connection connection;

  @SuppressWarnings("NullAway.Init") // set before each test
  TpccTransactions transactions;

  /** A connection to the tables of {@link SmallTpcc}, auto-commit off. */
  abstract Connection connect() throws SQLException;

  abstract DatabaseKind kind();

  abstract StatementProfile profile();

  /** Prepares the statements. */
  TpccTransactions prepare(Connection own) throws SQLException {
    return StatementProfiles.open(profile(), kind(), Optional.empty(), own);
  }

  /** What {@link WrongDataContract} works on. */
  public final Connection connection() {
    return connection;
  }

  /** What {@link WrongDataContract} runs. */
  public final TpccTransactions transactions() {
    return transactions;
  }

  @BeforeEach
  void reset() throws SQLException {
    connection = connect();
    SmallTpcc.reset(connection);
    transactions = prepare(connection);
  }

  @AfterEach
  void disconnect() throws SQLException {
    connection.close();
  }

  final List<String> rows(String sql) throws SQLException {
    return SmallTpcc.rows(connection, sql);
  }

  private static NewOrder order(int[] items, int[] supplies, int[] quantities) {
    return NewOrder.of(1, 3, 8, items, supplies, quantities, false, WarehouseShards.UNKNOWN);
  }

  private List<String> linesOfNewOrder() throws SQLException {
    return rows(
        "SELECT ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_dist_info"
            + " FROM bmsql_order_line WHERE ol_w_id = 1 AND ol_d_id = 3 AND ol_o_id = 11"
            + " ORDER BY ol_number");
  }

  private List<String> stock(String condition) throws SQLException {
    return rows(
        "SELECT s_w_id, s_i_id, s_quantity, s_ytd, s_order_cnt, s_remote_cnt FROM bmsql_stock"
            + " WHERE "
            + condition
            + " ORDER BY s_w_id, s_i_id");
  }

  @Test
  void clause2422PlacesAnOrderWithItsLinesInTheOrderOfTheScreen() throws SQLException {
    NewOrder input =
        order(new int[] {30, 7, 41, 9, 12}, new int[] {1, 1, 1, 1, 1}, new int[] {1, 10, 3, 4, 5});

    assertThat(transactions.execute(input)).isEqualTo(Outcome.COMMITTED);

    assertThat(rows("SELECT d_next_o_id FROM bmsql_district WHERE d_w_id = 1 AND d_id = 3"))
        .containsExactly("12");
    assertThat(
            rows(
                "SELECT o_c_id, o_carrier_id, o_ol_cnt, o_all_local FROM bmsql_oorder"
                    + " WHERE o_w_id = 1 AND o_d_id = 3 AND o_id = 11 AND o_entry_d IS NOT NULL"))
        .containsExactly("8 null 5 1");
    assertThat(
            rows(
                "SELECT count(*) FROM bmsql_new_order"
                    + " WHERE no_w_id = 1 AND no_d_id = 3 AND no_o_id = 11"))
        .containsExactly("1");
    assertThat(linesOfNewOrder())
        .containsExactly(
            "1 30 1 1 30.25 " + SmallTpcc.distInfo(1, 30, 3),
            "2 7 1 10 72.50 " + SmallTpcc.distInfo(1, 7, 3),
            "3 41 1 3 123.75 " + SmallTpcc.distInfo(1, 41, 3),
            "4 9 1 4 37.00 " + SmallTpcc.distInfo(1, 9, 3),
            "5 12 1 5 61.25 " + SmallTpcc.distInfo(1, 12, 3));
    assertThat(stock("s_order_cnt > 0"))
        .containsExactly(
            "1 7 40 10 1 0", "1 9 46 4 1 0", "1 12 45 5 1 0", "1 30 49 1 1 0", "1 41 47 3 1 0");
  }

  @Test
  void clause2422RestocksWhatWouldFallBelowTen() throws SQLException {
    update("UPDATE bmsql_stock SET s_quantity = 20 WHERE s_i_id = 7");
    update("UPDATE bmsql_stock SET s_quantity = 19 WHERE s_i_id = 8");

    transactions.execute(
        order(new int[] {7, 8, 1, 2, 3}, new int[] {1, 1, 1, 1, 1}, new int[] {10, 10, 1, 1, 1}));

    assertThat(stock("s_w_id = 1 AND s_i_id IN (7, 8)"))
        .containsExactly("1 7 10 10 1 0", "1 8 100 10 1 0");
  }

  @Test
  void remoteLinesCountAsRemoteInTheSupplyingWarehouse() throws SQLException {
    NewOrder input =
        NewOrder.of(
            2,
            3,
            8,
            new int[] {30, 7, 7, 9, 12},
            new int[] {2, 1, 2, 1, 2},
            new int[] {1, 2, 3, 4, 5},
            false,
            WarehouseShards.UNKNOWN);

    transactions.execute(input);

    assertThat(rows("SELECT o_all_local FROM bmsql_oorder WHERE o_w_id = 2 AND o_id = 11"))
        .containsExactly("0");
    assertThat(stock("s_order_cnt > 0"))
        .containsExactly(
            "1 7 48 2 1 1", "1 9 46 4 1 1", "2 7 47 3 1 0", "2 12 45 5 1 0", "2 30 49 1 1 0");
    assertThat(
            rows(
                "SELECT ol_number, ol_dist_info FROM bmsql_order_line"
                    + " WHERE ol_w_id = 2 AND ol_o_id = 11 AND ol_i_id = 7 ORDER BY ol_number"))
        .containsExactly("2 " + SmallTpcc.distInfo(1, 7, 3), "3 " + SmallTpcc.distInfo(2, 7, 3));
  }

  @Test
  void anOrderOfRemoteLinesOnlyWorks() throws SQLException {
    transactions.execute(
        order(new int[] {1, 2, 3, 4, 5}, new int[] {2, 2, 2, 2, 2}, new int[] {1, 1, 1, 1, 1}));

    assertThat(stock("s_order_cnt > 0")).hasSize(5).allMatch(row -> row.startsWith("2 "));
    assertThat(linesOfNewOrder()).hasSize(5);
  }

  @Test
  void sameItemTwiceFollowsTheStockRuleLineByLine() throws SQLException {
    update("UPDATE bmsql_stock SET s_quantity = 12 WHERE s_i_id = 7");

    transactions.execute(
        order(new int[] {7, 5, 7, 6, 7}, new int[] {1, 1, 1, 1, 1}, new int[] {2, 1, 1, 1, 10}));

    // 12 - 2 = 10; 10 - 1 + 91 = 100; 100 - 10 = 90.
    assertThat(stock("s_w_id = 1 AND s_i_id = 7")).containsExactly("1 7 90 13 3 0");
    assertThat(linesOfNewOrder())
        .extracting(line -> line.substring(0, line.lastIndexOf(' ')))
        .containsExactly(
            "1 7 1 2 14.50", "2 5 1 1 5.25", "3 7 1 1 7.25", "4 6 1 1 6.25", "5 7 1 10 72.50");
  }

  @Test
  void fifteenLinesAreTheLongestOrder() throws SQLException {
    int[] items = IntStream.rangeClosed(1, 15).map(i -> 51 - i).toArray();
    int[] ones = IntStream.range(0, 15).map(i -> 1).toArray();

    transactions.execute(order(items, ones.clone(), ones.clone()));

    assertThat(linesOfNewOrder()).hasSize(15);
    assertThat(stock("s_order_cnt > 0")).hasSize(15);
  }

  @Test
  void clause2423RollsBackAnUnusedItemAndLeavesNothingBehind() throws SQLException {
    List<String> before = SmallTpcc.content(connection);
    NewOrder input =
        NewOrder.of(
            1,
            3,
            8,
            new int[] {30, 7, 41, 9, SmallTpcc.UNUSED_ITEM},
            new int[] {1, 2, 1, 1, 1},
            new int[] {1, 2, 3, 4, 5},
            true,
            WarehouseShards.UNKNOWN);

    assertThat(transactions.execute(input)).isEqualTo(Outcome.ROLLED_BACK);

    assertThat(SmallTpcc.content(connection)).isEqualTo(before);
    assertNoTransactionIsOpen();
  }

  /** What was done is seen from another connection: nothing waits for a commit. */
  private void assertNoTransactionIsOpen() throws SQLException {
    try (Connection other = connect()) {
      SmallTpcc.reset(other);
    }
  }

  @Test
  void aMissingItemIsWrongDataAndDoesNotLeakIntoTheNextOrder() throws SQLException {
    NewOrder bad =
        order(
            new int[] {30, 7, 41, 9, SmallTpcc.UNUSED_ITEM},
            new int[] {1, 1, 1, 1, 1},
            new int[] {1, 2, 3, 4, 5});
    // The procedures tell an unused item by an error of their own.
    assertThatThrownBy(() -> transactions.execute(bad))
        .isInstanceOfAny(WrongDataException.class, SQLException.class);
    SmallTpcc.rollBack(connection);

    transactions.execute(
        order(new int[] {1, 2, 3, 4, 5}, new int[] {1, 1, 1, 1, 1}, new int[] {1, 1, 1, 1, 1}));

    assertThat(linesOfNewOrder()).hasSize(5);
    assertThat(stock("s_order_cnt > 0")).hasSize(5).allMatch(row -> row.endsWith(" 49 1 1 0"));
  }

  @Test
  void aMissingStockRowIsWrongData() throws SQLException {
    update("DELETE FROM bmsql_stock WHERE s_w_id = 1 AND s_i_id = 41");
    NewOrder input =
        order(new int[] {30, 7, 41, 9, 12}, new int[] {1, 1, 1, 1, 1}, new int[] {1, 2, 3, 4, 5});

    assertThatThrownBy(() -> transactions.execute(input)).isInstanceOf(WrongDataException.class);
    SmallTpcc.rollBack(connection);

    assertThat(stock("s_order_cnt > 0")).isEmpty();
  }

  @Test
  void aMissingCustomerIsWrongDataInEveryTransaction() throws SQLException {
    List<String> before = SmallTpcc.content(connection);
    int[] ones = {1, 1, 1, 1, 1};
    List<TpccInput> inputs =
        List.of(
            NewOrder.of(
                1, 3, 77, new int[] {1, 2, 3, 4, 5}, ones, ones, false, WarehouseShards.UNKNOWN),
            new Payment(1, 3, 1, 3, 77, null, BigDecimal.TEN, false),
            new Payment(1, 3, 2, 3, 77, null, BigDecimal.TEN, false),
            new Payment(1, 3, 1, 3, 0, "EINGEINGEING", BigDecimal.TEN, false),
            new OrderStatus(1, 3, 77, null),
            new OrderStatus(1, 3, 0, "EINGEINGEING"));
    for (TpccInput input : inputs) {
      assertThatThrownBy(() -> transactions.execute(input))
          .as(input.toString())
          .isInstanceOf(WrongDataException.class);
      SmallTpcc.rollBack(connection);
    }
    assertThat(SmallTpcc.content(connection)).isEqualTo(before);
  }

  private String customer(int warehouseId, int districtId, int customerId) throws SQLException {
    return rows("SELECT c_balance, c_ytd_payment, c_payment_cnt, c_delivery_cnt FROM bmsql_customer"
            + " WHERE c_w_id = %d AND c_d_id = %d AND c_id = %d"
                .formatted(warehouseId, districtId, customerId))
        .get(0);
  }

  private String customerData(int customerId) throws SQLException {
    return rows("SELECT c_data FROM bmsql_customer WHERE c_w_id = 1 AND c_d_id = 3 AND c_id = "
            + customerId)
        .get(0);
  }

  private List<String> newHistory() throws SQLException {
    return rows(
        "SELECT h_w_id, h_d_id, h_c_w_id, h_c_d_id, h_c_id, h_amount, h_data FROM bmsql_history"
            + " WHERE h_data <> 'first' AND h_date IS NOT NULL ORDER BY h_amount");
  }

  @Test
  void clause2522PaysToTheCentEverywhere() throws SQLException {
    assertThat(
            transactions.execute(
                new Payment(1, 3, 1, 3, 8, null, new BigDecimal("4999.99"), false)))
        .isEqualTo(Outcome.COMMITTED);

    assertThat(rows("SELECT w_ytd FROM bmsql_warehouse ORDER BY w_id"))
        .containsExactly("5999.99", "1000.00");
    assertThat(rows("SELECT d_w_id, d_id, d_ytd FROM bmsql_district WHERE d_ytd <> 100"))
        .containsExactly("1 3 5099.99");
    assertThat(customer(1, 3, 8)).isEqualTo("-5009.99 5009.99 2 0");
    assertThat(customerData(8)).isEqualTo(SmallTpcc.OLD_DATA);
    assertThat(newHistory()).containsExactly("1 3 1 3 8 4999.99 W1    D1-3");
    assertThat(rows("SELECT count(*) FROM bmsql_customer WHERE c_payment_cnt <> 1"))
        .containsExactly("1");
  }

  @Test
  void clause2522ChoosesTheMiddleNamesakeRoundedUp() throws SQLException {
    transactions.execute(
        new Payment(1, 3, 1, 3, 0, SmallTpcc.FOUR_NAMESAKES, new BigDecimal("1.00"), false));
    transactions.execute(
        new Payment(1, 3, 1, 3, 0, SmallTpcc.THREE_NAMESAKES, new BigDecimal("2.00"), false));

    assertThat(newHistory())
        .containsExactly("1 3 1 3 4 1.00 W1    D1-3", "1 3 1 3 6 2.00 W1    D1-3");
    assertThat(customer(1, 3, 4)).isEqualTo("-11.00 11.00 2 0");
    assertThat(customer(1, 3, 6)).isEqualTo("-12.00 12.00 2 0");
  }

  @Test
  void remotePaymentCreditsItsHomeAndDebitsTheRemoteCustomer() throws SQLException {
    transactions.execute(new Payment(1, 3, 2, 9, 8, null, new BigDecimal("1.50"), false));
    transactions.execute(
        new Payment(1, 4, 2, 9, 0, SmallTpcc.FOUR_NAMESAKES, new BigDecimal("2.25"), false));

    assertThat(rows("SELECT w_ytd FROM bmsql_warehouse ORDER BY w_id"))
        .containsExactly("1003.75", "1000.00");
    assertThat(
            rows("SELECT d_w_id, d_id, d_ytd FROM bmsql_district WHERE d_ytd <> 100 ORDER BY 1, 2"))
        .containsExactly("1 3 101.50", "1 4 102.25");
    assertThat(customer(2, 9, 8)).isEqualTo("-11.50 11.50 2 0");
    assertThat(customer(2, 9, 4)).isEqualTo("-12.25 12.25 2 0");
    assertThat(newHistory())
        .containsExactly("1 3 2 9 8 1.50 W1    D1-3", "1 4 2 9 4 2.25 W1    D1-4");
  }

  @Test
  void badCreditRecordsThePaymentInFrontOfTheDataCutTo500() throws SQLException {
    transactions.execute(new Payment(2, 4, 1, 3, 10, null, new BigDecimal("12.30"), false));

    String expected =
        "C_ID=10 C_D_ID=3 C_W_ID=1 D_ID=4 W_ID=2 H_AMOUNT=12.30   " + SmallTpcc.OLD_DATA;
    assertThat(customerData(10)).isEqualTo(expected.substring(0, 500));
    assertThat(customer(1, 3, 10)).isEqualTo("-22.30 22.30 2 0");
  }

  @Test
  void queriesChangeNothingAndEndTheirTransaction() throws SQLException {
    List<String> before = SmallTpcc.content(connection);

    assertThat(transactions.execute(new OrderStatus(1, 3, 8, null))).isEqualTo(Outcome.COMMITTED);
    assertThat(transactions.execute(new OrderStatus(1, 3, 0, SmallTpcc.FOUR_NAMESAKES)))
        .isEqualTo(Outcome.COMMITTED);
    assertThat(transactions.execute(new StockLevel(1, 3, 15))).isEqualTo(Outcome.COMMITTED);

    assertThat(SmallTpcc.content(connection)).isEqualTo(before);
    assertNoTransactionIsOpen();
  }

  @Test
  void clause2742DeliversTheOldestOrderOfEachDistrict() throws SQLException {
    assertThat(transactions.execute(new Delivery.Background(1, 9))).isEqualTo(Outcome.COMMITTED);

    assertThat(
            rows(
                "SELECT no_w_id, no_d_id, min(no_o_id) FROM bmsql_new_order"
                    + " GROUP BY no_w_id, no_d_id ORDER BY 1, 2"))
        .hasSize(20)
        .allMatch(row -> row.endsWith(row.startsWith("1 ") ? " 8" : " 7"));
    assertThat(
            rows(
                "SELECT o_w_id, o_id, count(*) FROM bmsql_oorder WHERE o_carrier_id = 9 GROUP BY o_w_id, o_id"))
        .containsExactly("1 7 10");
    assertThat(
            rows(
                "SELECT ol_w_id, ol_o_id, count(*) FROM bmsql_order_line"
                    + " WHERE ol_delivery_d IS NOT NULL AND ol_o_id > 6 GROUP BY ol_w_id, ol_o_id"))
        .containsExactly("1 7 50");
    // 70.01 + 70.02 + ... + 70.05
    assertThat(customer(1, 3, 4)).isEqualTo("340.15 10.00 1 1");
    assertThat(rows("SELECT count(*) FROM bmsql_customer WHERE c_delivery_cnt = 1"))
        .containsExactly("10");
  }

  @Test
  void clause2742SkipsDistrictsWithoutAnOpenOrder() throws SQLException {
    update("DELETE FROM bmsql_new_order WHERE no_w_id = 1 AND no_d_id IN (1, 5, 10)");

    assertThat(transactions.execute(new Delivery.Background(1, 9)).skipped()).isEqualTo(3);

    assertThat(rows("SELECT count(*) FROM bmsql_oorder WHERE o_carrier_id = 9"))
        .containsExactly("7");
    update("DELETE FROM bmsql_new_order WHERE no_w_id = 1");
    assertThat(transactions.execute(new Delivery.Background(1, 8)).skipped()).isEqualTo(10);
    assertThat(rows("SELECT count(*) FROM bmsql_oorder WHERE o_carrier_id = 8"))
        .containsExactly("0");
  }

  @Test
  void concurrentDeliveriesTakeEachOrderOnce() throws Exception {
    List<Callable<Integer>> work = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      work.add(() -> runAll(List.of(new Delivery.Background(1, 9), new Delivery.Background(1, 9))));
    }

    int skipped = runConcurrently(work);

    // 8 deliveries of 10 districts found 4 open orders in each.
    assertThat(skipped).isEqualTo(2 * THREADS * 10 - OPEN_OF_WAREHOUSE);
    assertThat(rows("SELECT count(*) FROM bmsql_new_order WHERE no_w_id = 1")).containsExactly("0");
    assertThat(rows("SELECT sum(c_delivery_cnt) FROM bmsql_customer"))
        .containsExactly(Integer.toString(OPEN_OF_WAREHOUSE));
    assertConsistent();
  }

  private static final int OPEN_OF_WAREHOUSE = SmallTpcc.DISTRICTS * SmallTpcc.OPEN_ORDERS;

  @Test
  void mixedTransactionsOfSeveralThreadsKeepTheDatabaseConsistent() throws Exception {
    List<Callable<Integer>> work = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      SmallInputs inputs = new SmallInputs(20_261_120L + thread);
      work.add(() -> runAll(IntStream.range(0, 60).mapToObj(i -> inputs.next()).toList()));
    }

    runConcurrently(work);

    assertConsistent();
    assertThat(rows("SELECT count(*) FROM bmsql_oorder WHERE o_id > 10")).doesNotContain("0");
  }

  /**
   * Runs inputs on a connection of its own, again after a conflict, and counts what was skipped.
   */
  private int runAll(List<? extends TpccInput> inputs) throws SQLException {
    int skipped = 0;
    try (Connection own = connect()) {
      TpccTransactions executor = prepare(own);
      for (TpccInput input : inputs) {
        skipped += runToTheEnd(executor, own, input).skipped();
      }
    }
    return skipped;
  }

  private Outcome runToTheEnd(TpccTransactions executor, Connection own, TpccInput input)
      throws SQLException {
    while (true) {
      try {
        return executor.execute(input);
      } catch (SQLException e) {
        SqlErrorClass error = Dialect.of(kind()).classify(e);
        if (error != SqlErrorClass.DEADLOCK && error != SqlErrorClass.SERIALIZATION_FAILURE) {
          throw e;
        }
        SmallTpcc.rollBack(own);
      }
    }
  }

  private static int runConcurrently(List<Callable<Integer>> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(work.size());
    try {
      int sum = 0;
      for (Future<Integer> result : threads.invokeAll(work)) {
        sum += result.get();
      }
      return sum;
    } finally {
      threads.shutdownNow();
    }
  }

  /** All conditions but those of the population's size and its first rows. */
  private void assertConsistent() throws SQLException, InterruptedException {
    List<ConditionResult> failed =
        new Verifier(this::connect, kind(), 1)
            .run(new TpccConditions()).results().stream()
                .filter(result -> result.clause().startsWith("3.3.2."))
                .filter(result -> result.verdict() != Verdict.PASS)
                .filter(result -> result.verdict() != Verdict.NOT_APPLICABLE)
                .toList();
    assertThat(failed).isEmpty();
    assertThat(rows("SELECT count(*) FROM bmsql_stock WHERE s_quantity < 10 OR s_quantity > 100"))
        .containsExactly("0");
  }

  final void update(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
    SmallTpcc.commit(connection);
  }
}
