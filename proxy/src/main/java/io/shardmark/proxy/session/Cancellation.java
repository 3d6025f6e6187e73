package io.shardmark.proxy.session;

import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.transaction.EndRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Cancels what a session runs or waits for: its client wishes it, a deadlock has to be broken, or a
 * transaction moves the tables. Says what may be under way.
 */
final class Cancellation implements StatementsUnderWay.StatementOwner {
  private final Client client;

  /** The error of the cancelled statement, and by whose cancellation it learns of it. */
  private @Nullable Deadlock deadlock;

  private record Deadlock(ErrorFields error, List<ServerConnection> cancelled) {}

  Cancellation(Client client) {
    this.client = client;
  }

  /**
   * The client asked for it.
   *
   * @param done runs when the servers have got the requests: the client's next statement is safe
   *     then
   */
  void byClient(Runnable done) {
    client.context().counters().count(LoopCounter.CANCELS);
    deadlock = null;
    ErrorFields cancelled =
        ErrorFields.error(SqlState.QUERY_CANCELED, "canceling statement due to user request");
    if (client.participants().isWaiting()) {
      client.participants().cancelWaits(cancelled);
      client.proceed();
      done.run();
      return;
    }
    if (client.end().stopWaiting()) {
      client.proceed();
      done.run();
      return;
    }
    List<ServerConnection> servers = cancellable();
    AtomicInteger left = new AtomicInteger(servers.size());
    if (servers.isEmpty()) {
      done.run();
    }
    for (ServerConnection server : servers) {
      server.cancelQuery(
          () -> {
            if (left.decrementAndGet() == 0) {
              done.run();
            }
          });
    }
  }

  @Override
  public void cancelBecause(ErrorFields why) {
    if (client.end().commit() != null) {
      return;
    }
    if (client.participants().isWaiting()) {
      client.participants().cancelWaits(why);
      client.proceed();
      return;
    }
    deadlock = new Deadlock(why, cancelAll());
  }

  private List<ServerConnection> cancelAll() {
    List<ServerConnection> cancelled = cancellable();
    cancelled.forEach(ServerConnection::cancelQuery);
    return cancelled;
  }

  /** That have something to do which may be cancelled. */
  private List<ServerConnection> cancellable() {
    EndRun commit = client.end().commit();
    if (commit != null && !commit.isCancellable()) {
      return List.of();
    }
    List<ServerConnection> servers = client.participants().all();
    servers.removeIf(ServerConnection::hasAnswered);
    return servers;
  }

  /**
   * The current transaction, for the deadlock detector; empty outside of one: a statement that
   * reads several shards alone gives its locks back on each of them when that one has answered. On
   * the event loop.
   */
  Optional<OpenTransaction> openTransaction() {
    if (client.transaction().mode() == Transaction.EndMode.NONE || client.cancelKey() == null) {
      return Optional.empty();
    }
    List<Backend> backends = new ArrayList<>();
    for (ServerConnection server : client.participants().enlisted()) {
      if (!server.isStandby()) { // whose process ids are others
        backends.add(new Backend(server.shard(), server.processId()));
      }
    }
    EndRun commit = client.end().commit();
    return Optional.of(
        new OpenTransaction(
            transactionId(),
            client.transaction().startNanos(),
            commit == null ? "" : commit.gidText(),
            backends));
  }

  private long transactionId() {
    CancelKey key = client.cancelKey();
    return ((key == null ? 0L : key.processId()) << 32)
        | (client.transaction().number() & 0xffff_ffffL);
  }

  /**
   * Cancels what the transaction of that id waits for on that server process, because of a
   * deadlock; what it waits for elsewhere is in vain then. On the event loop.
   */
  void deadlocked(long id, Backend backend, String detail) {
    if (client.transaction().mode() == Transaction.EndMode.NONE || id != transactionId()) {
      return;
    }
    for (ServerConnection server : client.participants().all()) {
      if (server.shard() == backend.shard()
          && server.processId() == backend.processId()
          && !server.hasAnswered()) {
        ErrorFields error =
            ErrorFields.error(SqlState.DEADLOCK_DETECTED, "deadlock detected").withDetail(detail);
        deadlock = new Deadlock(error, cancelAll());
        return;
      }
    }
  }

  /** The error that the client gets for one of this server: a deadlock, not its cancellation. */
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
  @Override
  public void forgetCancellation() {
    deadlock = null;
  }

  // ---- what may be under way ----

  @Override
  public void wake() {
    client.proceedLater();
  }

  @Override
  public boolean hasNothingUnderWay() {
    return client.work().step() == null && client.participants().isQuiet();
  }

  @Override
  public boolean isBusy() {
    return client.work().step() != null
        || isInPipeline()
        || client.participants().all().stream().anyMatch(server -> !server.hasAnswered());
  }

  @Override
  public boolean isInTransaction() {
    return !client.participants().enlisted().isEmpty() || isInPipeline();
  }

  @Override
  public boolean isInPipeline() {
    return client.participants().all().stream().anyMatch(server -> server.dialog().isUnsynced());
  }
}
