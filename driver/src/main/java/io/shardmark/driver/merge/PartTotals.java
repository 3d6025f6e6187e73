package io.shardmark.driver.merge;

import io.shardmark.driver.benchmark.Metric;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.RunResult;
import java.util.List;

/**
 * The result of one of several drivers, with what can be added to that of the others.
 *
 * @param result as its {@code summary.json} has it
 * @param machineId of the machine that it ran on; empty if not known
 * @param metrics what the benchmark is judged by
 * @param statistics counts and histograms
 * @param notApplicable of each rule of the input audit, why it cannot be judged; empty if it can
 */
record PartTotals(
    RunResult result,
    String machineId,
    List<Metric> metrics,
    RunStatistics statistics,
    List<String> notApplicable) {
  PartTotals {
    notApplicable = List.copyOf(notApplicable);
  }

  /** The drivers of its run, with this one alone in the list. */
  Drivers drivers() {
    Drivers drivers = result.drivers();
    if (drivers == null || drivers.list().size() != 1) {
      throw new IllegalArgumentException("summary.json is not that of one of several drivers");
    }
    return drivers;
  }

  Drivers.Part driver() {
    return drivers().list().get(0);
  }

  int index() {
    return driver().index();
  }

  List<String> typeNames() {
    return statistics.types().stream().map(type -> type.type().name()).toList();
  }

  List<String> auditRules() {
    return result.audit().stream().map(row -> row.description()).toList();
  }
}
