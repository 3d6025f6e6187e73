package io.shardmark.sql.history;

import java.util.List;

/**
 * What should not be in a history.
 *
 * @param transactions their numbers; of a cycle in its order, each followed by one that has to come
 *     after it, the last by the first
 * @param detail what was seen; of a cycle why each of them comes after the one before
 */
public record Anomaly(Phenomenon phenomenon, List<Integer> transactions, String detail) {
  public Anomaly {
    transactions = List.copyOf(transactions);
  }

  /** The phenomena, most of them by the names of Adya's thesis (1999). */
  public enum Phenomenon {
    /** Two reads give a list in different orders: there is no order of its appends. */
    NO_ORDER("no order"),
    /** A transaction reads not what it has appended itself so far. */
    INTERNAL("own appends misread"),
    /** A value of a transaction that was rolled back is read. */
    ABORTED_READ("G1a aborted read"),
    /** A value is read that its transaction has followed by another. */
    INTERMEDIATE_READ("G1b intermediate read"),
    /** Transactions append before each other. */
    DIRTY_WRITE("G0 write cycle"),
    /** Transactions append before each other or read from each other. */
    CIRCULAR_INFORMATION("G1c circular information"),
    /** One statement sees a part of a transaction. */
    TORN_STATEMENT("torn statement"),
    /** One transaction sees a part of another, by several statements perhaps. */
    TORN_TRANSACTION("fractured read"),
    /** Two transactions append to a list after both have read it as it was before. */
    LOST_UPDATE("lost update"),
    /** A cycle in which one transaction has not seen what another has appended. */
    READ_SKEW("G-single read skew"),
    /** A cycle in which several have not seen an append, but no two of them in a row. */
    LONG_FORK("long fork"),
    /** A cycle in which two in a row have not seen what the next has appended, as in write skew. */
    ANTI_DEPENDENCY_CYCLE("G2-item write skew");

    private final String label;

    Phenomenon(String label) {
      this.label = label;
    }

    /** As messages and tables name it. */
    public String label() {
      return label;
    }
  }
}
