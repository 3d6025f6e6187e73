package io.shardmark.driver.oscollector;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.results.MachineUse;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MachineCountersTest {
  private static final long SECOND = 1_000_000_000;

  private static MachineCounters at(long second, Counters cpu, Counters disk) {
    return new MachineCounters(
        second * SECOND, cpu, 0, Map.of("blk_sda", disk, "blk_sda1", disk), Set.of("blk_sda"));
  }

  private static Counters cpu(long user, long idle, long ioWait) {
    return Counters.of(user, 0, 0, idle, ioWait, 0, 0, 0, 0, 0);
  }

  @Test
  void sharesAndRatesAreThoseOfAllTimeBetweenSnapshots() {
    MachineCounters first = at(10, cpu(100, 100, 0), Counters.of(0, 0, 0, 0, 0, 0, 0));
    MachineCounters second = at(12, cpu(160, 130, 10), Counters.of(1, 0, 80, 20, 0, 400, 500));
    // What was lost between the second and the third counts for nothing.
    MachineCounters third = at(20, cpu(900, 900, 900), Counters.of(9, 0, 800, 60, 0, 4000, 900));
    MachineCounters fourth = at(22, cpu(920, 980, 900), Counters.of(9, 0, 800, 80, 0, 4400, 1400));

    MachineUse use = second.since(first).plus(fourth.since(third)).use(true).orElseThrow();

    assertThat(use.ofServer()).isTrue();
    assertThat(use.busyShare()).isEqualTo(0.4);
    assertThat(use.ioWaitShare()).isEqualTo(0.05);
    assertThat(use.disks())
        .containsExactly(Map.entry("sda", new MachineUse.Disk(0.25, 10, 100, 10)));
  }

  @Test
  void nothingIsNotIdle() {
    MachineCounters same = at(10, cpu(100, 100, 0), Counters.of(0, 0, 0, 0, 0, 0, 0));

    assertThat(same.since(same).use(true)).isEmpty();
  }
}
