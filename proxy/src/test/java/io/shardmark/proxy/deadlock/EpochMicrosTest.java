package io.shardmark.proxy.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Two clocks of the test's own, which agree, and somebody who is held up while he reads them. */
final class EpochMicrosTest {
  private static final Instant EPOCH_OF_NANO_TIME = Instant.parse("2026-01-01T00:00:00Z");
  private static final long MICROS = 1_767_225_600_000_000L;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long nanos = 5 * SECOND;
  private int readings;

  private long nanoTime() {
    pass();
    return nanos;
  }

  private Instant now() {
    pass();
    return EPOCH_OF_NANO_TIME.plusNanos(nanos);
  }

  /** Of the first readings every other takes a second. */
  private void pass() {
    readings++;
    nanos += readings % 2 == 1 || readings > 40 ? 2_000 : SECOND;
  }

  @Test
  void whoIsHeldUpBetweenTheClocksIsNotMadeOlder() {
    EpochMicros micros = EpochMicros.compare(this::nanoTime, this::now);
    assertThat(micros.ofNanoTimeZero()).isBetween(MICROS - 5, MICROS + 5);
    assertThat(micros.at(3 * SECOND)).isEqualTo(micros.ofNanoTimeZero() + 3_000_000);
  }

  @Test
  void isTheTimeOfNow() {
    long before = Instant.now().toEpochMilli();
    long micros = EpochMicros.ofThisProcess().at(System.nanoTime());
    long after = Instant.now().toEpochMilli();
    // Not sharper, for the clock may be set a little meanwhile.
    assertThat(TimeUnit.MICROSECONDS.toMillis(micros)).isBetween(before - 1_000, after + 1_000);
  }
}
