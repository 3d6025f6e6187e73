package io.shardmark.driver.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.tpcc.Tpcc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The audit over thousands of runs whose inputs are known to be right, or known to be wrong. */
final class HonestRunsTest {
  private static final long SEED = 20_261_122;
  private static final int RUNS = 3000;

  @Test
  void noneOfThousandsOfHonestRunsFails() {
    SplittableRandom sizes = new SplittableRandom(SEED);
    List<String> failed = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      Workload workload = workload(SEED + run);
      Terminal terminal = workload.newTerminal(0);
      long[] counters = new long[workload.auditCounterCount()];
      int transactions = 50 << sizes.nextInt(8);
      for (int i = 0; i < transactions; i++) {
        terminal.next().countInto(counters);
      }
      for (AuditRow result : InputAudit.evaluate(workload.auditRules(), counters)) {
        if (result.verdict() == AuditVerdict.FAIL) {
          failed.add(SEED + run + ": " + result);
        }
      }
    }
    assertThat(failed).as("rules that failed in honest runs").isEmpty();
  }

  @Test
  void dishonestRunsFail() {
    SplittableRandom random = new SplittableRandom(SEED);
    // Three times what the clause asks, or none, over the 5,000 New-Orders of a small run.
    assertThat(failures(random, 5_000, 0.9, 1.1, 0.03)).isEqualTo(100);
    assertThat(failures(random, 5_000, 0.9, 1.1, 0)).isEqualTo(100);
    // Shares that are a little wrong, over a large one.
    assertThat(failures(random, 50_000, 57, 63, 0.55)).isEqualTo(100);
    assertThat(failures(random, 50_000, 14, 16, 0.20)).isEqualTo(100);
    assertThat(failures(random, 50_000, 43, 100, 0.40)).isEqualTo(100);
  }

  /** Of 100 runs, those that fail a rule whose true share is another. */
  private static int failures(
      SplittableRandom random, int samples, double low, double high, double trueShare) {
    // As many rules as TPC-C's, so that the bound is as wide as in a run.
    List<AuditRule> rules = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rules.add(
          new AuditRule("9.2.2.5", "a share", AuditRule.AuditUnit.PERCENT, 0, 1, low, high, ""));
    }
    int failures = 0;
    for (int run = 0; run < 100; run++) {
      long hits = random.doubles(samples).filter(drawn -> drawn < trueShare).count();
      AuditRow result = InputAudit.evaluate(rules, new long[] {hits, samples}).get(0);
      failures += result.verdict() == AuditVerdict.FAIL ? 1 : 0;
    }
    return failures;
  }

  private static Workload workload(long seed) {
    String text =
        """
        conn=null:
        warehouses=5
        terminals=1
        runMins=1
        terminalWarehouseFixed=true
        newOrderWeight=45
        paymentWeight=43
        orderStatusWeight=4
        deliveryWeight=4
        stockLevelWeight=4
        seed="""
            + seed;
    Tpcc tpcc = new Tpcc();
    Workload workload =
        tpcc.open(
            Settings.of(
                tpcc,
                BenchmarkProperties.parse(Benchmarks.KEYS, Path.of("props"), text, Map.of())));
    workload.prepareWithoutDatabase();
    return workload;
  }
}
