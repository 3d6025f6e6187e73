package io.shardmark.driver.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The verdict on a run.
 *
 * @param findings all that is to be said, the most serious first; at least one
 */
public record RunVerdict(List<Finding> findings) {
  public RunVerdict {
    findings = List.copyOf(findings);
    if (findings.isEmpty()) {
      throw new IllegalArgumentException("a verdict of nothing");
    }
  }

  /** Judges by the thresholds that docs/measurement.md lists. */
  public static RunVerdict of(VerdictInput run) {
    List<Finding> findings = new ArrayList<>(ServerJudge.findings(run));
    findings.addAll(DriverJudge.findings(run));
    findings.sort(Comparator.comparing(Finding::kind));
    if (findings.isEmpty()) {
      findings.add(
          new Finding(
              VerdictKind.CLEAN,
              "nothing but the system under test limited this run of %s"
                  .formatted(Figures.seconds(run.seconds())),
              ""));
    }
    return new RunVerdict(findings);
  }

  /** The most serious. */
  public Finding main() {
    return findings.get(0);
  }

  public VerdictKind kind() {
    return main().kind();
  }

  /** One line for people. */
  public String sentence() {
    return main().sentence();
  }

  /** True if this is among the findings. */
  public boolean has(VerdictKind kind) {
    return findings.stream().anyMatch(finding -> finding.kind() == kind);
  }
}
