package io.shardmark.driver.oscollector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CollectorRowTest {
  private static final long SECOND = 1_000_000_000L;

  private static MachineCounters machine(Counters cpu, long dirtyPages) {
    return new MachineCounters(0, cpu, dirtyPages, Map.of(), Set.of());
  }

  private static Counters counters(String values) {
    return Counters.of(Stream.of(values.split(" ", -1)).mapToLong(Long::parseLong).toArray());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "shares are those of the interval | 1000 100 500 9000 50 0 10 5 0 0"
            + "| 1116 127 552 9000 50 0 13 7 0 0 | 0.58,0.135,0.26,0.0,0.0,0.0,0.015,0.01,0.0,0.0",
        "guests have fractions of the same whole | 0 0 0 0 0 0 0 0 0 0"
            + "| 70 20 0 0 0 0 0 10 50 15 | 0.7,0.2,0.0,0.0,0.0,0.0,0.0,0.1,0.5,0.15",
        // Seen in intervals of a few ticks on a busy machine.
        "the kernel takes idle ticks back | 100 0 100 900 50 0 0 0 0 0"
            + "| 106 0 102 895 48 0 0 0 0 0 | 0.75,0.0,0.25,0.0,0.0,0.0,0.0,0.0,0.0,0.0",
        "the kernel takes more back than passed | 100 0 100 900 50 0 0 0 0 0"
            + "| 101 0 100 880 50 0 0 1 0 0 | 0.5,0.0,0.0,0.0,0.0,0.0,0.0,0.5,0.0,0.0",
        "no time passed | 1 2 3 4 5 6 7 8 9 10"
            + "| 1 2 3 4 5 6 7 8 9 10 | 0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0",
        "a third has twelve digits | 0 0 0 0 0 0 0 0 0 0"
            + "| 1 0 0 2 0 0 0 0 0 0"
            + "| 0.333333333333,0.0,0.0,0.666666666667,0.0,0.0,0.0,0.0,0.0,0.0",
      })
  void processorShares(String what, String from, String to, String shares) {
    assertThat(CollectorRow.sysInfo(machine(counters(to), 62322).since(machine(counters(from), 1))))
        .as(what)
        .isEqualTo(shares + ",62322");
  }

  @Test
  void blockRatesArePerSecondAndKilobytesHalfTheSectors() {
    Counters from = Counters.of(1000, 0, 5000, 2000, 10, 7000, 0);
    Counters to = Counters.of(1153, 0, 8184, 2441, 10, 12672, 0);

    assertThat(CollectorRow.device("blk_vda", SECOND, to.since(from)))
        .isEqualTo("blk_vda,153.0,0.0,1592.0,441.0,0.0,2836.0");
    assertThat(CollectorRow.device("blk_vda", 2 * SECOND, to.since(from)))
        .isEqualTo("blk_vda,76.5,0.0,796.0,220.5,0.0,1418.0");
  }

  @Test
  void networkKilobytesAre1024Bytes() {
    Counters from = Counters.of(0, 0, 0, 0);
    Counters to = Counters.of(7377, 2_426_122, 7378, 2_426_122);

    assertThat(CollectorRow.device("net_lo", SECOND, to.since(from)))
        .isEqualTo("net_lo,7377.0,2369.25976562,7378.0,2369.25976562");
  }

  @Test
  void counterThatStartedAgainIsZeroNotNegative() {
    Counters from = Counters.of(100, 100, 100, 100);
    Counters to = Counters.of(1, 1, 101, 1124);

    assertThat(CollectorRow.device("net_eth0", SECOND, to.since(from)))
        .isEqualTo("net_eth0,0.0,0.0,1.0,1.0");
  }
}
