package io.shardmark.driver.results;

/** Which transactions of a type a figure is about. */
public enum Scope {
  ALL,
  /** Those that stayed in one partition. */
  LOCAL,
  /** Those that touched more than one partition. */
  DISTRIBUTED
}
