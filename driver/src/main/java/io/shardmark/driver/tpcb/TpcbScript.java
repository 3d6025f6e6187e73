package io.shardmark.driver.tpcb;

import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.OperationMix;
import java.util.Locale;

/**
 * What a transaction does. Each but {@link #SELECT_ONLY} adds a drawn amount to the balance of an
 * account and reads it.
 */
enum TpcbScript {
  /** Adds it to a teller and a branch too, and records it in the history. */
  TPCB_LIKE(true, true),
  /** Only records it in the history: tellers and branches, of which there are few, stay. */
  SIMPLE_UPDATE(false, true),
  /** Adds it to a teller and a branch too, and records nothing: the tables do not grow. */
  NO_HISTORY(true, false),
  /** Reads an account's balance. */
  SELECT_ONLY(false, false);

  private final boolean updatesAll;
  private final boolean insertsHistory;

  TpcbScript(boolean updatesAll, boolean insertsHistory) {
    this.updatesAll = updatesAll;
    this.insertsHistory = insertsHistory;
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

  /** As pgbench names it: in lower case with hyphens. */
  private String scriptName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The transactions of a run with their weights. */
  static OperationMix<TpcbScript> mix(PropertyReader values) {
    return OperationMix.of(values, TpcbKey.TRANSACTIONS, TpcbScript::mix);
  }

  static OperationMix<TpcbScript> mix(String text) {
    return OperationMix.parse(
        text, 1, TpcbScript.class, TpcbScript::scriptName, "each transaction once");
  }
}
