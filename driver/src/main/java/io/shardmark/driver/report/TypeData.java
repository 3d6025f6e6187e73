package io.shardmark.driver.report;

import io.shardmark.driver.report.LatencyBreakdown.Kind;
import io.shardmark.driver.report.LatencyBreakdown.LatencyFigures;
import io.shardmark.driver.report.LatencyBreakdown.Scope;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One transaction type of a run.
 *
 * @param rule what TPC-C says about it
 * @param counts how its transactions ended
 * @param errorsByDisposition failed transactions by what failed; empty if not known
 * @param due latencies from due to end of successes: the finest that the directory has
 * @param service latencies from first statement to end, of rows; empty where not all rows are there
 * @param latency percentiles by scope and kind from {@code summary.json}; empty without it
 */
public record TypeData(
    TypeRule rule,
    Counts counts,
    Map<String, Long> errorsByDisposition,
    LatencyDistribution due,
    LatencyDistribution service,
    Optional<LatencyBreakdown> latency) {
  public TypeData {
    errorsByDisposition = RunData.ordered(errorsByDisposition);
  }

  /** Latencies from due to end, as the run itself counted them where it did. */
  public LatencyFigures figures() {
    return latency.flatMap(known -> known.of(Scope.ALL, Kind.DUE)).orElseGet(due::figures);
  }

  public String name() {
    return rule.name();
  }

  /**
   * How transactions ended.
   *
   * @param all of them
   * @param rolledBack on purpose (TPC-C 2.4.1.4)
   * @param errors failed
   * @param retries how often some were tried again
   * @param skipped districts without an open order
   */
  public record Counts(long all, long rolledBack, long errors, long retries, long skipped) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    public long successes() {
      return all - errors;
    }
  }

  /**
   * What holds for a type whatever happened to it.
   *
   * @param name such as {@code NEW_ORDER}
   * @param headline whether it makes the workload's main figure, tpmC
   * @param counted whether it is a transaction of its own; the background part of a delivery is not
   * @param limitMillis 90 % must stay below it (TPC-C 5.2.5.3); 0 if there is none
   */
  public record TypeRule(String name, boolean headline, boolean counted, double limitMillis) {
    /** TPC-C's, in the order of BenchmarkSQL's table. */
    static final List<TypeRule> TPCC =
        List.of(
            new TypeRule("NEW_ORDER", true, true, 5_000),
            new TypeRule("PAYMENT", false, true, 5_000),
            new TypeRule("ORDER_STATUS", false, true, 5_000),
            new TypeRule("STOCK_LEVEL", false, true, 20_000),
            new TypeRule("DELIVERY", false, true, 5_000),
            new TypeRule("DELIVERY_BG", false, false, 80_000));

    static TypeRule of(String name) {
      return TPCC.stream()
          .filter(rule -> rule.name().equals(name))
          .findFirst()
          .orElse(new TypeRule(name, false, true, 0));
    }
  }
}
