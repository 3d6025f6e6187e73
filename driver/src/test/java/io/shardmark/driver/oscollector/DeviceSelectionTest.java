package io.shardmark.driver.oscollector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class DeviceSelectionTest {
  private static final BlockCounters BLOCK = new BlockCounters(0, 0, 0, 0, 0, 0, 0);
  private static final NetCounters NET = new NetCounters(0, 0, 0, 0);
  private static final SystemSnapshot MACHINE =
      new SystemSnapshot(
          0,
          CpuTicks.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
          0,
          Map.of("sda", BLOCK, "sda1", BLOCK, "loop0", BLOCK, "nvme0n1", BLOCK),
          Set.of("sda", "nvme0n1"),
          Map.of("lo", NET, "eth0", NET, "ens5", NET));

  @Test
  void keepsTheOrderOfTheProperty() {
    DeviceSelection selection = DeviceSelection.of(List.of("net_eth0", "blk_sda1"), MACHINE);

    assertThat(selection.known()).containsExactly("net_eth0", "blk_sda1");
    assertThat(selection.warning()).isEmpty();
  }

  @Test
  void unknownDevicesAreNamedOnceWithThoseThatExist() {
    DeviceSelection selection =
        DeviceSelection.of(List.of("blk_sdb", "net_eth0", "net_sda", "cpu_0"), MACHINE);

    assertThat(selection.known()).containsExactly("net_eth0");
    assertThat(selection.warning())
        .isEqualTo(
            "OS collector: no such device in osCollectorDevices: blk_sdb net_sda cpu_0; the machine"
                + " has blk_loop0 blk_nvme0n1 blk_sda blk_sda1 net_ens5 net_eth0 net_lo");
  }

  @Test
  void autoTakesPhysicalDisksAndAllButTheLoopback() {
    assertThat(DeviceSelection.of(List.of("auto"), MACHINE).known())
        .containsExactly("blk_nvme0n1", "blk_sda", "net_ens5", "net_eth0");
    assertThat(DeviceSelection.of(List.of("blk_auto", "net_lo"), MACHINE).known())
        .containsExactly("blk_nvme0n1", "blk_sda", "net_lo");
    assertThat(DeviceSelection.of(List.of("net_eth0", "net_auto"), MACHINE).known())
        .containsExactly("net_eth0", "net_ens5");
  }
}
