package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;
import java.util.List;

/** TPC-C's types as result files know them. */
public final class TestTypes {
  public static final int NEW_ORDER = 0;
  public static final int PAYMENT = 1;
  public static final int ORDER_STATUS = 2;
  public static final int STOCK_LEVEL = 3;
  public static final int DELIVERY = 4;
  public static final int DELIVERY_BG = 5;

  public static final List<TransactionType> TPCC =
      List.of(
          type(NEW_ORDER, "NEW_ORDER", true, true, 5),
          type(PAYMENT, "PAYMENT", false, true, 5),
          type(ORDER_STATUS, "ORDER_STATUS", false, true, 5),
          type(STOCK_LEVEL, "STOCK_LEVEL", false, true, 20),
          type(DELIVERY, "DELIVERY", false, true, 5),
          type(DELIVERY_BG, "DELIVERY_BG", false, false, 80));

  public static final MetricRule TPM_C =
      MetricRule.rate("tpmC", "/min", MetricRule.Computation.COMMITS_PER_MINUTE, "NEW_ORDER");
  public static final MetricRule TPM_TOTAL =
      MetricRule.rate("tpmTotal", "/min", MetricRule.Computation.COMMITS_PER_MINUTE);

  private TestTypes() {}

  private static TransactionType type(
      int index, String name, boolean headline, boolean counted, int limitSeconds) {
    return new TransactionType(
        index,
        name,
        headline,
        counted,
        Duration.ZERO,
        Duration.ZERO,
        Duration.ofSeconds(limitSeconds),
        1);
  }
}
