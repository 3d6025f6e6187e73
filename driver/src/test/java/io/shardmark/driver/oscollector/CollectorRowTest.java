package io.shardmark.driver.oscollector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CollectorRowTest {
  private static final long SECOND = 1_000_000_000L;

  private static SystemSnapshot snapshot(CpuTicks cpu, long dirtyPages) {
    return new SystemSnapshot(0, cpu, dirtyPages, Map.of(), Set.of(), Map.of());
  }

  @Test
  void processorSharesAreThoseOfTheInterval() {
    SystemSnapshot from = snapshot(CpuTicks.of(1000, 100, 500, 9000, 50, 0, 10, 5, 0, 0), 1);
    SystemSnapshot to = snapshot(CpuTicks.of(1116, 127, 552, 9000, 50, 0, 13, 7, 0, 0), 62322);

    assertThat(CollectorRow.sysInfo(1, 1000, from, to))
        .isEqualTo("1,1000,0.58,0.135,0.26,0.0,0.0,0.0,0.015,0.01,0.0,0.0,62322");
  }

  @Test
  void guestSharesAreFractionsOfTheSameWhole() {
    SystemSnapshot from = snapshot(CpuTicks.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0);
    SystemSnapshot to = snapshot(CpuTicks.of(70, 20, 0, 0, 0, 0, 0, 10, 50, 15), 0);

    assertThat(CollectorRow.sysInfo(7, 2000, from, to))
        .isEqualTo("7,2000,0.7,0.2,0.0,0.0,0.0,0.0,0.0,0.1,0.5,0.15,0");
  }

  /** Seen in intervals of a few ticks on a busy machine. */
  @Test
  void sharesStayBelowOneWhenTheKernelTakesTicksBack() {
    SystemSnapshot from = snapshot(CpuTicks.of(100, 0, 100, 900, 50, 0, 0, 0, 0, 0), 0);
    SystemSnapshot idleTakenBack = snapshot(CpuTicks.of(106, 0, 102, 895, 48, 0, 0, 0, 0, 0), 0);
    SystemSnapshot moreThanPassed = snapshot(CpuTicks.of(101, 0, 100, 880, 50, 0, 0, 1, 0, 0), 0);

    assertThat(CollectorRow.sysInfo(1, 100, from, idleTakenBack))
        .isEqualTo("1,100,0.75,0.0,0.25,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0");
    assertThat(CollectorRow.sysInfo(1, 100, from, moreThanPassed))
        .isEqualTo("1,100,0.5,0.0,0.0,0.0,0.0,0.0,0.0,0.5,0.0,0.0,0");
  }

  @Test
  void noTimePassedIsZeroNotAnError() {
    SystemSnapshot same = snapshot(CpuTicks.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 4);

    assertThat(CollectorRow.sysInfo(1, 1000, same, same))
        .isEqualTo("1,1000,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,4");
  }

  @Test
  void aThirdHasTwelveDigits() {
    SystemSnapshot from = snapshot(CpuTicks.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0), 0);
    SystemSnapshot to = snapshot(CpuTicks.of(1, 0, 0, 2, 0, 0, 0, 0, 0, 0), 0);

    assertThat(CollectorRow.sysInfo(1, 1000, from, to))
        .startsWith("1,1000,0.333333333333,0.0,0.0,0.666666666667,");
  }

  @Test
  void blockRatesArePerSecondAndKilobytesHalfTheSectors() {
    BlockCounters from = new BlockCounters(1000, 0, 5000, 2000, 10, 7000, 0);
    BlockCounters to = new BlockCounters(1153, 0, 8184, 2441, 10, 12672, 0);

    assertThat(CollectorRow.block(1, 1000, "blk_vda", SECOND, from, to))
        .isEqualTo("1,1000,blk_vda,153.0,0.0,1592.0,441.0,0.0,2836.0");
    assertThat(CollectorRow.block(1, 4000, "blk_vda", 2 * SECOND, from, to))
        .isEqualTo("1,4000,blk_vda,76.5,0.0,796.0,220.5,0.0,1418.0");
  }

  @Test
  void networkKilobytesAre1024Bytes() {
    NetCounters from = new NetCounters(0, 0, 0, 0);
    NetCounters to = new NetCounters(7377, 2_426_122, 7378, 2_426_122);

    assertThat(CollectorRow.net(1, 1000, "net_lo", SECOND, from, to))
        .isEqualTo("1,1000,net_lo,7377.0,2369.25976562,7378.0,2369.25976562");
  }

  @Test
  void counterThatStartedAgainIsZeroNotNegative() {
    NetCounters from = new NetCounters(100, 100, 100, 100);
    NetCounters to = new NetCounters(1, 1, 101, 1124);

    assertThat(CollectorRow.net(1, 1000, "net_eth0", SECOND, from, to))
        .isEqualTo("1,1000,net_eth0,0.0,0.0,1.0,1.0");
  }
}
