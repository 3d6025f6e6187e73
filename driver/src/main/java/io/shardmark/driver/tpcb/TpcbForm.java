package io.shardmark.driver.tpcb;

import java.util.List;

/** How a transaction talks to the database. */
enum TpcbForm {
  /**
   * One statement after the other, as {@code pgbench -M prepared}. pgjdbc sends BEGIN together with
   * the first one, where pgbench waits for its answer: a transaction has one round trip less.
   */
  SEPARATE,
  /**
   * All statements of a transaction in one round trip. pgjdbc sends a text of several statements as
   * a pipeline of prepared statements up to one Sync (PG18 §54.2.4 protocol-flow-pipelining). In
   * auto-commit mode that is one implicit transaction: neither BEGIN nor COMMIT is sent, and an
   * error rolls back all of it. That an UPDATE found no row is seen only after the commit; the
   * transaction counts as one with wrong data then, and {@code verify} finds what it left.
   */
  PIPELINED,
  /** One call of a function. In auto-commit mode the call is the transaction. */
  FUNCTION;

  /** What is sent together, one round trip after the other. */
  List<List<TpcbStatement>> roundTrips(TpcbScript script) {
    return switch (this) {
      case SEPARATE -> script.statements().stream().map(List::of).toList();
      case PIPELINED -> List.of(script.statements());
      case FUNCTION ->
          List.of(script.isReadOnly() ? script.statements() : List.of(TpcbStatement.CALL_FUNCTION));
    };
  }

  /** True if the driver begins and commits the transaction. */
  boolean isInTransaction(TpcbScript script) {
    return this == SEPARATE && !script.isReadOnly();
  }
}
