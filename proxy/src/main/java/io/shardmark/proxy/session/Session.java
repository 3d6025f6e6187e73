package io.shardmark.proxy.session;

import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import java.util.Optional;

/** What the proxy may ask of a client's session, and do to it. On the session's event loop. */
public interface Session {
  /** For SHOW CLIENTS and SHOW TRANSACTIONS. */
  SessionView view();

  /** Whether it has begun what a pause waits for the end of. */
  boolean isUnderWay();

  /** A pause is over. */
  void resumed();

  /** The current transaction, for the deadlock detector; empty outside of one. */
  Optional<OpenTransaction> openTransaction();

  /**
   * Cancels what the transaction of that id waits for on that server process, because of a
   * deadlock.
   */
  void cancelDeadlocked(long id, Backend backend, String detail);

  /** Which of its statements may be under way. */
  StatementsUnderWay statements();

  /** Ends when nothing is under way any more. */
  void drain();

  /** Ends at once, with an error to the client. */
  void terminate();
}
