package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.CancelKey;
import java.util.List;
import java.util.Optional;

/**
 * What an administrator sees of a session at a moment.
 *
 * @param id as the client knows it from BackendKeyData; 0 while it is being welcomed
 * @param applicationName "" if it has none
 * @param state active, idle, idle in transaction, idle in failed transaction, or waiting for a
 *     server connection
 * @param shards indexes of those whose server connections it holds
 * @param ageNanos since its login
 * @param transaction if it is over several shards
 */
public record SessionView(
    int id,
    String user,
    String database,
    String applicationName,
    String address,
    String state,
    List<Integer> shards,
    long ageNanos,
    Optional<Spread> transaction) {

  /**
   * A transaction over several shards.
   *
   * @param gid of its two-phase commit, "" before that
   * @param shards indexes of those that it is on
   * @param state open, failed, or what its commit is doing
   */
  public record Spread(String gid, List<Integer> shards, String state, long ageNanos) {}

  static SessionView of(ClientSession session, long openedNanos) {
    CancelKey key = session.cancelKey();
    return new SessionView(
        key == null ? 0 : key.processId(),
        session.user(),
        session.database(),
        session.settings().value("application_name").orElse(""),
        session.address(),
        state(session),
        shards(session.links().all()),
        System.nanoTime() - openedNanos,
        spread(session));
  }

  private static List<Integer> shards(List<ServerConnection> servers) {
    return servers.stream().map(ServerConnection::shard).toList();
  }

  private static String state(ClientSession session) {
    if (session.links().isWaiting()) {
      return "waiting";
    }
    boolean works =
        session.work().step() != null
            || session.links().all().stream().anyMatch(server -> !server.hasAnswered());
    if (works) {
      return "active";
    }
    return switch (session.status()) {
      case IDLE -> "idle";
      case IN_TRANSACTION -> "idle in transaction";
      case FAILED -> "idle in failed transaction";
    };
  }

  private static Optional<Spread> spread(ClientSession session) {
    Transaction transaction = session.transaction();
    List<Integer> shards = shards(session.links().enlisted());
    EndStep commit = session.work().commit();
    if (transaction.mode() == Mode.NONE || (shards.size() < 2 && commit == null)) {
      return Optional.empty();
    }
    String state = commit != null ? commit.word() : transaction.isFailed() ? "failed" : "open";
    return Optional.of(
        new Spread(
            commit == null ? "" : commit.gidText(),
            shards,
            state,
            System.nanoTime() - transaction.startNanos()));
  }
}
