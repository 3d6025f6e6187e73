package io.shardmark.proxy.ddl;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.shardmap.TransactionCatalogs;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Steps until statements can be planned with what has been changed. */
public final class SchemaSteps {
  private SchemaSteps() {}

  /** Waits until the current map shows all that was committed before. */
  public static ExecutionStep reading(Execution execution, TransactionCatalogs catalogs) {
    return ExecutionStep.DONE.then(
        () -> {
          AtomicBoolean read = new AtomicBoolean();
          catalogs.changed(
              () -> {
                read.set(true);
                execution.loop().execute(execution::proceed);
              });
          return read::get;
        });
  }

  /** The same for what the client's own transaction has committed. */
  public static ExecutionStep publishing(
      Execution execution, OwnTables ownTables, TransactionCatalogs catalogs) {
    return ExecutionStep.DONE
        .then(
            () -> {
              if (!ownTables.isReadLater()) {
                return reading(execution, catalogs);
              }
              catalogs.changedUnseen();
              return ExecutionStep.DONE;
            })
        .thenDo(ownTables::published);
  }

  /** Reads the tables as the open transaction sees them, on the servers that it is on. */
  public static ExecutionStep readingOwn(
      Execution execution, OwnTables ownTables, TransactionCatalogs catalogs) {
    ExecutionStep connected = execution.participants()::requireEnlisted;
    return connected.then(
        () -> {
          List<ServerConnection> servers = execution.participants().enlisted();
          Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
          servers.forEach(server -> texts.put(server, catalogs.question(server.shard())));
          Broadcast answers = new Broadcast(execution.output(), texts);
          return answers.thenDo(
              () -> {
                Map<Integer, List<List<@Nullable String>>> rows = new HashMap<>();
                for (int i = 0; i < servers.size(); i++) {
                  rows.put(servers.get(i).shard(), answers.rows().get(i));
                }
                ownTables.read(catalogs.map(rows));
              });
        });
  }
}
