package io.shardmark.proxy.session;

/** How far a client has come since its last Sync, and the portals that it has bound. */
final class Pipeline {
  private final ClientPortals portals;

  /**
   * A statement has been executed since the last Sync, outside of a transaction block: what follows
   * is in one with it (PG18 §54.2.4 protocol-flow-pipelining).
   */
  private boolean executed;

  /** The proxy executes a statement, which is done when the next message is taken. */
  private boolean executing;

  /** A portal has been made on a server since then. */
  private boolean bound;

  /** A query has been bound since then that is none of one server's. */
  private boolean queried;

  /** An implicit transaction was broken off by an error of our own: servers must undo it. */
  private boolean mustRollBack;

  private long number;

  /** Until the next Sync all messages are skipped. */
  private boolean skipping;

  Pipeline(ClientPortals portals) {
    this.portals = portals;
  }

  ClientPortals portals() {
    return portals;
  }

  /** It is another one after each Sync, and after each transaction. */
  long number() {
    return number;
  }

  /** A message is taken: what was executed before it is done. */
  void next() {
    executed |= executing;
    executing = false;
  }

  boolean hasExecuted() {
    return executed;
  }

  void execute() {
    executed = true;
  }

  /**
   * The proxy has begun to execute a statement.
   *
   * @param counts whether what follows is in one transaction with it
   */
  void begin(boolean counts) {
    executing = counts;
  }

  void bind() {
    bound = true;
  }

  boolean hasBound() {
    return bound;
  }

  void query() {
    queried = true;
  }

  /** Whether a plain server would have taken a snapshot, of which no shard knows. */
  boolean hasQueried() {
    return queried;
  }

  /** Whether a server may end the implicit transaction that there is. */
  boolean holdsNothing() {
    return !executed && !bound;
  }

  /** Servers must undo what it has done so far. */
  void breakOff() {
    mustRollBack = true;
  }

  boolean mustRollBack() {
    return mustRollBack;
  }

  /** Servers have been asked to. */
  void rolledBack() {
    mustRollBack = false;
  }

  void skipToSync() {
    skipping = true;
  }

  boolean isSkippingToSync() {
    return skipping;
  }

  void endSkipping() {
    skipping = false;
  }

  /** Sync. */
  void end() {
    number++;
    executed = false;
    bound = false;
    queried = false;
  }

  /** Its portals are gone, and the next statement is the first of another transaction. */
  void transactionOver() {
    portals.clear();
    executing = false;
    end();
  }
}
