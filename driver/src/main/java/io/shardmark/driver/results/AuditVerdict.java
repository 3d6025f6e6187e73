package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** What the input audit says about one rule. */
public enum AuditVerdict {
  PASS("pass"),
  FAIL("FAIL"),
  /** Or whatever a newer program says. */
  @JsonEnumDefaultValue
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
