package io.shardmark.driver.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run of 100 s with 1,000 transactions, whose driver used half a processor. */
final class ProcessorCostTest {
  private static final ServerProcess PROXY = new ServerProcess("proxy", "a:1", "java", 8.0, 2.0);
  private static final ServerProcess SHARD =
      new ServerProcess("shard", "a:2", "postgres", 15.0, 5.0);
  private static final ServerProcess ELSEWHERE =
      new ServerProcess("shard", "b:2", null, null, null);

  private static MadeRun run(long transactions) {
    return new MadeRun()
        .with(MadeRun.type("A", transactions, Map.of()))
        .with(Map.of("the driver", Client.of(0.5, 2, 0)));
  }

  @Test
  void eachRoleHasThatOfAllItsProcesses() {
    ProcessorCost cost =
        ProcessorCost.of(run(1000).with(PROXY, SHARD, SHARD).result()).orElseThrow();

    assertThat(cost.parts())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("driver", 50_000.0, "proxy", 10_000.0, "shard", 40_000.0));
    assertThat(cost.parts().keySet()).containsExactly("driver", "proxy", "shard");
    assertThat(cost.all()).isEqualTo(100_000.0);
  }

  @Test
  void whatIsNotKnownWholeIsLeftOut() {
    ProcessorCost cost =
        ProcessorCost.of(run(1000).with(PROXY, SHARD, ELSEWHERE).result()).orElseThrow();

    assertThat(cost.parts()).isEqualTo(Map.of("driver", 50_000.0, "proxy", 10_000.0));
    assertThat(cost.all()).isNull();
  }

  @Test
  void thereIsNoneWithoutServersOrTransactions() {
    assertThat(ProcessorCost.of(run(1000).with(ELSEWHERE).result())).isEmpty();
    assertThat(ProcessorCost.of(run(1000).result())).isEmpty();
    assertThat(ProcessorCost.of(run(0).with(PROXY).result())).isEmpty();
  }
}
