package io.shardmark.driver.results;

/** Which transactions of a type a figure is about. */
public enum Scope {
  ALL("all"),
  /** Those that stayed in one partition. */
  LOCAL("local"),
  /** Those that touched more than one partition. */
  DISTRIBUTED("distributed");

  private final String jsonName;

  Scope(String jsonName) {
    this.jsonName = jsonName;
  }

  /** Its name in result files. */
  public String jsonName() {
    return jsonName;
  }
}
