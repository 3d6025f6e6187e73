package io.shardmark.proxy.ddl;

import java.util.Set;
import java.util.function.Consumer;

/** The other proxies over the same shards, while a transaction moves tables. Thread-safe. */
public interface OtherProxies {
  /** By what, executed on each of the transaction's servers, it is seen when it is over there. */
  String mark(int move);

  /**
   * Has the others keep all statements off the tables until the transaction, which has been marked
   * everywhere, is over.
   *
   * @param answer called once, on any thread: "" when they do, else why not
   */
  void keepOff(int move, Set<String> tables, Consumer<String> answer);

  /**
   * The transaction is over as far as this proxy can do anything for it.
   *
   * @param change ends when it is over on all shards, whoever ends it there, and the map shows it
   */
  void whenOver(int move, PlacementChanges.Change change);
}
