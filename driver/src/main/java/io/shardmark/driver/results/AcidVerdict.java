package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** How a test of clause 3 ended, the worst first. */
public enum AcidVerdict {
  /** Something that was promised did not hold. */
  FAIL("FAIL"),
  /** The test could not be carried out. */
  ERROR("ERROR"),
  /** Nothing was tried. */
  SKIPPED("skipped"),
  /** The isolation level in force promises less than the clause demands, and so it was. */
  PERMITTED("permitted"),
  /** What the clause demands was seen. */
  PASS("pass");

  private final String label;

  AcidVerdict(String label) {
    this.label = label;
  }

  /** At most nine characters. */
  public String label() {
    return label;
  }

  /** Its name in files and in the key {@code failOn}. */
  @JsonValue
  public String key() {
    return label.toLowerCase(Locale.ROOT);
  }

  /** Whether a command that found it must not end with 0. */
  public boolean isFailure() {
    return this == FAIL || this == ERROR;
  }

  /** The worst of these; nothing was tried where there is none. */
  public static AcidVerdict worst(Collection<AcidResult> results) {
    return results.stream().map(AcidResult::verdict).min(Comparator.naturalOrder()).orElse(SKIPPED);
  }
}
