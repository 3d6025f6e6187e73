package io.shardmark.driver.tpcb;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What a transaction does. Each but {@link #SELECT_ONLY} adds a drawn amount to the balance of an
 * account and reads it.
 */
enum TpcbScript {
  /** Adds it to a teller and a branch too, and records it in the history. */
  TPCB_LIKE("tpcb-like", true, true),
  /** Only records it in the history: tellers and branches, of which there are few, stay. */
  SIMPLE_UPDATE("simple-update", false, true),
  /** Adds it to a teller and a branch too, and records nothing: the tables do not grow. */
  NO_HISTORY("no-history", true, false),
  /** Reads an account's balance. */
  SELECT_ONLY("select-only", false, false);

  private final String scriptName;
  private final boolean updatesAll;
  private final boolean insertsHistory;

  TpcbScript(String scriptName, boolean updatesAll, boolean insertsHistory) {
    this.scriptName = scriptName;
    this.updatesAll = updatesAll;
    this.insertsHistory = insertsHistory;
  }

  String scriptName() {
    return scriptName;
  }

  /** True if tellers and branches get the amount too. */
  boolean updatesAll() {
    return updatesAll;
  }

  boolean insertsHistory() {
    return insertsHistory;
  }

  boolean isReadOnly() {
    return this == SELECT_ONLY;
  }

  static TpcbScript parse(String name) {
    return Arrays.stream(values())
        .filter(script -> script.scriptName.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Arrays.stream(values())
                        .map(TpcbScript::scriptName)
                        .collect(Collectors.joining(", "))));
  }
}
