package io.shardmark.sql.history;

import java.util.List;
import java.util.Map;

/**
 * One transaction as its client has seen it. Every value is appended once in a history.
 *
 * @param number of the transaction, which no other one has
 */
public record HistoryTransaction(int number, Ending ending, List<HistoryStatement> statements) {
  public HistoryTransaction {
    statements = List.copyOf(statements);
  }

  /** What its client has learnt of its end. */
  public enum Ending {
    COMMITTED,
    ABORTED,
    /** It counts as committed if anybody has read from it. */
    UNKNOWN
  }

  /** What it has done. */
  public sealed interface HistoryStatement {}

  /** Puts a value at the end of a list. */
  public record Append(int list, int value) implements HistoryStatement {}

  /** One statement that reads lists, all of them whole. */
  public record Read(Map<Integer, List<Integer>> lists) implements HistoryStatement {
    public Read {
      lists = Map.copyOf(lists);
    }
  }
}
