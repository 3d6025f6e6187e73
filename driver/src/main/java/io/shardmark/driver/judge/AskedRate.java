package io.shardmark.driver.judge;

import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.StageResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A rate that was asked of a run, or of one of its stages, and what became of it.
 *
 * @param stage as a sentence begins with it; empty for all of the run
 * @param done transactions per minute
 * @param minutes how long it was asked
 */
record AskedRate(String stage, LoadFigures load, double done, double minutes) {
  /** Those of its stages, or its own; none where terminals wait for their answers. */
  static List<AskedRate> of(RunResult run) {
    List<AskedRate> rates = new ArrayList<>();
    if (run.stages().isEmpty()) {
      LoadFigures load = Objects.requireNonNullElse(run.load(), LoadFigures.NONE);
      rates.add(new AskedRate("", load, donePerMinute(run), run.interval().seconds() / 60));
    }
    for (int i = 0; i < run.stages().size(); i++) {
      StageResult stage = run.stages().get(i);
      if (stage.seconds() > 0) {
        String name = "stage %d (%s): ".formatted(i + 1, stage.stage());
        rates.add(new AskedRate(name, stage.load(), stage.donePerMinute(), stage.seconds() / 60));
      }
    }
    rates.removeIf(rate -> rate.asked() <= 0);
    return rates;
  }

  /** Successes and failed ones of all of the run. */
  static double donePerMinute(RunResult run) {
    double seconds = run.interval().seconds();
    return seconds <= 0 ? 0 : (run.transactionCount() + run.failedCount()) * 60 / seconds;
  }

  /** Whether rates were asked of the run, and what was due was done. */
  static boolean wereHeld(RunResult run) {
    List<AskedRate> rates = of(run);
    return !rates.isEmpty()
        && rates.stream().noneMatch(rate -> rate.fellShort() && rate.hasBacklog());
  }

  double asked() {
    return load.askedPerMinute();
  }

  boolean fellShort() {
    return done < Limits.HELD_RATE_SHARE * asked();
  }

  /** Transactions that are under way at the end are no backlog. */
  private boolean hasBacklog() {
    return load.backlogGrowth() > (1 - Limits.HELD_RATE_SHARE) * asked() * minutes;
  }
}
