package io.shardmark.proxy.session;

import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.session.Transaction.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cancels what a session runs or waits for: its client wishes it, or a deadlock has to be broken.
 */
final class Cancellation {
  private final ClientSession session;
  private @Nullable ErrorFields deadlock;

  Cancellation(ClientSession session) {
    this.session = session;
  }

  /** The client asked for it. */
  void byClient() {
    session.context().counters().count(LoopCounter.CANCELS);
    ErrorFields cancelled =
        ErrorFields.error(SqlState.QUERY_CANCELED, "canceling statement due to user request");
    if (session.links().isWaiting()) {
      session.links().cancelWaits(cancelled);
      session.proceed();
      return;
    }
    for (ServerConnection server : session.links().all()) {
      if (!server.hasAnswered()) {
        server.cancelQuery();
      }
    }
  }

  /** The transaction of now, for the deadlock detector; empty outside of one. On the event loop. */
  Optional<OpenTransaction> openTransaction() {
    if (session.transaction().mode() == Mode.NONE || session.cancelKey() == null) {
      return Optional.empty();
    }
    List<Backend> backends = new ArrayList<>();
    for (ServerConnection server : session.links().enlisted()) {
      backends.add(new Backend(server.shard(), server.processId()));
    }
    return Optional.of(
        new OpenTransaction(transactionId(), session.transaction().startNanos(), backends));
  }

  private long transactionId() {
    CancelKey key = session.cancelKey();
    return ((key == null ? 0L : key.processId()) << 32)
        | (session.transaction().number() & 0xffff_ffffL);
  }

  /**
   * Cancels what the transaction of that id waits for on that server process, because of a
   * deadlock. On the event loop.
   */
  void deadlocked(long id, Backend backend, String detail) {
    if (session.transaction().mode() == Mode.NONE || id != transactionId()) {
      return;
    }
    for (ServerConnection server : session.links().enlisted()) {
      if (server.shard() == backend.shard()
          && server.processId() == backend.processId()
          && !server.hasAnswered()) {
        deadlock =
            ErrorFields.error(SqlState.DEADLOCK_DETECTED, "deadlock detected over shards")
                .withDetail(detail);
        server.cancelQuery();
      }
    }
  }

  /** What the next cancelled statement is to be told instead, once. */
  @Nullable ErrorFields takeDeadlock() {
    ErrorFields found = deadlock;
    deadlock = null;
    return found;
  }
}
