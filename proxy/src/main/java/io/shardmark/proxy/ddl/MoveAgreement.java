package io.shardmark.proxy.ddl;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What all proxies over the shards agree on before a transaction moves tables. Thread-safe. */
public interface MoveAgreement {
  /** By what, executed on each of the transaction's servers, it is seen when it is over there. */
  String mark(int move);

  /**
   * Has all proxies, this one included, keep statements off the tables until the transaction, which
   * has been marked everywhere, is over on all shards and their maps show it.
   *
   * @param own statements that may go on; null: those of no client
   * @param answer called once, on any thread: "" when they do, else why not
   */
  void keepOff(int move, Hold hold, @Nullable StatementsUnderWay own, Consumer<String> answer);
}
