package io.shardmark.driver.judge;

import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.SteadyRampUp;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.VerdictKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Reaches the verdict on a run, by the thresholds that docs/measurement.md lists. Pure. */
public final class RunJudge {
  private RunJudge() {}

  /**
   * The findings on the run, the most serious first; {@link VerdictKind#CLEAN} if there are none.
   */
  public static RunVerdict of(RunResult run) {
    List<Finding> findings = new ArrayList<>(ServerJudge.findings(run));
    findings.addAll(DriverJudge.findings(run, AskedRate.wereHeld(run)));
    SteadyRampUp steady = run.interval().steady();
    if (steady != null && steady.fromSeconds() == null) {
      findings.add(
          new Finding(
              VerdictKind.NEVER_STEADY,
              "in %s of ramp-up the throughput did not become steady (%s)"
                  .formatted(Texts.seconds(run.interval().rampUpSeconds()), SteadyRampUp.RULE),
              "look at the first minutes of the report's time line; rampupMins=auto:60 waits longer"));
    }
    findings.sort(Comparator.comparing(Finding::kind));
    if (findings.isEmpty()) {
      findings.add(
          new Finding(
              VerdictKind.CLEAN,
              "nothing but the system under test limited this run of %s"
                  .formatted(Texts.seconds(run.interval().seconds())),
              ""));
    }
    return new RunVerdict(findings);
  }
}
