package io.shardmark.driver.oscollector;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.results.MachineUse;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class MachineSumTest {
  private static final long SECOND = 1_000_000_000;

  private static SystemSnapshot at(long second, CpuTicks cpu, BlockCounters disk) {
    return new SystemSnapshot(
        second * SECOND, cpu, 0, Map.of("sda", disk, "sda1", disk), Set.of("sda"), Map.of());
  }

  private static CpuTicks cpu(long user, long idle, long ioWait) {
    return CpuTicks.of(user, 0, 0, idle, ioWait, 0, 0, 0, 0, 0);
  }

  @Test
  void sharesAndRatesAreThoseOfAllTimeBetweenSnapshots() {
    MachineSum sum = new MachineSum();
    SystemSnapshot first = at(10, cpu(100, 100, 0), new BlockCounters(0, 0, 0, 0, 0, 0, 0));
    SystemSnapshot second = at(12, cpu(160, 130, 10), new BlockCounters(1, 0, 80, 20, 0, 400, 500));
    // What was lost between the second and the third counts for nothing.
    SystemSnapshot third =
        at(20, cpu(900, 900, 900), new BlockCounters(9, 0, 800, 60, 0, 4000, 900));
    SystemSnapshot fourth =
        at(22, cpu(920, 980, 900), new BlockCounters(9, 0, 800, 80, 0, 4400, 1400));
    sum.add(first, second);
    sum.add(third, fourth);

    MachineUse use = sum.use(true).orElseThrow();

    assertThat(use.ofServer()).isTrue();
    assertThat(use.busyShare()).isEqualTo(0.4);
    assertThat(use.ioWaitShare()).isEqualTo(0.05);
    assertThat(use.disks())
        .containsExactly(Map.entry("sda", new MachineUse.Disk(0.25, 10, 100, 10)));
  }

  @Test
  void nothingIsNotIdle() {
    assertThat(new MachineSum().use(true)).isEmpty();
  }
}
