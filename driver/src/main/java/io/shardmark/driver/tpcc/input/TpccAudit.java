package io.shardmark.driver.tpcc.input;

import io.shardmark.config.tpcc.TpccConfig;
import io.shardmark.config.tpcc.TransactionMix;
import io.shardmark.driver.benchmark.AuditRule;
import java.util.List;

/**
 * What TPC-C bounds in the input of a measurement interval: 5.2.3 (the mix) and 9.2.2.5 (shares and
 * line counts). The counters are those that {@link
 * io.shardmark.driver.benchmark.Transaction#countInto} adds to.
 */
public final class TpccAudit {
  static final int TRANSACTIONS = 0;
  static final int NEW_ORDERS = 1;
  static final int NEW_ORDER_LINES = 2;
  static final int NEW_ORDER_REMOTE_LINES = 3;
  static final int NEW_ORDER_ROLLBACKS = 4;
  static final int PAYMENTS = 5;
  static final int PAYMENTS_REMOTE = 6;
  static final int PAYMENTS_BY_NAME = 7;
  static final int ORDER_STATUSES = 8;
  static final int ORDER_STATUSES_BY_NAME = 9;
  static final int STOCK_LEVELS = 10;
  static final int DELIVERIES = 11;
  public static final int COUNTERS = 12;

  private TpccAudit() {}

  public static List<AuditRule> rules(TpccConfig config, int warehouses) {
    TransactionMix mix = config.mix();
    String remoteLines =
        remoteNotApplicable(warehouses, "newOrderRemotePercent", config.newOrderRemotePercent(), 1);
    String remotePayments =
        remoteNotApplicable(warehouses, "paymentRemotePercent", config.paymentRemotePercent(), 15);
    return List.of(
        share("Payment", PAYMENTS, mix.payment(), 43),
        share("Order-Status", ORDER_STATUSES, mix.orderStatus(), 4),
        share("Delivery", DELIVERIES, mix.delivery(), 4),
        share("Stock-Level", STOCK_LEVELS, mix.stockLevel(), 4),
        percent("9.2.2.5.1", "New-Orders rolled back", NEW_ORDER_ROLLBACKS, NEW_ORDERS, 0.9, 1.1),
        new AuditRule(
            "9.2.2.5.1",
            "order lines per New-Order",
            AuditRule.AuditUnit.AVERAGE,
            NEW_ORDER_LINES,
            NEW_ORDERS,
            9.5,
            10.5,
            ""),
        percent(
                "9.2.2.5.1",
                "order lines from a remote warehouse",
                NEW_ORDER_REMOTE_LINES,
                NEW_ORDER_LINES,
                0.95,
                1.05)
            .unless(remoteLines),
        percent("9.2.2.5.2", "Payments by a remote customer", PAYMENTS_REMOTE, PAYMENTS, 14, 16)
            .unless(remotePayments),
        percent("9.2.2.5.2", "Payments by last name", PAYMENTS_BY_NAME, PAYMENTS, 57, 63),
        percent(
            "9.2.2.5.3",
            "Order-Statuses by last name",
            ORDER_STATUSES_BY_NAME,
            ORDER_STATUSES,
            57,
            63));
  }

  /** TPC-C 5.2.3 sets minimum shares; New-Order has none and takes what is left. */
  private static AuditRule share(String name, int counter, double weight, double minimum) {
    return percent("5.2.3", name + " share of the mix", counter, TRANSACTIONS, minimum, 100)
        .unless(
            weight < minimum
                ? "weight %s is below the minimum share of %s".formatted(weight, minimum)
                : "");
  }

  private static String remoteNotApplicable(
      int warehouses, String key, double chosen, double specified) {
    if (warehouses == 1) {
      return "one warehouse has no remote one";
    }
    return chosen == specified ? "" : "%s=%s was chosen".formatted(key, chosen);
  }

  private static AuditRule percent(
      String clause, String description, int numerator, int denominator, double low, double high) {
    return new AuditRule(
        clause, description, AuditRule.AuditUnit.PERCENT, numerator, denominator, low, high, "");
  }
}
