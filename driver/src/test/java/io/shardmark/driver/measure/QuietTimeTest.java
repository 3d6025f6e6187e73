package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.driver.results.QuietTime;
import org.junit.jupiter.api.Test;

final class QuietTimeTest {
  private static QuietFinder seconds(int... successes) {
    QuietFinder finder = new QuietFinder();
    for (int second = 0; second < successes.length; second++) {
      finder.add(second, successes[second], false);
    }
    return finder;
  }

  @Test
  void isTheLongestTimeWithoutASuccess() {
    assertThat(seconds(1, 0, 2, 0, 0, 3, 0).longest()).isEqualTo(new QuietTime(2, 3, 1));
    assertThat(seconds(1, 1, 1).longest()).isEqualTo(QuietTime.NONE);
  }

  @Test
  void ofEqualOnesItIsTheOneThatReachesTheEnd() {
    QuietTime quiet = seconds(0, 0, 1, 0, 0).longest();
    assertThat(quiet).isEqualTo(new QuietTime(2, 3, 2));
    assertThat(quiet.toTheEnd()).isTrue();
  }

  @Test
  void aSuccessInAShortLastSecondEndsIt() {
    QuietFinder back = seconds(1, 0, 0, 0);
    back.endsShort(1);
    assertThat(back.longest()).isEqualTo(new QuietTime(3, 1, 0));
    assertThat(back.longest().toTheEnd()).isFalse();
  }

  @Test
  void aShortLastSecondWithoutASuccessSaysNothing() {
    QuietFinder lost = seconds(1, 0, 0);
    lost.endsShort(0);
    assertThat(lost.longest()).isEqualTo(new QuietTime(2, 1, 2));
    QuietFinder sound = seconds(1, 1);
    sound.endsShort(0);
    assertThat(sound.longest()).isEqualTo(QuietTime.NONE);
  }

  /** Five of ten terminals waited 15 s for a lock. */
  @Test
  void whatStoodStillAmongOthersIsSummedUp() {
    LatencyHistogram service = new LatencyHistogram();
    service.record(5_000_000, 20_000);
    service.record(1_900_000_000L, 3);
    service.record(15_000_000_000L, 5);

    assertThat(service.countFrom(2_000_000_000L)).isEqualTo(5);
    assertThat(service.sumFromNanos(2_000_000_000L) / 1e9).isCloseTo(75, within(0.1));
    assertThat(service.countFrom(16_000_000_000L)).isZero();
    assertThat(new LatencyHistogram().sumFromNanos(1)).isZero();
  }
}
