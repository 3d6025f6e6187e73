package io.shardmark.driver.adversity;

import io.shardmark.driver.results.RollingChecks;
import java.util.BitSet;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/** What checks during a run found and cost. Pure. */
final class CheckCosts {
  private CheckCosts() {}

  /**
   * @param begun checks; the seconds of those that have not ended are neither with nor without one
   */
  static RollingChecks of(double everySeconds, List<CheckRecord> begun, RunSeconds run) {
    List<CheckRecord> records = begun.stream().filter(CheckRecord::hasEnded).toList();
    List<CheckRecord> made = records.stream().filter(record -> record.failure().isEmpty()).toList();
    DoubleSummaryStatistics seconds =
        made.stream()
            .mapToDouble(record -> record.toSeconds() - record.fromSeconds())
            .summaryStatistics();
    BitSet checking = secondsOf(records, run);
    BitSet otherwise = secondsOf(begun, run);
    otherwise.flip(0, run.count());
    return new RollingChecks(
        everySeconds,
        made.size(),
        records.size() - made.size(),
        records.stream()
            .map(CheckRecord::failure)
            .filter(failure -> !failure.isEmpty())
            .findFirst()
            .orElse(""),
        records.stream().filter(CheckRecord::hasSeen).allMatch(CheckRecord::oneSnapshot),
        seconds.getAverage(),
        made.isEmpty() ? 0 : seconds.getMax(),
        run.window(checking.stream().boxed().toList()),
        run.window(otherwise.stream().boxed().toList()),
        records.stream().flatMap(record -> record.violations().stream()).toList());
  }

  private static BitSet secondsOf(List<CheckRecord> checks, RunSeconds run) {
    BitSet seconds = new BitSet();
    for (CheckRecord check : checks) {
      int from = (int) Math.max(0, Math.min(run.count(), Math.floor(check.fromSeconds())));
      int to = (int) Math.max(from, Math.min(run.count(), Math.ceil(check.toSeconds())));
      seconds.set(from, to);
    }
    return seconds;
  }
}
