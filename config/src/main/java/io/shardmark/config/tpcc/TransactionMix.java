package io.shardmark.config.tpcc;

import static io.shardmark.config.tpcc.TpccKey.DELIVERY_WEIGHT;
import static io.shardmark.config.tpcc.TpccKey.NEW_ORDER_WEIGHT;
import static io.shardmark.config.tpcc.TpccKey.ORDER_STATUS_WEIGHT;
import static io.shardmark.config.tpcc.TpccKey.PAYMENT_WEIGHT;
import static io.shardmark.config.tpcc.TpccKey.STOCK_LEVEL_WEIGHT;

import io.shardmark.config.ConfigException;
import io.shardmark.config.PropertyReader;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/**
 * Shares of the five transactions in percent; they add up to 100. With BenchmarkSQL 5.0's integer
 * weights the part that is missing to 100 has been given to New-Order already.
 */
public record TransactionMix(
    double newOrder, double payment, double orderStatus, double delivery, double stockLevel) {
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private static final List<TpccKey> KEYS =
      List.of(
          NEW_ORDER_WEIGHT,
          PAYMENT_WEIGHT,
          ORDER_STATUS_WEIGHT,
          DELIVERY_WEIGHT,
          STOCK_LEVEL_WEIGHT);

  /**
   * Reads the five weights by BenchmarkSQL's two rules. All five there and whole numbers: 5.0's
   * rule, at most 100 in sum, New-Order gets what is missing. Otherwise 5.1's rule: missing ones
   * have defaults, and the sum rounded to two decimals is 100. Files that both versions accept give
   * the same mix by either rule. What New-Order's own weight says beyond the rule does not matter,
   * as there.
   */
  static TransactionMix read(PropertyReader reader) {
    BigDecimal sum = sum(reader);
    if (sum.signum() == 0) {
      throw wrongSum(reader, sum, "at least one above 0");
    }
    if (isVersion50(reader)) {
      if (sum.compareTo(HUNDRED) > 0) {
        throw wrongSum(reader, sum, "at most 100, the rule for five whole numbers");
      }
    } else if (sum.setScale(2, RoundingMode.HALF_UP).compareTo(HUNDRED) != 0) {
      throw wrongSum(reader, sum, "100 when rounded to two decimals");
    }
    BigDecimal newOrder = HUNDRED.subtract(sum).add(reader.decimal(NEW_ORDER_WEIGHT));
    return new TransactionMix(
        newOrder.max(BigDecimal.ZERO).doubleValue(),
        reader.decimal(PAYMENT_WEIGHT).doubleValue(),
        reader.decimal(ORDER_STATUS_WEIGHT).doubleValue(),
        reader.decimal(DELIVERY_WEIGHT).doubleValue(),
        reader.decimal(STOCK_LEVEL_WEIGHT).doubleValue());
  }

  /**
   * What is accepted but may not be meant.
   *
   * @throws ConfigException where {@link #read} does
   */
  static List<String> warnings(PropertyReader reader) {
    read(reader);
    BigDecimal sum = sum(reader);
    BigDecimal rest = HUNDRED.subtract(sum);
    return isVersion50(reader) && rest.signum() > 0
        ? List.of(
            reader.inFile(
                "the weights add up to %s: the %s missing to 100 go to New-Order, as in BenchmarkSQL 5.0"
                    .formatted(sum.toPlainString(), rest.toPlainString()),
                KEYS))
        : List.of();
  }

  private static boolean isVersion50(PropertyReader reader) {
    return KEYS.stream().allMatch(key -> reader.has(key) && reader.decimal(key).scale() <= 0);
  }

  private static BigDecimal sum(PropertyReader reader) {
    return KEYS.stream().map(reader::decimal).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static ConfigException wrongSum(PropertyReader reader, BigDecimal sum, String expected) {
    return reader.problem(
        "newOrderWeight + paymentWeight + orderStatusWeight + deliveryWeight + stockLevelWeight"
            + " = %s: expected %s".formatted(sum.toPlainString(), expected),
        KEYS);
  }
}
