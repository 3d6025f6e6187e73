package io.shardmark.driver.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MachineTicksTest {
  private static MachineTicks parse(String all) {
    return MachineTicks.parse(
        (all + "\ncpu0 1 1 1 1 1 1 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\nintr 9 cpu\ncpu7").lines());
  }

  /** Of 100 ticks 30 idle and 10 waiting for the disk; guests are in user and nice. */
  @Test
  void idleAndDiskWaitAreNotBusyAndGuestsCountOnce() {
    MachineTicks before = parse("cpu  100 10 50 1000 200 1 2 3 90 9");
    MachineTicks after = parse("cpu  120 15 70 1030 210 3 10 8 95 12");

    assertThat(after.processors()).isEqualTo(2);
    assertThat(after.all() - before.all()).isEqualTo(100);
    assertThat(after.busySince(before)).isEqualTo(0.6);
    assertThat(after.busySince(after)).isZero();
  }
}
