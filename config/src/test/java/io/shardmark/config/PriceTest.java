package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PriceTest {
  private static ResultConfig result(String price) {
    return BenchmarkProperties.parse(
            TestCatalog.TPCC, Path.of("props"), "", Map.of("systemPrice", price))
        .result();
  }

  @Test
  void aPriceIsANumberWithOrWithoutItsCurrency() {
    assertThat(Price.find("12500 USD")).contains(new Price(12500, "USD"));
    assertThat(Price.find(" 3.2 ")).contains(new Price(3.2, ""));
    assertThat(result("0.75 EUR")).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cheap", "0", "-5 USD", "12,500 USD", "12500 dollars", "1e4", "USD 5"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> result(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a number above 0 and a currency, such as 12500 USD");
  }
}
