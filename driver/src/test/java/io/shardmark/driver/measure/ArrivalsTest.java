package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ArrivalsTest {
  private static final long MILLI = 1_000_000;

  private final Arrivals arrivals = new Arrivals(0);

  private long completeBefore(long millis) {
    return arrivals.completeBefore(millis * MILLI) / MILLI;
  }

  @Test
  void allBeforeASecondAgoHasComeIn() {
    assertThat(completeBefore(40)).isEqualTo(-960);
    assertThat(completeBefore(80)).isEqualTo(-920);
  }

  /**
   * A suspended process: its workers go on at the same time as its collector, or a little later.
   */
  @Test
  void afterAHoldUpWhatIsOnItsWayGetsASecond() {
    assertThat(completeBefore(40)).isEqualTo(-960);
    assertThat(completeBefore(20_000)).isEqualTo(-960);
    for (long millis = 20_040; millis < 21_000; millis += 40) {
      assertThat(completeBefore(millis)).isEqualTo(-960);
    }
    assertThat(completeBefore(21_000)).isEqualTo(20_000);
  }
}
