package io.shardmark.driver.replication;

import io.shardmark.config.PropertyKey;
import io.shardmark.config.PropertyReader;
import io.shardmark.config.RunConfig;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The inserts of a run that gives each table so many rows: one transaction after the other, table
 * by table in turn, goes to the terminal that asks next. Safe on any thread.
 */
final class Deal {
  private final int tables;
  private final int transactions;
  private final AtomicInteger dealt = new AtomicInteger();

  Deal(int tables, int transactions) {
    this.tables = tables;
    this.transactions = transactions;
  }

  /** Empty if the run deals nothing. */
  static Optional<Deal> of(
      PropertyReader values, TableLayout layout, RunConfig run, boolean insertsOnly) {
    int rows = values.integer(ReplicationKey.DEAL_ROWS);
    if (rows == 0) {
      return Optional.empty();
    }
    if (rows % layout.statements() != 0) {
      throw values.bad(
          ReplicationKey.DEAL_ROWS,
          "a multiple of statementsPerCommit=" + layout.statements() + ", or 0");
    }
    if (!insertsOnly) {
      throw values.bad(ReplicationKey.OPERATIONS, "insert with dealRows");
    }
    int most = layout.lanesOf(layout.tables() - 1);
    int transactions = Math.multiplyExact(rows / layout.statements(), layout.tables());
    if (run.allTerminals() > Math.min(most, transactions)) {
      throw values.bad(
          PropertyKey.TERMINALS,
          "at most %d with dealRows=%d and tables=%d"
              .formatted(Math.min(most, transactions), rows, layout.tables()));
    }
    if (run.transactionsPerTerminal() < transactions) {
      throw values.bad(
          PropertyKey.RUN_TXNS_PER_TERMINAL,
          "%d or more with dealRows=%d, so that one terminal can insert all"
              .formatted(transactions, rows));
    }
    return Optional.of(new Deal(layout.tables(), transactions));
  }

  /** The table of the next transaction; empty if all are dealt. */
  OptionalInt nextTable() {
    int number = dealt.getAndIncrement();
    return number < transactions ? OptionalInt.of(number % tables) : OptionalInt.empty();
  }
}
