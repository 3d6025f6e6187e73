package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * The transactions of TPC-C with their keying times (5.2.5.2), mean think times (5.2.5.4) and 90th
 * percentile response time limits (5.2.5.3; 2.7.2.3 for the deferred part of Delivery). Constants
 * are in the order of BenchmarkSQL's reports.
 */
public enum TpccType {
  NEW_ORDER(0, true, true, 18, 12, 5),
  PAYMENT(1, false, true, 3, 12, 5),
  ORDER_STATUS(2, false, true, 2, 10, 5),
  STOCK_LEVEL(3, false, true, 2, 5, 20),
  DELIVERY(4, false, true, 2, 5, 5),
  /**
   * The deferred part of a Delivery: executed apart from the terminal, so it has neither keying nor
   * think time.
   */
  DELIVERY_BG(5, false, false, 0, 0, 80);

  private static final TpccType[] BY_INDEX = values();

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values
  private final TransactionType type;

  TpccType(
      int index,
      boolean headline,
      boolean counted,
      int keyingSeconds,
      int thinkSeconds,
      int limitSeconds) {
    type =
        new TransactionType(
            index,
            name(),
            headline,
            counted,
            Duration.ofSeconds(keyingSeconds),
            Duration.ofSeconds(thinkSeconds),
            Duration.ofSeconds(limitSeconds),
            1);
  }

  public TransactionType type() {
    return type;
  }

  static TpccType of(TransactionType type) {
    return BY_INDEX[type.index()];
  }

  public static List<TransactionType> all() {
    return Arrays.stream(values()).map(TpccType::type).toList();
  }
}
