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
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the five weights by BenchmarkSQL's two rules. All five there and whole numbers: 5.0's rule,
 * at most 100 in sum, New-Order gets what is missing. Otherwise 5.1's rule: missing ones have
 * defaults, and the sum rounded to two decimals is 100. Files that both versions accept give the
 * same mix by either rule.
 */
final class TransactionMixReader {
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private static final List<TpccKey> KEYS =
      List.of(
          NEW_ORDER_WEIGHT,
          PAYMENT_WEIGHT,
          ORDER_STATUS_WEIGHT,
          DELIVERY_WEIGHT,
          STOCK_LEVEL_WEIGHT);

  private final PropertyReader reader;
  private final Map<TpccKey, BigDecimal> weights = new EnumMap<>(TpccKey.class);

  TransactionMixReader(PropertyReader reader) {
    this.reader = reader;
  }

  /** The mix; what New-Order's own weight says beyond the rule does not matter, as there. */
  TransactionMix read() {
    KEYS.forEach(key -> weights.put(key, reader.decimal(key)));
    BigDecimal sum = sum();
    if (weights.values().stream().allMatch(weight -> weight.signum() == 0)) {
      throw wrongSum(sum, "at least one above 0");
    }
    if (isVersion50()) {
      if (sum.compareTo(HUNDRED) > 0) {
        throw wrongSum(sum, "at most 100, the rule for five whole numbers");
      }
    } else if (sum.setScale(2, RoundingMode.HALF_UP).compareTo(HUNDRED) != 0) {
      throw wrongSum(sum, "100 when rounded to two decimals");
    }
    BigDecimal newOrder = HUNDRED.subtract(sum).add(of(NEW_ORDER_WEIGHT)).max(BigDecimal.ZERO);
    return new TransactionMix(
        newOrder.doubleValue(),
        of(PAYMENT_WEIGHT).doubleValue(),
        of(ORDER_STATUS_WEIGHT).doubleValue(),
        of(DELIVERY_WEIGHT).doubleValue(),
        of(STOCK_LEVEL_WEIGHT).doubleValue());
  }

  /** To be asked after {@link #read}. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    BigDecimal rest = HUNDRED.subtract(sum());
    if (isVersion50() && rest.signum() > 0) {
      warnings.add(
          reader.inFile(
              "the weights add up to %s: the %s missing to 100 go to New-Order, as in BenchmarkSQL 5.0"
                  .formatted(sum().toPlainString(), rest.toPlainString()),
              KEYS));
    }
    return warnings;
  }

  private boolean isVersion50() {
    return weights.keySet().stream().allMatch(key -> reader.has(key) && of(key).scale() <= 0);
  }

  private BigDecimal sum() {
    return weights.values().stream().reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private BigDecimal of(TpccKey key) {
    return weights.getOrDefault(key, BigDecimal.ZERO);
  }

  private ConfigException wrongSum(BigDecimal sum, String expected) {
    return reader.problem(
        "newOrderWeight + paymentWeight + orderStatusWeight + deliveryWeight + stockLevelWeight"
            + " = %s: expected %s".formatted(sum.toPlainString(), expected),
        KEYS);
  }
}
