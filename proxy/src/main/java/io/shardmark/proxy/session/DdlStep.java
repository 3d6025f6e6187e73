package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change of the schema, or maintenance, on all shards that it concerns. */
final class DdlStep implements Step {
  private final ClientSession session;
  private final PlannedStatement statement;
  private final StatementPlan.Ddl ddl;
  private final List<Integer> shards = new ArrayList<>();
  private @Nullable Broadcast sent;
  private @Nullable SchemaRefresh refresh;

  DdlStep(ClientSession session, PlannedStatement statement, StatementPlan.Ddl ddl) {
    this.session = session;
    this.statement = statement;
    this.ddl = ddl;
    for (int shard = 0; shard < ddl.statements().size(); shard++) {
      if (ddl.statements().get(shard) != null) {
        shards.add(shard);
      }
    }
  }

  @Override
  public boolean advance() {
    if (sent == null && !send()) {
      return false;
    }
    if (sent != null && !sent.advance()) {
      return false;
    }
    if (ddl.changesMap() && ddl.transactional()) {
      session.ownTables().change(statement.sql(), ddl);
    } else if (ddl.changesMap()) {
      if (refresh == null) {
        refresh = new SchemaRefresh(session);
      }
      if (!refresh.advance()) {
        return false;
      }
    }
    String tag = sent == null ? null : sent.tag();
    BackendMessages.commandComplete(
        session.out(),
        tag == null || tag.isEmpty() ? statement.tag().toUpperCase(Locale.ROOT) : tag);
    return true;
  }

  private boolean send() {
    if (!ddl.transactional()) {
      SimpleQueries.requireAlone(session, statement.tag().toUpperCase(Locale.ROOT));
    } else if (!session.links().inTransaction()) {
      return false;
    }
    if (!session.links().requireAll(shards)) {
      return false;
    }
    Map<ServerConnection, String> texts = new LinkedHashMap<>();
    for (int shard : shards) {
      ServerConnection server = session.links().held(shard);
      String sql = ddl.statements().get(shard);
      if (server == null || sql == null) {
        throw new IllegalStateException("a required connection is not held");
      }
      if (ddl.transactional()) {
        server.markWritten();
      }
      texts.put(server, sql);
    }
    session.context().counters().count(LoopCounter.STATEMENTS_DDL);
    sent = new Broadcast(session.output(), texts);
    return true;
  }
}
