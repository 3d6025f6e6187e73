package io.shardmark.driver.acid;

/** How a test of clause 3 ended. */
public enum AcidVerdict {
  /** What the clause demands was seen. */
  PASS("pass"),
  /** The isolation level in force promises less than the clause demands, and so it was. */
  PERMITTED("permitted"),
  /** Something that was promised did not hold. */
  FAIL("FAIL"),
  /** The test could not be carried out. */
  ERROR("ERROR"),
  /** Nothing was tried. */
  SKIPPED("skipped");

  private final String label;

  AcidVerdict(String label) {
    this.label = label;
  }

  /** At most nine characters. */
  public String label() {
    return label;
  }

  /** Whether a command that found it must not end with 0. */
  public boolean isFailure() {
    return this == FAIL || this == ERROR;
  }
}
