package io.shardmark.driver.verify;

/** What became of one condition, from the best to the worst. */
public enum Verdict {
  /** No row breaks the condition. */
  PASS,
  /** The condition says nothing about the database in its present state; the reason says why. */
  NOT_APPLICABLE,
  /** The statement could not be run, so nothing is known; the reason is the database's message. */
  ERROR,
  /** At least one row breaks the condition, whatever else is not known. */
  FAIL;

  /** As printed in tables: {@code PASS}, {@code FAIL}, {@code n/a}, {@code ERROR}. */
  String label() {
    return this == NOT_APPLICABLE ? "n/a" : name();
  }
}
