package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.List;
import java.util.stream.IntStream;

/**
 * LISTEN on all shards, since a trigger or function sends its notification where its row is; and
 * UNLISTEN where the client may have listened. LISTEN binds the client to its connections.
 */
final class ListenStep {
  private ListenStep() {}

  static ExecutionStep of(
      Execution client,
      SessionParticipants participants,
      PlannedStatement statement,
      StatementPlan.Notification action) {
    boolean listens = action.signal() == StatementPlan.Notification.Signal.LISTEN;
    List<Integer> shards =
        listens || participants.isPinned()
            ? IntStream.range(0, client.shardCount()).boxed().toList()
            : List.of(participants.lowestShard()); // which judges the text
    // Of one transaction: no connection listens for a client that was given an error.
    return participants
        .inTransactionOn(shards)
        .then(
            () -> {
              List<ServerConnection> servers = shards.stream().map(participants::required).toList();
              if (listens) {
                servers.forEach(participants::pinUnlessRolledBack);
              }
              return Broadcast.of(client.output(), servers, statement.sql())
                  .thenDo(() -> client.output().complete(action.signal().name()));
            });
  }
}
