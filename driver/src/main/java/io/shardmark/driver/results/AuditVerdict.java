package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** What the input audit says about one rule, or all of them together. */
public enum AuditVerdict {
  PASS("pass", "pass"),
  FAIL("FAIL", "fail"),
  /** Or whatever a newer program says. */
  @JsonEnumDefaultValue
  NOT_APPLICABLE("n/a", "not-judged");

  private final String text;
  private final String key;

  AuditVerdict(String text, String key) {
    this.text = text;
    this.key = key;
  }

  /** Its name in the key {@code failOn}. */
  public String key() {
    return key;
  }

  /** As shown on the console. */
  public String text() {
    return text;
  }
}
