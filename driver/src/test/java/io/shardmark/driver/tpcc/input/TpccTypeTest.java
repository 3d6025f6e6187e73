package io.shardmark.driver.tpcc.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.TransactionType;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TpccTypeTest {
  @ParameterizedTest
  @CsvSource({
    "NEW_ORDER, 18, 12, 5",
    "PAYMENT, 3, 12, 5",
    "ORDER_STATUS, 2, 10, 5",
    "STOCK_LEVEL, 2, 5, 20",
    "DELIVERY, 2, 5, 5",
    "DELIVERY_BG, 0, 0, 80"
  })
  void clause525SetsKeyingAndThinkTimesAndLimits(
      String name, int keyingSeconds, int thinkSeconds, int limitSeconds) {
    TransactionType type = TpccType.valueOf(name).type();

    assertThat(type.name()).isEqualTo(name);
    assertThat(type.keyingTime()).hasSeconds(keyingSeconds);
    assertThat(type.meanThinkTime()).hasSeconds(thinkSeconds);
    assertThat(type.responseTimeLimit()).isEqualTo(Duration.ofSeconds(limitSeconds));
    assertThat(TpccType.all().get(type.index())).isEqualTo(type);
    assertThat(type.headline()).isEqualTo(name.equals("NEW_ORDER"));
    assertThat(type.counted()).isEqualTo(!name.equals("DELIVERY_BG"));
  }
}
