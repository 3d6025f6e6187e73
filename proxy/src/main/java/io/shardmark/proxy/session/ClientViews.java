package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.transaction.EndRun;
import java.util.List;
import java.util.Optional;

/** What an administrator sees of clients. */
final class ClientViews {
  private ClientViews() {}

  static SessionView of(Client client, long openedNanos) {
    CancelKey key = client.cancelKey();
    return new SessionView(
        key == null ? 0 : key.processId(),
        client.user(),
        client.database(),
        client.settings().value("application_name").orElse(""),
        client.address(),
        state(client),
        shards(client.participants().all()),
        System.nanoTime() - openedNanos,
        distributed(client));
  }

  private static List<Integer> shards(List<ServerConnection> servers) {
    return servers.stream().map(ServerConnection::shard).toList();
  }

  private static String state(Client client) {
    if (client.participants().isWaiting()) {
      return "waiting";
    }
    boolean works =
        client.work().step() != null
            || client.participants().all().stream().anyMatch(server -> !server.hasAnswered());
    if (works) {
      return "active";
    }
    return switch (client.transaction().status()) {
      case IDLE -> "idle";
      case IN_TRANSACTION -> "idle in transaction";
      case FAILED -> "idle in failed transaction";
    };
  }

  private static Optional<SessionView.DistributedTransaction> distributed(Client client) {
    Transaction transaction = client.transaction();
    EndRun commit = client.end().unansweredCommit();
    List<Integer> shards =
        commit != null ? commit.shards() : shards(client.participants().enlisted());
    boolean isOpen = transaction.mode() != Transaction.EndMode.NONE && shards.size() > 1;
    if (commit == null && !isOpen) {
      return Optional.empty();
    }
    String state = commit != null ? commit.word() : transaction.isFailed() ? "failed" : "open";
    return Optional.of(
        new SessionView.DistributedTransaction(
            commit == null ? "" : commit.gidText(),
            shards,
            state,
            System.nanoTime() - transaction.startNanos()));
  }
}
