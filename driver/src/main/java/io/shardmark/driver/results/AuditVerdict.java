package io.shardmark.driver.results;

/** What the input audit says about one rule. */
public enum AuditVerdict {
  PASS("pass"),
  FAIL("FAIL"),
  NOT_APPLICABLE("n/a");

  private final String text;

  AuditVerdict(String text) {
    this.text = text;
  }

  /** As shown on the console. */
  public String text() {
    return text;
  }
}
