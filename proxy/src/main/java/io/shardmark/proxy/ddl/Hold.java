package io.shardmark.proxy.ddl;

import io.shardmark.proxy.routing.ChangedTables;
import java.util.Set;

/**
 * What a move of tables keeps back.
 *
 * @param tables names without schema; an empty set means all
 */
public record Hold(Set<String> tables, Manner manner) {
  /** Which statements wait. */
  public enum Manner {
    /** All; those under way have to end, and are cancelled if they do not. */
    STATEMENTS,
    /** The first ones of transactions. What has begun goes on, so that its locks go. */
    TRANSACTIONS,
    /** The first ones of all transactions, whatever they name; those under way have to end. */
    EVERYTHING
  }

  /** That lets no transaction begin. */
  public static final Hold EVERYTHING = new Hold(Set.of(), Manner.EVERYTHING);

  public Hold {
    tables = Set.copyOf(tables);
  }

  /** That keeps back every statement on the tables. */
  public static Hold ofStatements(Set<String> tables) {
    return new Hold(tables, Manner.STATEMENTS);
  }

  boolean keepsBack(String sql, StatementsUnderWay.StatementOwner owner) {
    return (manner == Manner.EVERYTHING || ChangedTables.mentions(sql, tables))
        && (manner == Manner.STATEMENTS || !owner.isInTransaction());
  }
}
