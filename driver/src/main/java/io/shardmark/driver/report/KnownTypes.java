package io.shardmark.driver.report;

import io.shardmark.driver.report.TypeData.Counts;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.TypeResult;
import java.util.List;
import java.util.Map;

/**
 * BenchmarkSQL's transaction types, in the order of its table: its directories, and ours without a
 * {@code summary.json}, say no more of a type than its name.
 */
final class KnownTypes {
  private static final List<Rule> RULES =
      List.of(
          new Rule("NEW_ORDER", true, true, 5_000),
          new Rule("PAYMENT", false, true, 5_000),
          new Rule("ORDER_STATUS", false, true, 5_000),
          new Rule("STOCK_LEVEL", false, true, 20_000),
          new Rule("DELIVERY", false, true, 5_000),
          new Rule("DELIVERY_BG", false, false, 80_000));

  private record Rule(String name, boolean headline, boolean counted, double limitMillis) {}

  private KnownTypes() {}

  static List<String> names() {
    return RULES.stream().map(Rule::name).toList();
  }

  private static Rule rule(String name) {
    return RULES.stream()
        .filter(rule -> rule.name().equals(name))
        .findFirst()
        .orElse(new Rule(name, false, true, 0));
  }

  static boolean isCounted(String name) {
    return rule(name).counted();
  }

  /** What a type did, as far as rows and sums of seconds tell. */
  static TypeResult result(String name, Counts counts) {
    Rule rule = rule(name);
    return new TypeResult(
        name,
        rule.headline(),
        rule.counted(),
        counts.all(),
        counts.successes() - counts.rolledBack(),
        counts.rolledBack(),
        counts.errors(),
        null,
        counts.retries(),
        0,
        counts.skipped(),
        0,
        rule.limitMillis(),
        null,
        Map.of(),
        Latencies.NONE);
  }
}
