package io.shardmark.driver.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.shardmark.driver.verdict.Finding;
import io.shardmark.driver.verdict.RunVerdict;
import io.shardmark.driver.verdict.VerdictKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The member {@code verdict} of {@code summary.json}, as those read it who show or compare runs.
 */
public final class VerdictNode {
  private VerdictNode() {}

  /**
   * The verdict as the run reached it. A file of a program that knew only whether the driver was
   * the limit gives that finding, or nothing.
   */
  public static Optional<RunVerdict> read(JsonNode node) {
    List<Finding> findings = new ArrayList<>();
    for (JsonNode finding : node.path("findings")) {
      VerdictKind.of(finding.path("kind").asText())
          .ifPresent(
              kind ->
                  findings.add(
                      new Finding(
                          kind, finding.path("cause").asText(), finding.path("advice").asText())));
    }
    if (findings.isEmpty() && node.path("driverBound").asBoolean()) {
      List<String> reasons = new ArrayList<>();
      node.path("reasons").forEach(reason -> reasons.add(reason.asText()));
      findings.add(new Finding(VerdictKind.DRIVER_BOUND, String.join("; ", reasons), ""));
    }
    return findings.isEmpty() ? Optional.empty() : Optional.of(new RunVerdict(findings));
  }
}
