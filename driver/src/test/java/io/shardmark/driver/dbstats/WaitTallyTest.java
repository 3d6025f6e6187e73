package io.shardmark.driver.dbstats;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.dbstats.WaitTally.What;
import io.shardmark.driver.results.ServerWaits;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WaitTallyTest {
  private static final long SECOND = 1_000_000_000;
  private static final What LOCK = new What("Lock", "tuple");
  private static final What RUNNING = new What(ServerWaits.RUNNING, "");

  @Test
  void sampleStandsForTheTimeBeforeItAndNoLongerThanTheLimit() {
    WaitTally tally = new WaitTally(2 * SECOND, 10 * SECOND);
    tally.add(11 * SECOND, 4_000_000, new WaitTally.WaitSample(Map.of(LOCK, 3), Map.of("t", 3)));
    tally.add(12 * SECOND, 2_000_000, new WaitTally.WaitSample(Map.of(RUNNING, 2), Map.of()));
    tally.add(
        20 * SECOND, 0, new WaitTally.WaitSample(Map.of(LOCK, 1, RUNNING, 1), Map.of("t", 1)));

    ServerWaits waits = tally.waits();

    assertThat(waits.samples()).isEqualTo(3);
    assertThat(waits.coveredSeconds()).isEqualTo(4);
    assertThat(waits.sampleMillis()).isEqualTo(2);
    assertThat(waits.activities())
        .containsExactly(
            new ServerWaits.Activity("Lock", "tuple", 1.25),
            new ServerWaits.Activity(ServerWaits.RUNNING, "", 1));
    assertThat(waits.lockedTables()).containsExactly(new ServerWaits.LockedTable("t", 1.25));
  }
}
