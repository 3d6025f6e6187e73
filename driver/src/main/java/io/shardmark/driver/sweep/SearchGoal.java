package io.shardmark.driver.sweep;

/** What a search looks for, always with the response time limits of TPC-C 5.2.5.3 held. */
public enum SearchGoal {
  /** The number of terminals with the highest tpmC. */
  TPMC("tpmC"),

  /** The most terminals. */
  TERMINALS("terminals"),

  /** The most warehouses, with ten terminals each that key and think. */
  WAREHOUSES("warehouses");

  private final String optionName;

  SearchGoal(String optionName) {
    this.optionName = optionName;
  }

  /** As the option and the files have it. */
  @Override
  public String toString() {
    return optionName;
  }

  /** What is varied: the unit of the search's values. */
  String unit() {
    return this == WAREHOUSES ? "warehouses" : "terminals";
  }
}
