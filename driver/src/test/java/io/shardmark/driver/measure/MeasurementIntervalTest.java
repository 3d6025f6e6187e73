package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class MeasurementIntervalTest {
  @Test
  void containsItsFirstInstantAndNotItsLast() {
    MeasurementInterval interval = new MeasurementInterval(100, 200);
    assertThat(interval.contains(99)).isFalse();
    assertThat(interval.contains(100)).isTrue();
    assertThat(interval.contains(199)).isTrue();
    assertThat(interval.contains(200)).isFalse();
  }

  @Test
  void survivesTheOverflowOfTheClock() {
    MeasurementInterval interval =
        new MeasurementInterval(Long.MAX_VALUE - 10, Long.MIN_VALUE + 10);
    assertThat(interval.lengthNanos()).isEqualTo(21);
    assertThat(interval.contains(Long.MAX_VALUE)).isTrue();
    assertThat(interval.contains(Long.MIN_VALUE + 9)).isTrue();
    assertThat(interval.contains(Long.MIN_VALUE + 10)).isFalse();
  }

  @Test
  void anInterruptCutsItShortButNeverMakesItLonger() {
    MeasurementInterval interval = new MeasurementInterval(100, 200);
    assertThat(interval.endingNoLaterThan(150)).isEqualTo(new MeasurementInterval(100, 150));
    assertThat(interval.endingNoLaterThan(250)).isEqualTo(interval);
    assertThat(interval.endingNoLaterThan(50)).isEqualTo(new MeasurementInterval(50, 50));
  }

  @Test
  void aRunThatIsStoppedBeforeItsStartHasNoRampUp() {
    IntervalInForce interval = new IntervalInForce();
    interval.begin(100, new MeasurementInterval(150, 200));
    interval.endNoLaterThan(40);
    assertThat(interval.interval()).isEqualTo(new MeasurementInterval(40, 40));
    assertThat(interval.sessionStartNanos()).isEqualTo(40);
  }

  @Test
  void anOpenEndIsKnownAsSuch() {
    assertThat(MeasurementInterval.openEnded(-5).isOpenEnded()).isTrue();
    assertThat(MeasurementInterval.openEnded(-5).endingNoLaterThan(10).isOpenEnded()).isFalse();
  }

  @Test
  void refusesAnEndBeforeTheStart() {
    assertThatThrownBy(() -> new MeasurementInterval(10, 9))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nothingCountsBeforeTheIntervalHasBegun() {
    IntervalInForce interval = new IntervalInForce();
    long now = System.nanoTime();
    assertThat(interval.hasBegun()).isFalse();
    assertThat(interval.contains(now)).isFalse();
    interval.begin(now - 10, new MeasurementInterval(now, now + 100));
    assertThat(interval.contains(now)).isTrue();
    interval.endNoLaterThan(now);
    assertThat(interval.contains(now)).isFalse();
  }
}
