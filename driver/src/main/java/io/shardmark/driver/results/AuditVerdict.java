package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import java.util.List;

/** What the input audit says about one rule, or all of them together. */
public enum AuditVerdict {
  PASS("pass", "pass"),
  FAIL("FAIL", "fail"),
  /** Or whatever a newer program says. */
  @JsonEnumDefaultValue
  NOT_APPLICABLE("n/a", "not-judged");

  /** An audit that judged a smaller share of its rules says too little to be a pass. */
  public static final double LEAST_JUDGED_SHARE = 0.5;

  private final String text;
  private final String key;

  AuditVerdict(String text, String key) {
    this.text = text;
    this.key = key;
  }

  /** Of a whole audit: it fails by one rule, and passes if enough of its rules were judged. */
  static AuditVerdict of(List<AuditRow> rows) {
    if (rows.stream().anyMatch(row -> row.verdict() == FAIL)) {
      return FAIL;
    }
    long passed = rows.stream().filter(row -> row.verdict() == PASS).count();
    return passed > 0 && passed >= LEAST_JUDGED_SHARE * rows.size() ? PASS : NOT_APPLICABLE;
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
