package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * The verdict on a run.
 *
 * @param findings all that is to be said, the most serious first; at least one
 */
@JsonPropertyOrder({"kind", "sentence", "driverBound", "findings"})
public record RunVerdict(List<Finding> findings) {
  public RunVerdict {
    findings = List.copyOf(findings);
    if (findings.isEmpty()) {
      throw new IllegalArgumentException("a verdict of nothing");
    }
  }

  /** The most serious. */
  public Finding main() {
    return findings.get(0);
  }

  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public VerdictKind kind() {
    return main().kind();
  }

  /** One line for people. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public String sentence() {
    return main().sentence();
  }

  /** True if this is among the findings. */
  public boolean has(VerdictKind kind) {
    return findings.stream().anyMatch(finding -> finding.kind() == kind);
  }

  /** True if the driver limited the run: its figures are lower bounds. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public boolean driverBound() {
    return has(VerdictKind.DRIVER_BOUND);
  }
}
