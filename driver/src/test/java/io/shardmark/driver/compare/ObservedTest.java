package io.shardmark.driver.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.compare.Observed.OverTime;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ObservedTest {
  @Test
  void widerBucketsHoldAllThatHappenedInTheirTime() {
    OverTime seconds =
        new OverTime(1, List.of(1.0, 3.0, 0.0, 0.0, 5.0), List.of(10.0, 60.0, 0.0, 0.0, 5.0));

    OverTime pairs = seconds.in(2);

    assertThat(pairs.successes()).containsExactly(4.0, 0.0);
    assertThat(pairs.meanMillis()).containsExactly(17.5, Double.NaN);
    assertThat(pairs.per(60)).containsExactly(120.0, 0.0);
  }
}
