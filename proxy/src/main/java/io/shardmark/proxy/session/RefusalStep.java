package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the simple protocol that the proxy cannot execute. A server is asked to parse it
 * first, without executing it: what is wrong with it for PostgreSQL too is told in PostgreSQL's own
 * words. In the extended protocol the client's Parse does that.
 */
final class RefusalStep implements Step {
  /** Names that the server does not know; those in another sense the proxy may know better. */
  private static final Set<SqlState> UNKNOWN_NAMES =
      Set.of(SqlState.UNDEFINED_TABLE, SqlState.UNDEFINED_COLUMN);

  private final Client client;
  private final String sql;
  private final Route.Refused refuse;
  private @Nullable ServerConnection server;
  private final SyncedAnswer parsed = new SyncedAnswer();

  /**
   * @param offset of the statement in the client's text: positions in errors count from its start
   */
  RefusalStep(Client client, String sql, int offset, Route.Refused refuse) {
    this.client = client;
    this.sql = " ".repeat(offset) + sql;
    this.refuse = refuse;
  }

  @Override
  public boolean advance() {
    if (server == null && !send()) {
      return false;
    }
    if (!parsed.isDone()) {
      return false;
    }
    ErrorFields error = parsed.error();
    if (error != null && !isKnownBetter(error)) {
      throw new StatementException(error);
    }
    throw new StatementException(new SqlState(refuse.sqlState()), refuse.message(), hint());
  }

  /** A table that is on some shards only is unknown to the others, which is not the point. */
  private boolean isKnownBetter(ErrorFields error) {
    return refuse.message().startsWith("table ") && UNKNOWN_NAMES.contains(error.sqlState());
  }

  /** The server knows what the map does not: a table that has just been made. */
  private String hint() {
    if (!refuse.message().startsWith("relation ")) {
      return refuse.hint();
    }
    if (client.ownTables().isChanged()) {
      return "Tables are known to the proxy when the transaction that made them has committed.";
    }
    client.context().cluster().schemaChanges().changed(() -> {});
    return "The proxy reads the catalogs again now; send the statement once more.";
  }

  private boolean send() {
    ServerConnection target = client.links().require(client.links().anyShard());
    if (target == null) {
      return false;
    }
    server = target;
    StatementText text = client.text(sql);
    if (!target.isPrepared(text.id())) {
      target.prepare(text.id(), text.definition(), parsed);
    }
    target.sync(parsed);
    target.flush();
    return true;
  }
}
