package io.shardmark.proxy.session;

import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.commit.TransactionId;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** How a client learns the identifier of its transaction, and later how that has ended. */
final class OutcomeSteps {
  private static final String CURRENT = "SELECT pg_catalog.txid_current()";

  private OutcomeSteps() {}

  /** SHOW shardmark.transaction: one shard numbers its part, which counts as written then. */
  static ExecutionStep show(
      Client client, StatementPlan.ShowTransaction action, Arguments arguments) {
    if (client.transaction().mode() != Transaction.EndMode.EXPLICIT) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION,
          "SHOW shardmark.transaction can only be used in transaction blocks");
    }
    return ExecutionStep.with(
        () -> client.participants().require(shard(client)),
        server -> {
          Broadcast number = Broadcast.of(client.output(), List.of(server), CURRENT);
          server.dialog().wrote();
          return number.thenDo(
              () -> {
                long assigned = Long.parseLong(number.values().get(0));
                answer(
                    client,
                    action,
                    arguments,
                    new TransactionId(server.shardName(), assigned).text());
                client.output().complete("SHOW");
              });
        });
  }

  /** One that takes part in the end anyway, if there is one. */
  private static int shard(Client client) {
    return client.participants().enlisted().stream()
        .filter(server -> server.dialog().hasWritten())
        .findFirst()
        .map(ServerConnection::shard)
        .orElseGet(client.participants()::anyShard);
  }

  /** SELECT shardmark.outcome('...'). */
  static ExecutionStep outcome(
      Client client, StatementPlan.AskOutcome action, Arguments arguments) {
    String id = action.transaction();
    if (TransactionId.parse(id).isEmpty() && Gid.parse(id).isEmpty()) {
      throw new StatementException(
          SqlState.INVALID_PARAMETER_VALUE,
          "\"" + id + "\" is not the identifier of a transaction",
          "SHOW shardmark.transaction gives it, in the transaction, or the detail of an error.");
    }
    return ExecutionStep.DONE.then(
        () -> {
          CompletableFuture<String> asked = client.context().cluster().recoverer().outcome(id);
          var unused =
              asked.whenComplete((text, failure) -> client.loop().execute(client::proceed));
          ExecutionStep answered = asked::isDone;
          return answered.thenDo(
              () -> {
                String text = text(asked);
                answer(client, action, arguments, text.isEmpty() ? null : text);
                client.output().complete("SELECT 1");
              });
        });
  }

  private static String text(CompletableFuture<String> asked) {
    try {
      return asked.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof StatementException refused ? refused : e;
    }
  }

  private static void answer(
      Client client, StatementPlan plan, Arguments arguments, @Nullable String value) {
    if (arguments instanceof Arguments.Text) {
      client.localRows().describe(plan);
    }
    BackendMessages.dataRow(client.output().out(), Arrays.asList(value));
  }
}
