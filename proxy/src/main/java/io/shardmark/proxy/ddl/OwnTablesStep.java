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
import org.jspecify.annotations.Nullable;

/** Reads the tables as the open transaction sees them, on the servers that it is on. */
public final class OwnTablesStep implements ExecutionStep {
  private final Execution execution;
  private final OwnTables ownTables;
  private final TransactionCatalogs catalogs;
  private @Nullable Broadcast asked;

  public OwnTablesStep(Execution execution, OwnTables ownTables, TransactionCatalogs catalogs) {
    this.execution = execution;
    this.ownTables = ownTables;
    this.catalogs = catalogs;
  }

  @Override
  public boolean advance() {
    List<ServerConnection> servers = execution.participants().enlisted();
    Broadcast answers = asked;
    if (answers == null) {
      if (!execution
          .participants()
          .requireAll(servers.stream().map(ServerConnection::shard).toList())) {
        return false;
      }
      Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
      servers.forEach(server -> texts.put(server, catalogs.question(server.shard())));
      answers = new Broadcast(execution.output(), texts);
      asked = answers;
    }
    if (!answers.advance()) {
      return false;
    }
    Map<Integer, List<List<@Nullable String>>> rows = new HashMap<>();
    for (int i = 0; i < servers.size(); i++) {
      rows.put(servers.get(i).shard(), answers.rows().get(i));
    }
    ownTables.read(catalogs.map(rows));
    return true;
  }
}
