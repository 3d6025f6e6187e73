package io.shardmark.driver.adversity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.MadeSeconds;
import io.shardmark.driver.measure.SampleSink;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SecondTalliesTest {
  @Test
  void keepsCountsAndLatenciesOfEachSecond() {
    SecondTallies tallies = new SecondTallies(SampleSink.NONE);
    tallies.second(0, MadeSeconds.ofHundred(List.of(TransactionType.unpaced(0, "ONE", 1))));

    RunSeconds seconds = tallies.of(2_500_000_000L);
    assertThat(seconds.count()).isEqualTo(2);
    assertThat(seconds.successes(0)).isEqualTo(100);
    assertThat(seconds.successes(1)).isZero();
    assertThat(seconds.window(0, 2).p99Millis()).isCloseTo(2.0, within(0.04));
  }
}
