package io.shardmark.driver.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class ClockOffsetTest {
  /** Whatever the ways there and back take, the truth lies within what is said to be uncertain. */
  @Test
  void knowsHowWrongItMayBe() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int run = 0; run < 1000; run++) {
      long truth = random.nextLong();
      ClockOffset offset = new ClockOffset();
      long now = random.nextLong(); // also where the clock wraps
      for (int round = 0; round < 10; round++) {
        long there = random.nextInt(1_000_000);
        long back = random.nextInt(1_000_000);
        offset.add(now, now + there + truth, now + there + back);
        now += 1_000_000_000;
      }
      assertThat(Math.abs(offset.offsetNanos() - truth))
          .as("seed %d", seed)
          .isLessThanOrEqualTo(offset.uncertaintyNanos());
      assertThat(offset.toOther(5)).isEqualTo(5 + offset.offsetNanos());
    }
  }

  @Test
  void believesTheShortestRoundTrip() {
    ClockOffset offset = new ClockOffset();
    assertThat(offset.isKnown()).isFalse();
    offset.add(0, 10_000, 8_000);
    offset.add(100_000, 105_050, 100_101);
    offset.add(200_000, 299_999, 250_000);

    assertThat(offset.isKnown()).isTrue();
    assertThat(offset.offsetNanos()).isEqualTo(5_000);
    assertThat(offset.uncertaintyNanos()).isEqualTo(51);
  }

  @Test
  void ignoresAnAnswerFromBeforeItsQuestion() {
    ClockOffset offset = new ClockOffset();
    offset.add(100, 0, 99);
    assertThat(offset.isKnown()).isFalse();
  }
}
