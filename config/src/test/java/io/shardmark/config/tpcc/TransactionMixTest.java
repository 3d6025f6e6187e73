package io.shardmark.config.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.KeyCatalog;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weights are listed as new order, payment, order status, delivery, stock level; - is missing. */
final class TransactionMixTest {
  private static final List<String> KEYS =
      List.of(
          "newOrderWeight",
          "paymentWeight",
          "orderStatusWeight",
          "deliveryWeight",
          "stockLevelWeight");

  private static BenchmarkProperties weights(String list) {
    StringBuilder text = new StringBuilder("warehouses=1\nterminals=1\nrunMins=1\n");
    String[] values = list.trim().split(" +", -1);
    for (int i = 0; i < KEYS.size(); i++) {
      if (!values[i].equals("-")) {
        text.append(KEYS.get(i)).append('=').append(values[i]).append('\n');
      }
    }
    return BenchmarkProperties.parse(
        new KeyCatalog(Map.of("tpcc", List.of(TpccKey.values()))),
        Path.of("props.pg"),
        text.toString(),
        Map.of());
  }

  private static TransactionMix mix(String list) {
    return TpccConfig.read(weights(list).values(), 1).mix();
  }

  @ParameterizedTest
  @CsvSource({
    // Five whole numbers: BenchmarkSQL 5.0's rule.
    "45 43 4 4 4, 45, 43, 4, 4, 4",
    "1 43 4 4 4, 45, 43, 4, 4, 4",
    "0 0 0 0 50, 50, 0, 0, 0, 50",
    "0 100 0 0 0, 0, 100, 0, 0, 0",
    "100 0 0 0 0, 100, 0, 0, 0, 0",
    // One that is not whole, or missing: 5.1's rule.
    "45.0 43 4 4 4, 45, 43, 4, 4, 4",
    "44.5 43.5 4 4 4, 44.5, 43.5, 4, 4, 4",
    "45.001 43 4 4 4, 45, 43, 4, 4, 4",
    "44.997 43 4 4 4, 45, 43, 4, 4, 4",
    "- - - - -, 43.47826, 43.47826, 4.347827, 4.347826, 4.347827",
    "43.47826 - - - -, 43.47826, 43.47826, 4.347827, 4.347826, 4.347827",
    "- 43.48 4.34 4.35 4.35, 43.48, 43.48, 4.34, 4.35, 4.35"
  })
  void followsTheRuleOfTheVersion(
      String list, double newOrder, double payment, double status, double delivery, double stock) {
    TransactionMix mix = mix(list);

    assertThat(mix.newOrder()).isCloseTo(newOrder, within(1e-9));
    assertThat(mix.payment()).isEqualTo(payment);
    assertThat(mix.orderStatus()).isEqualTo(status);
    assertThat(mix.delivery()).isEqualTo(delivery);
    assertThat(mix.stockLevel()).isEqualTo(stock);
    assertThat(newOrder + payment + status + delivery + stock).isCloseTo(100, within(0.001));
  }

  @ParameterizedTest
  @CsvSource({
    "45 43 4 4 5, '101: expected at most 100, the rule for five whole numbers'",
    "50 50 50 50 50, '250: expected at most 100, the rule for five whole numbers'",
    "0 0 0 0 0, '0: expected at least one above 0'",
    "0.0 0 0 0 0, '0.0: expected at least one above 0'",
    "44.9 43 4 4 4, '99.9: expected 100 when rounded to two decimals'",
    "45.01 43 4 4 4, '100.01: expected 100 when rounded to two decimals'",
    "- 43 4 4 4, '98.47826: expected 100 when rounded to two decimals'"
  })
  void refusesSums(String list, String end) {
    assertThatThrownBy(() -> mix(list))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "props.pg: newOrderWeight + paymentWeight + orderStatusWeight + deliveryWeight"
                + " + stockLevelWeight = "
                + end);
  }

  @ParameterizedTest
  @CsvSource({
    "-1 43 4 4 4, 'props.pg:4: newOrderWeight=-1: expected a number from 0 to 100'",
    "45 43 4 x 4, 'props.pg:7: deliveryWeight=x: expected a number from 0 to 100'",
    "45 101 4 4 4, 'props.pg:5: paymentWeight=101: expected a number from 0 to 100'"
  })
  void refusesWeights(String list, String message) {
    assertThatThrownBy(() -> mix(list)).isInstanceOf(ConfigException.class).hasMessage(message);
  }

  @Test
  void saysWhenNewOrderGetsTheRest() {
    assertThat(TpccConfig.warnings(weights("40 43 4 4 4").values()))
        .containsExactly(
            "props.pg: the weights add up to 95: the 5 missing to 100 go to New-Order,"
                + " as in BenchmarkSQL 5.0");
    assertThat(TpccConfig.warnings(weights("45 43 4 4 4").values())).isEmpty();
    assertThat(TpccConfig.warnings(weights("- - - - -").values())).isEmpty();
  }
}
