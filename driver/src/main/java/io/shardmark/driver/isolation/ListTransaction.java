package io.shardmark.driver.isolation;

import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;
import java.util.List;

/**
 * Lists to read and to append to, in ascending order, so that no two transactions wait for each
 * other. Values are drawn when it is executed, as a second try must append others.
 *
 * @param end whether it commits
 * @param isDistributed true if it appends on more than one shard
 */
record ListTransaction(TransactionType type, List<Access> accesses, End end, boolean isDistributed)
    implements Transaction {
  /** How it ends if nothing fails. */
  enum End {
    COMMIT,
    ROLLBACK
  }

  /** What is done to lists in one statement. */
  enum Action {
    APPEND("UPDATE isolation_list SET vals = concat(vals, ?) WHERE id = ?"),
    READ("SELECT id, vals FROM isolation_list WHERE id = ?"),
    READ_TWO("SELECT id, vals FROM isolation_list WHERE id IN (?, ?)");

    private final String sql;

    Action(String sql) {
      this.sql = sql;
    }

    String sql() {
      return sql;
    }
  }

  /**
   * One statement.
   *
   * @param other the second list of {@link Action#READ_TWO}
   */
  record Access(Action action, int list, int other) {}

  ListTransaction {
    accesses = List.copyOf(accesses);
  }
}
