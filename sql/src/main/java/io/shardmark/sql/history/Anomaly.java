package io.shardmark.sql.history;

import java.util.List;

/**
 * What should not be in a history.
 *
 * @param transactions their numbers; of a cycle in its order, each followed by one that has to come
 *     after it, the last by the first
 * @param detail what was seen
 */
public record Anomaly(Phenomenon phenomenon, List<Integer> transactions, String detail) {
  public Anomaly {
    transactions = List.copyOf(transactions);
  }

  /** The phenomena, most of them by the names of Adya's thesis (1999). */
  public enum Phenomenon {
    /** Two reads give a list in different orders: there is no order of its appends. */
    NO_ORDER,
    /** G1a: a value of a transaction that was rolled back is read. */
    ABORTED_READ,
    /** G1b: a value is read that its transaction has followed by another. */
    INTERMEDIATE_READ,
    /** G0: transactions append before each other. */
    DIRTY_WRITE,
    /** G1c: transactions append before each other or read from each other. */
    CIRCULAR_INFORMATION,
    /** One statement sees a part of a transaction. */
    TORN_STATEMENT,
    /** One transaction sees a part of another, by several statements perhaps. */
    TORN_TRANSACTION,
    /** G-single: a cycle in which one transaction has not seen what another has appended. */
    READ_SKEW,
    /** G2: a cycle in which several have not seen what the next has appended. */
    ANTI_DEPENDENCY_CYCLE
  }
}
