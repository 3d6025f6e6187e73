package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;

/** What the input audit says about one rule, or all of them together. */
public enum AuditVerdict {
  PASS("pass"),
  FAIL("fail"),
  /** Or whatever a newer program says. */
  @JsonEnumDefaultValue
  NOT_APPLICABLE("not-judged");

  private final String key;

  AuditVerdict(String key) {
    this.key = key;
  }

  /** Its name in the key {@code failOn}. */
  public String key() {
    return key;
  }
}
