package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.SnapshotId;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Exports the snapshot of a transaction on all its shards. */
final class ExportStep {
  private static final String FUNCTION = "pg_export_snapshot";

  private ExportStep() {}

  /**
   * @param only the one shard that the client has chosen, or -1
   */
  static ExecutionStep of(Execution execution, int only, Arguments arguments) {
    List<Integer> shards =
        only >= 0 ? List.of(only) : IntStream.range(0, execution.shardCount()).boxed().toList();
    ExecutionStep connected =
        () -> {
          requireSnapshot(execution);
          return execution.participants().requireAll(shards);
        };
    return connected.then(() -> ask(execution, shards, arguments));
  }

  private static void requireSnapshot(Execution execution) {
    boolean has =
        execution.transaction().mode() == Transaction.EndMode.EXPLICIT
            && execution.transaction().needsOneSnapshot(execution.settings());
    if (!has) {
      throw new StatementException(
          SqlState.ACTIVE_SQL_TRANSACTION,
          FUNCTION + "() over several shards needs a transaction of REPEATABLE READ",
          "BEGIN ISOLATION LEVEL REPEATABLE READ first.");
    }
  }

  /**
   * Whether the transaction can have another's snapshot.
   *
   * @throws StatementException if not, in PostgreSQL's words
   */
  static void requireImportable(Execution execution) {
    if (!execution.participants().enlisted().isEmpty() || execution.transaction().followsQuery()) {
      throw new StatementException(
          SqlState.ACTIVE_SQL_TRANSACTION,
          "SET TRANSACTION SNAPSHOT must be called before any query");
    }
    if (execution.transaction().mode() != Transaction.EndMode.EXPLICIT
        || !execution.transaction().needsOneSnapshot(execution.settings())) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a snapshot-importing transaction must have isolation level SERIALIZABLE or REPEATABLE"
              + " READ");
    }
  }

  private static ExecutionStep ask(Execution execution, List<Integer> shards, Arguments arguments) {
    List<ServerConnection> servers =
        shards.stream().map(execution.participants()::required).toList();
    Broadcast answers =
        Broadcast.of(execution.output(), servers, "SELECT pg_catalog." + FUNCTION + "()");
    return answers.thenDo(
        () -> {
          Map<String, String> ids = new TreeMap<>();
          for (int i = 0; i < servers.size(); i++) {
            ids.put(
                servers.get(i).shardName(),
                Objects.requireNonNull(answers.rows().get(i).get(0).get(0)));
          }
          if (arguments instanceof Arguments.Text) {
            BackendMessages.rowDescription(
                execution.output().out(), List.of(RowField.text(FUNCTION)));
          }
          BackendMessages.dataRow(execution.output().out(), List.of(new SnapshotId(ids).text()));
          execution.output().complete("SELECT 1");
        });
  }
}
