package io.shardmark.driver.oscollector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class DeviceSelectionTest {
  private static final Counters NONE = Counters.of();

  private static final MachineCounters MACHINE =
      new MachineCounters(
          0,
          NONE,
          0,
          Stream.of(
                  "blk_sda",
                  "blk_sda1",
                  "blk_loop0",
                  "blk_nvme0n1",
                  "net_lo",
                  "net_eth0",
                  "net_ens5")
              .collect(Collectors.toMap(name -> name, name -> NONE)),
          Set.of("blk_sda", "blk_nvme0n1"));

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
