package io.shardmark.driver.oscollector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProcTextTest {
  private static MachineCounters parse(String text) throws IOException {
    return ProcText.parse(text.lines().toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cpu  1 2 3 4                  | 1,2,3,4,0,0,0,0,0,0",
        "cpu  1 2 3 4 5 6 7            | 1,2,3,4,5,6,7,0,0,0",
        "cpu  1 2 3 4 5 6 7 8          | 1,2,3,4,5,6,7,8,0,0",
        "cpu  1 2 3 4 5 6 7 8 9        | 1,2,3,4,5,6,7,8,9,0",
        "cpu  1 2 3 4 5 6 7 8 9 10     | 1,2,3,4,5,6,7,8,9,10",
        "cpu  1 2 3 4 5 6 7 8 9 10 11  | 1,2,3,4,5,6,7,8,9,10",
      })
  void columnsThatAKernelDoesNotKnowAreZero(String line, String expected) throws IOException {
    Counters cpu = parse("proc/stat:" + line + "\nproc/stat:cpu0 9 9 9 9\nproc/stat:intr 5").cpu();

    assertThat(cpu.values())
        .containsExactly(
            List.of(expected.split(",", -1)).stream().map(Long::valueOf).toArray(Long[]::new));
  }

  @Test
  void guestTimeIsNotCountedTwice() throws IOException {
    // user 70 contains guest 50, nice 20 contains guest_nice 15
    assertThat(parse("proc/stat:cpu  70 20 5 100 3 1 1 0 50 15").cpuTotal()).isEqualTo(200);
  }

  @Test
  void readsEverySection() throws IOException {
    MachineCounters snapshot =
        parse(
            """
            Welcome to the machine, mail: yes
            proc/uptime:1234.56 2345.67
            proc/stat:cpu  10 0 5 85 0 0 0 0 0 0
            proc/vmstat:nr_dirty 317
            proc/vmstat:nr_dirty_threshold 99
            proc/diskstats: 254       0 vda 100 10 2000 7 200 20 4000 8 0 9 9 1 2 3 4 5 6
            proc/diskstats: 254       1 vda1 1 2 3 4 5 6 7 8 9 10 11
            proc/diskstats:  11       0 sr0 0 0 0 0 0 0 0 0 0 0 0
            proc/net/dev:Inter-|   Receive                            |  Transmit
            proc/net/dev: face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
            proc/net/dev:    lo:    1000      10    0    0    0     0          0         0     1000      10    0 0 0 0 0 0
            proc/net/dev:  eth0:52431 77 0 0 0 0 0 0 1024 8 0 0 0 0 0 0
            disks: sys/block/vda/device sys/block/sr0/device
            """);

    assertThat(snapshot.nanos()).isEqualTo(1_234_560_000_000L);
    assertThat(snapshot.dirtyPages()).isEqualTo(317);
    assertThat(snapshot.devices())
        .containsEntry("blk_vda", Counters.of(100, 10, 2000, 200, 20, 4000, 9))
        .containsEntry("blk_vda1", Counters.of(1, 2, 3, 5, 6, 7, 10))
        .containsEntry("net_lo", Counters.of(10, 1000, 10, 1000))
        .containsEntry("net_eth0", Counters.of(77, 52431, 8, 1024));
    assertThat(snapshot.physicalDisks()).containsExactly("blk_vda");
  }

  @Test
  void unmatchedShellPatternIsNoDisk() throws IOException {
    assertThat(parse("proc/stat:cpu  1 2 3 4\ndisks: sys/block/*/device").physicalDisks())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "proc/stat:cpu  1 2 3",
        "proc/stat:cpu  1 2 x 4",
        "proc/stat:cpu  1 2 3 4\nproc/diskstats: 8 0 sda 1 2 3",
        "proc/stat:cpu  1 2 3 4\nproc/net/dev: eth0: 1 2 3",
        "proc/stat:cpu  1 2 3 4\nproc/uptime:long",
        "proc/stat:cpu  1 2 3 4\nproc/vmstat:nr_dirty many",
      })
  void brokenTextIsAnIoException(String text) {
    assertThatThrownBy(() -> parse(text)).isInstanceOf(IOException.class);
  }
}
