package io.shardmark.proxy.session;

import io.shardmark.proxy.ddl.PartitionMoves;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** ALTER TABLE partition SET (shard = name): orders the move, as the owner of the table may. */
final class MovePartitionStep {
  private static final String TAG = "ALTER TABLE";

  private MovePartitionStep() {}

  static ExecutionStep of(Client client, PartitionMoves moves, StatementPlan.MovePartition action) {
    client.transaction().refuseInside(TAG + " ... SET (shard = ...)");
    String name = action.partition().quoted();
    return ExecutionStep.with(
        () -> client.participants().require(action.on()),
        server -> {
          Broadcast owned =
              Broadcast.of(
                  client.output(),
                  List.of(server),
                  "SELECT 1 FROM pg_catalog.pg_class WHERE oid = '"
                      + name.replace("'", "''")
                      + "'::pg_catalog.regclass AND pg_catalog.pg_has_role(relowner, 'USAGE')");
          return owned.then(
              () -> {
                if (owned.values().isEmpty()) {
                  throw new StatementException(
                      SqlState.INSUFFICIENT_PRIVILEGE,
                      "must be owner of table " + action.partition().name());
                }
                return order(client, moves.move(name, action.to()).toCompletableFuture());
              });
        });
  }

  private static ExecutionStep order(Client client, CompletableFuture<String> ordered) {
    var unused = ordered.whenComplete((line, failure) -> client.loop().execute(client::proceed));
    ExecutionStep done = ordered::isDone;
    return done.thenDo(
        () -> {
          BackendMessages.noticeResponse(
              client.output().out(),
              ErrorFields.of(Severity.NOTICE, SqlState.SUCCESSFUL_COMPLETION, line(ordered)));
          client.output().complete(TAG);
        });
  }

  private static String line(CompletableFuture<String> ordered) {
    try {
      return ordered.join();
    } catch (CompletionException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new StatementException(
          SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, String.valueOf(why.getMessage()));
    }
  }
}
