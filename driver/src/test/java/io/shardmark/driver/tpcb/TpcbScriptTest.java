package io.shardmark.driver.tpcb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.benchmark.OperationMix;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TpcbScriptTest {
  @Test
  void withoutTheKeyItIsPgbenchsStandardTransaction() {
    assertThat(TpcbScript.mix(SmallTpcb.values()).parts())
        .extracting(OperationMix.WeightedOperation::operation)
        .containsExactly(TpcbScript.TPCB_LIKE);
  }

  @Test
  void weightsAreShares() {
    OperationMix<TpcbScript> mix =
        TpcbScript.mix(SmallTpcb.values("transactions=tpcb-like@1, no-history@0, select-only@3"));
    assertThat(mix.types())
        .extracting("name")
        .containsExactly("TPCB_LIKE", "NO_HISTORY", "SELECT_ONLY");
    SplittableRandom random = new SplittableRandom(3);
    int[] drawn = new int[3];
    for (int i = 0; i < 10_000; i++) {
      drawn[mix.draw(random).type().index()]++;
    }
    assertThat(drawn[0]).isBetween(2300, 2700);
    assertThat(drawn[1]).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tpcb | expected tpcb-like, simple-update, no-history, select-only",
        "tpcb-like@x | expected name@weight",
        "tpcb-like@-1 | expected name@weight",
        "tpcb-like, tpcb-like@2 | expected each transaction once",
        "tpcb-like@0, select-only@0 | expected a weight above 0"
      })
  void wrongListsAreNamed(String list, String message) {
    assertThatThrownBy(() -> TpcbScript.mix(SmallTpcb.values("transactions=" + list)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void sizesAreByOneOfTwoKeys() {
    assertThat(TpcbScale.of(SmallTpcb.values("scale=3"))).isEqualTo(new TpcbScale(3, 30, 300_000));
    assertThat(TpcbScale.of(SmallTpcb.values("rowsPerTable=50")))
        .isEqualTo(new TpcbScale(50, 50, 50));
    assertThatThrownBy(() -> TpcbScale.of(SmallTpcb.values("rowsPerTable=50", "scale=3")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("scale and rowsPerTable are both set");
  }
}
