package io.shardmark.proxy.session;

import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cancels what a session runs or waits for: its client wishes it, or a deadlock has to be broken.
 */
final class Cancellation {
  private final ClientSession session;

  /** The session as {@link StatementsUnderWay} sees it. */
  record OfSession(ClientSession session) implements StatementsUnderWay.Owner {
    @Override
    public void wake() {
      session.context().loop().execute(session::proceed);
    }

    @Override
    public boolean hasNothingUnderWay() {
      return session.work().step() == null && session.links().isQuiet();
    }

    @Override
    public boolean isBusy() {
      return session.work().step() != null
          || session.links().all().stream().anyMatch(server -> !server.hasAnswered());
    }

    @Override
    public void forgetCancellation() {
      session.cancellation().forgetDeadlock();
    }

    @Override
    public void cancelBecause(ErrorFields why) {
      if (session.work().commit() == null) {
        session.cancellation().because(why);
      }
    }
  }

  /** What the cancelled statement is to be told, and by whose cancellation it learns of it. */
  private @Nullable Deadlock deadlock;

  private record Deadlock(ErrorFields error, List<ServerConnection> cancelled) {}

  Cancellation(ClientSession session) {
    this.session = session;
  }

  /** The client asked for it. */
  void byClient() {
    session.context().counters().count(LoopCounter.CANCELS);
    deadlock = null;
    ErrorFields cancelled =
        ErrorFields.error(SqlState.QUERY_CANCELED, "canceling statement due to user request");
    if (session.links().isWaiting()) {
      session.links().cancelWaits(cancelled);
      session.proceed();
      return;
    }
    cancelAll(session.links().all());
  }

  /** Cancels what the session runs or waits for; its client is told why. */
  void because(ErrorFields why) {
    if (session.links().isWaiting()) {
      session.links().cancelWaits(why);
      session.proceed();
      return;
    }
    deadlock = new Deadlock(why, cancelAll(session.links().all()));
  }

  private static List<ServerConnection> cancelAll(List<ServerConnection> servers) {
    List<ServerConnection> cancelled = new ArrayList<>();
    for (ServerConnection server : servers) {
      if (!server.hasAnswered()) {
        server.cancelQuery();
        cancelled.add(server);
      }
    }
    return cancelled;
  }

  /**
   * The transaction of now, for the deadlock detector; empty outside of one: a statement that reads
   * several shards by itself gives its locks back on each of them when that one has answered. On
   * the event loop.
   */
  Optional<OpenTransaction> openTransaction() {
    if (session.transaction().mode() == Mode.NONE || session.cancelKey() == null) {
      return Optional.empty();
    }
    List<Backend> backends = new ArrayList<>();
    for (ServerConnection server : session.links().enlisted()) {
      backends.add(new Backend(server.shard(), server.processId()));
    }
    EndStep commit = session.work().commit();
    return Optional.of(
        new OpenTransaction(
            transactionId(),
            session.transaction().startNanos(),
            commit == null ? "" : commit.gidText(),
            backends));
  }

  private long transactionId() {
    CancelKey key = session.cancelKey();
    return ((key == null ? 0L : key.processId()) << 32)
        | (session.transaction().number() & 0xffff_ffffL);
  }

  /**
   * Cancels what the transaction of that id waits for on that server process, because of a
   * deadlock; what it waits for elsewhere is in vain then. On the event loop.
   */
  void deadlocked(long id, Backend backend, String detail) {
    if (session.transaction().mode() == Mode.NONE || id != transactionId()) {
      return;
    }
    for (ServerConnection server : session.links().all()) {
      if (server.shard() == backend.shard()
          && server.processId() == backend.processId()
          && !server.hasAnswered()) {
        ErrorFields error =
            ErrorFields.error(SqlState.DEADLOCK_DETECTED, "deadlock detected").withDetail(detail);
        deadlock = new Deadlock(error, cancelAll(session.links().all()));
        return;
      }
    }
  }

  /** What the client is told of an error of this server: of a deadlock, not of its cancellation. */
  ErrorFields named(ServerConnection server, ErrorFields error) {
    ErrorFields found = deadlockBehind(server, error.sqlState().code());
    return found == null ? error : found;
  }

  /** The deadlock that made this server answer with that SQLSTATE; null if none did. */
  @Nullable ErrorFields deadlockBehind(ServerConnection server, String code) {
    Deadlock pending = deadlock;
    return pending != null
            && code.equals(SqlState.QUERY_CANCELED.code())
            && pending.cancelled().contains(server)
        ? pending.error()
        : null;
  }

  /** The transaction is over: a cancellation that comes later is of something else. */
  void forgetDeadlock() {
    deadlock = null;
  }
}
