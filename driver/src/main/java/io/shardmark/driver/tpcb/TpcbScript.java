package io.shardmark.driver.tpcb;

import static io.shardmark.driver.tpcb.TpcbStatement.INSERT_HISTORY;
import static io.shardmark.driver.tpcb.TpcbStatement.SELECT_ACCOUNT;
import static io.shardmark.driver.tpcb.TpcbStatement.UPDATE_ACCOUNT;
import static io.shardmark.driver.tpcb.TpcbStatement.UPDATE_BRANCH;
import static io.shardmark.driver.tpcb.TpcbStatement.UPDATE_TELLER;

import io.shardmark.config.NamedConstant;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;
import java.util.List;

/**
 * What a transaction does: its statements in their order. Each but {@link #SELECT_ONLY} adds a
 * drawn amount to the balance of an account and reads it.
 */
enum TpcbScript implements NamedConstant {
  /** Adds it to a teller and a branch too, and records it in the history. */
  TPCB_LIKE(UPDATE_ACCOUNT, SELECT_ACCOUNT, UPDATE_TELLER, UPDATE_BRANCH, INSERT_HISTORY),
  /** Only records it in the history: tellers and branches, of which there are few, stay. */
  SIMPLE_UPDATE(UPDATE_ACCOUNT, SELECT_ACCOUNT, INSERT_HISTORY),
  /** Adds it to a teller and a branch too, and records nothing: the tables do not grow. */
  NO_HISTORY(UPDATE_ACCOUNT, SELECT_ACCOUNT, UPDATE_TELLER, UPDATE_BRANCH),
  /** Reads an account's balance. */
  SELECT_ONLY(SELECT_ACCOUNT);

  @SuppressWarnings("ImmutableEnumChecker") // what List.of makes
  private final List<TpcbStatement> statements;

  TpcbScript(TpcbStatement... statements) {
    this.statements = List.of(statements);
  }

  List<TpcbStatement> statements() {
    return statements;
  }

  /** True if tellers and branches get the amount too. */
  boolean updatesAll() {
    return statements.contains(UPDATE_BRANCH);
  }

  boolean insertsHistory() {
    return statements.contains(INSERT_HISTORY);
  }

  boolean isReadOnly() {
    return this == SELECT_ONLY;
  }

  /** As pgbench names it: in lower case with hyphens. */
  @Override
  public String propertyName() {
    return NamedConstant.super.propertyName().replace('_', '-');
  }

  /** The transactions of a run with their weights. */
  static OperationMix<TpcbScript> mix(PropertyReader values) {
    return OperationMix.of(values, TpcbKey.TRANSACTIONS, 1, TpcbScript.class);
  }

  /**
   * The input of one transaction.
   *
   * @param isDistributed true if the rows that it writes are on more than one shard
   */
  record TpcbInput(
      TpcbScript script,
      TransactionType type,
      int accountId,
      int branchId,
      int tellerId,
      int delta,
      boolean isDistributed)
      implements Transaction {}
}
