package io.shardmark.driver.adversity;

import io.shardmark.driver.results.RollingChecks;
import java.util.BitSet;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.IntStream;

/** What checks during a run found and cost. Pure. */
final class CheckCosts {
  private CheckCosts() {}

  static RollingChecks of(double everySeconds, List<CheckRecord> records, RunSeconds run) {
    List<CheckRecord> made = records.stream().filter(record -> record.failure().isEmpty()).toList();
    DoubleSummaryStatistics seconds =
        made.stream()
            .mapToDouble(record -> record.toSeconds() - record.fromSeconds())
            .summaryStatistics();
    BitSet checking = new BitSet();
    for (CheckRecord record : records) {
      int from = (int) Math.max(0, Math.min(run.count(), Math.floor(record.fromSeconds())));
      int to = (int) Math.max(from, Math.min(run.count(), Math.ceil(record.toSeconds())));
      checking.set(from, to);
    }
    return new RollingChecks(
        everySeconds,
        made.size(),
        records.size() - made.size(),
        records.stream()
            .map(CheckRecord::failure)
            .filter(failure -> !failure.isEmpty())
            .findFirst()
            .orElse(""),
        made.stream().allMatch(CheckRecord::oneSnapshot),
        seconds.getAverage(),
        made.isEmpty() ? 0 : seconds.getMax(),
        run.window(IntStream.range(0, run.count()).filter(checking::get).boxed().toList()),
        run.window(IntStream.range(0, run.count()).filter(i -> !checking.get(i)).boxed().toList()),
        made.stream().flatMap(record -> record.violations().stream()).toList());
  }
}
