package io.shardmark.driver.tpcc.acid;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.tpcc.acid.Breakpoint.Resume;
import io.shardmark.driver.tpcc.acid.TestSession.Running;
import io.shardmark.driver.tpcc.input.Delivery;
import io.shardmark.driver.tpcc.input.NewOrder;
import io.shardmark.driver.tpcc.input.OrderStatus;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/**
 * TPC-C 3.4.2.1 to 3.4.2.9, each with the steps as the clause prints them. The clause permits
 * several outcomes in most of them (the second transaction waits, is aborted, or meets no
 * conflict); which one came is part of the result.
 */
record IsolationTests(ConnectionSource connections, DatabaseKind database, TestData data) {
  private static final int CARRIER = 7;
  private static final String REPEATED = " and repeated";
  private static final String PRICES = "prices change during a New-Order";

  private TestSession session() throws SQLException {
    return new TestSession(connections, database);
  }

  private OrderStatus orderStatus() {
    return new OrderStatus(TestData.WAREHOUSE, data.district, data.customer, null);
  }

  private static Running stopped(Running running) throws InterruptedException {
    if (!running.isStopped()) {
      throw new AcidTestException(
          "the first transaction ended before it was to stop: " + running.end().message());
    }
    return running;
  }

  /**
   * Runs a transaction while the first one has stopped, and ends the first one. What the server
   * aborts is repeated, as its message asks for.
   *
   * @return what became of the second, as the end of a sentence
   */
  private static String conflict(TestSession session, Transaction input, Running first, Resume end)
      throws InterruptedException {
    Running second = session.begin(input, Breakpoint.beforeCommit());
    second.resume(Resume.CONTINUE);
    boolean waited = second.isUnfinished();
    first.resume(end);
    requireDone(first.end());
    TransactionEnd ended = done(second.end(), "second", () -> session.run(input));
    return (waited ? "waited" : "did not wait") + aborted(ended, REPEATED);
  }

  /** A transaction that is executed again. */
  @FunctionalInterface
  private interface SecondTry {
    TransactionEnd run() throws InterruptedException;
  }

  /**
   * Repeats a transaction that the server has aborted.
   *
   * @return how it ended at first
   * @throws AcidTestException if it failed, or does not succeed when it is repeated
   */
  private static TransactionEnd done(TransactionEnd end, String which, SecondTry secondTry)
      throws InterruptedException {
    if (permitted(end, which).isAborted()) {
      requireDone(secondTry.run(), which);
    }
    return end;
  }

  /**
   * An end that the clause permits.
   *
   * @throws AcidTestException if an error ended it that has nothing to do with others
   */
  private static TransactionEnd permitted(TransactionEnd end, String which) {
    if (!end.isAborted()) {
      requireDone(end, which);
    }
    return end;
  }

  private static void requireDone(TransactionEnd end, String which) {
    if (!end.isDone()) {
      throw new AcidTestException("the %s transaction failed: %s".formatted(which, end.message()));
    }
  }

  private static void requireDone(TransactionEnd end) {
    requireDone(end, "first");
  }

  /** 3.4.2.1 and 3.4.2.2: an Order-Status while a New-Order of its customer is not committed. */
  AcidResult orderStatusMeetsNewOrder(String clause, Resume end)
      throws SQLException, InterruptedException {
    String title = "Order-Status during a New-Order " + thatIs(end);
    try (TestSession first = session();
        TestSession second = session()) {
      int before = data.lastOrderOfCustomer();
      Running newOrder = stopped(first.begin(data.order(), Breakpoint.beforeCommit()));
      Running status = second.begin(orderStatus(), Breakpoint.afterQuery("bmsql_oorder", 1));
      boolean waited = status.waits();
      newOrder.resume(end);
      requireDone(newOrder.end());
      int made = first.orderKey().get(0);
      status.resume(Resume.CONTINUE);
      TransactionEnd ended = permitted(status.end(), "second");
      if (ended.isAborted()) {
        return new AcidResult(
            clause, title, AcidVerdict.PASS, "Order-Status was aborted: " + ended.sqlState());
      }
      int seen = ((Number) second.reads().get(0).get(0)).intValue();
      boolean uncommitted = seen == made && (!waited || end == Resume.ROLL_BACK);
      boolean kept = (data.lastOrderOfCustomer() == made) == (end == Resume.CONTINUE);
      return new AcidResult(
          clause,
          title,
          !uncommitted && kept && (seen == before || seen == made)
              ? AcidVerdict.PASS
              : AcidVerdict.FAIL,
          "Order-Status %s and saw order %d (before: %d, the New-Order's: %d)"
              .formatted(waited ? "waited" : "did not wait", seen, before, made));
    }
  }

  /** 3.4.2.3 and 3.4.2.4: two New-Orders of one customer at once. */
  AcidResult newOrderMeetsNewOrder(String clause, Resume end)
      throws SQLException, InterruptedException {
    try (TestSession first = session();
        TestSession second = session()) {
      int next = data.nextOrder();
      Running one = stopped(first.begin(data.order(), Breakpoint.beforeCommit()));
      String conflict = conflict(second, data.order(), one, end);
      int committed = end == Resume.CONTINUE ? 2 : 1;
      int expected = next + committed - 1;
      int number = second.orderKey().get(0);
      int after = data.nextOrder();
      return new AcidResult(
          clause,
          "New-Order during a New-Order " + thatIs(end),
          first.orderKey().get(0) == next && number == expected && after == next + committed
              ? AcidVerdict.PASS
              : AcidVerdict.FAIL,
          "the second New-Order %s; its order is %d (expected %d), next is %d (expected %d)"
              .formatted(conflict, number, expected, after, next + committed));
    }
  }

  /** 3.4.2.5 and 3.4.2.6: a Payment of a customer whose order is being delivered. */
  AcidResult paymentMeetsDelivery(String clause, Resume end)
      throws SQLException, InterruptedException {
    try (TestSession first = session();
        TestSession second = session()) {
      if (data.oldestOpenOrder().isEmpty()) {
        requireDone(first.run(data.order()));
      }
      int order = data.oldestOpenOrder().orElseThrow();
      int customer = data.customerOf(order);
      BigDecimal before = data.balance(customer);
      BigDecimal amount = data.amountOf(order);
      Running delivery = stopped(first.begin(delivery(), Breakpoint.beforeCommit()));
      String conflict = conflict(second, data.payment(customer), delivery, end);
      BigDecimal expected =
          before
              .subtract(TestData.amountPaid())
              .add(end == Resume.CONTINUE ? amount : BigDecimal.ZERO);
      BigDecimal after = data.balance(customer);
      return new AcidResult(
          clause,
          "Payment during a Delivery " + thatIs(end),
          after.compareTo(expected) == 0 ? AcidVerdict.PASS : AcidVerdict.FAIL,
          "the Payment %s; the balance is %s (expected %s)".formatted(conflict, after, expected));
    }
  }

  private static Transaction delivery() {
    return new Delivery.Background(TestData.WAREHOUSE, CARRIER);
  }

  /** 3.4.2.7: the prices that a New-Order reads change between its reads. */
  AcidResult pricesStay(boolean promised) throws SQLException, InterruptedException {
    List<BigDecimal> prices = data.prices();
    try {
      return pricesStay(prices, promised);
    } finally {
      try (TestSession last = session()) {
        requireDone(run(last, connection -> setPrices(connection, prices)), "last");
      }
    }
  }

  private AcidResult pricesStay(List<BigDecimal> prices, boolean promised)
      throws SQLException, InterruptedException {
    try (TestSession second = session();
        TestSession third = session()) {
      Running newOrder =
          stopped(second.begin(data.order(), Breakpoint.beforeQuery("bmsql_item", 2)));
      TestSession.SessionWork change = connection -> setPrices(connection, raised(prices));
      Running raise = third.begin(change);
      boolean waited = raise.waits();
      raise.resume(Resume.CONTINUE);
      TransactionEnd raised =
          waited ? TransactionEnd.DONE : done(raise.end(), "third", () -> run(third, change));
      newOrder.resume(Resume.CONTINUE);
      TransactionEnd ended = permitted(newOrder.end(), "second");
      raised = waited ? permitted(raise.end(), "third") : raised;
      String sentence =
          "the change of prices %s%s"
              .formatted(
                  waited ? "waited" : "did not wait", aborted(raised, waited ? "" : REPEATED));
      if (ended.isAborted()) {
        return result(
            "3.4.2.7",
            PRICES,
            true,
            promised,
            sentence + "; the New-Order was aborted: " + ended.sqlState());
      }
      int order = second.orderKey().get(0);
      List<BigDecimal> amounts = data.amounts(order);
      List<BigDecimal> expected = List.of(prices.get(0), prices.get(0), prices.get(1));
      requireDone(run(third, connection -> data.setAmounts(connection, order, expected)), "last");
      return result(
          "3.4.2.7",
          PRICES,
          TestData.areEqual(amounts, expected),
          promised,
          sentence
              + "; the order's lines cost %s (before the change: %s)".formatted(amounts, expected));
    }
  }

  /** By ten per cent, to whole cents. */
  private static List<BigDecimal> raised(List<BigDecimal> prices) {
    return prices.stream()
        .map(price -> price.multiply(new BigDecimal("1.10")))
        .map(price -> price.setScale(2, RoundingMode.UP))
        .toList();
  }

  private static TransactionEnd run(TestSession session, TestSession.SessionWork work)
      throws InterruptedException {
    Running running = session.begin(work);
    running.resume(Resume.CONTINUE);
    return running.end();
  }

  private void setPrices(Connection connection, List<BigDecimal> prices) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE bmsql_item SET i_price = ? WHERE i_id = ?")) {
      List<Integer> items = List.of(data.lowItem, data.highItem);
      for (int i = 0; i < items.size(); i++) {
        update.setBigDecimal(1, prices.get(i));
        update.setInt(2, items.get(i));
        update.executeUpdate();
      }
    }
  }

  /** 3.4.2.8: an Order-Status reads its customer's last order twice, around a New-Order. */
  AcidResult noPhantomOrder(boolean promised) throws SQLException, InterruptedException {
    return repeated(
        "3.4.2.8",
        "New-Order during an Order-Status",
        orderStatus(),
        Breakpoint.afterQuery("bmsql_oorder", 1),
        promised);
  }

  /** 3.4.2.9: a Delivery finds no open order in a district twice, around a New-Order. */
  AcidResult noPhantomOpenOrder(boolean promised) throws SQLException, InterruptedException {
    try (TestSession session = session()) {
      requireDone(run(session, data::deliverAll));
    }
    return repeated(
        "3.4.2.9",
        "New-Order during a Delivery",
        delivery(),
        // It asks district by district.
        Breakpoint.afterQuery("bmsql_new_order", data.district),
        promised);
  }

  private AcidResult repeated(
      String clause, String title, Transaction reader, Breakpoint breakpoint, boolean promised)
      throws SQLException, InterruptedException {
    try (TestSession first = session();
        TestSession second = session()) {
      Running reading = stopped(first.begin(reader, breakpoint));
      NewOrder order = data.order();
      Running newOrder = second.begin(order, Breakpoint.beforeCommit());
      newOrder.resume(Resume.CONTINUE);
      boolean waited = newOrder.isUnfinished();
      // Without an order between them the reads would be equal for nothing.
      TransactionEnd written =
          waited ? TransactionEnd.DONE : done(newOrder.end(), "second", () -> second.run(order));
      reading.resume(Resume.CONTINUE);
      TransactionEnd ended = permitted(reading.end(), "first");
      written = waited ? done(newOrder.end(), "second", () -> second.run(order)) : written;
      List<List<Object>> reads = first.reads();
      String sentence =
          "the New-Order %s%s; "
              .formatted(waited ? "waited" : "did not wait", aborted(written, REPEATED));
      return ended.isDone()
          ? result(
              clause,
              title,
              Objects.equals(reads.get(0), reads.get(1)),
              promised,
              sentence + "the reads gave %s and %s".formatted(reads.get(0), reads.get(1)))
          : result(
              clause,
              title,
              true,
              promised,
              sentence + "the reader was aborted: " + ended.sqlState());
    }
  }

  private static AcidResult result(
      String clause, String title, boolean holds, boolean promised, String outcome) {
    AcidVerdict verdict =
        holds ? AcidVerdict.PASS : promised ? AcidVerdict.FAIL : AcidVerdict.PERMITTED;
    return new AcidResult(clause, title, verdict, outcome);
  }

  private static String aborted(TransactionEnd end, String then) {
    return end.isDone() ? "" : ", was aborted (%s)%s".formatted(end.sqlState(), then);
  }

  private static String thatIs(Resume end) {
    return end == Resume.CONTINUE ? "that commits" : "that is rolled back";
  }
}
