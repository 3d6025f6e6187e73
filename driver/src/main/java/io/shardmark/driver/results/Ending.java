package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonValue;

/** Why a run ended. */
public enum Ending {
  /** As configured. */
  COMPLETED("completed"),
  /** By a signal; the interval was cut short. */
  INTERRUPTED("interrupted"),
  /** Results of some of its drivers are missing: its rates are too low. */
  INCOMPLETE("incomplete"),
  /** By a check that found the data inconsistent. */
  INCONSISTENT("inconsistent"),
  /** By a fault of the driver or because no terminal could go on. */
  ABORTED("aborted"),
  /** Nobody said; no run writes it. */
  @JsonEnumDefaultValue
  UNKNOWN("");

  private final String jsonName;

  Ending(String jsonName) {
    this.jsonName = jsonName;
  }

  /** Its name in files. */
  @JsonValue
  public String jsonName() {
    return jsonName;
  }
}
