package io.shardmark.proxy.local;

import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the simple protocol that the proxy cannot execute. A server is asked to parse it
 * first, without executing it: what is wrong with it for PostgreSQL too is reported in PostgreSQL's
 * own words. In the extended protocol the client's Parse does that.
 */
public final class RefusalStep implements Step {
  /** Names that the server does not know; those in another sense the proxy may know better. */
  private static final Set<SqlState> UNKNOWN_NAMES =
      Set.of(SqlState.UNDEFINED_TABLE, SqlState.UNDEFINED_COLUMN);

  private final Execution execution;
  private final String sql;
  private final Route.Refused refuse;
  private final Supplier<String> unknown;
  private @Nullable ServerConnection server;
  private final SyncedAnswer parsed = new SyncedAnswer();

  /**
   * @param sql as far behind the start of the text as in the client's: positions in errors count
   *     from there
   * @param unknown what to do about a table that the proxy does not know
   */
  public RefusalStep(
      Execution execution, String sql, Route.Refused refuse, Supplier<String> unknown) {
    this.execution = execution;
    this.sql = sql;
    this.refuse = refuse;
    this.unknown = unknown;
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
    return refuse.message().startsWith("relation ") ? unknown.get() : refuse.hint();
  }

  private boolean send() {
    ServerConnection target = execution.participants().require(execution.participants().anyShard());
    if (target == null) {
      return false;
    }
    server = target;
    execution.text(sql).prepareOn(target, parsed);
    target.sync(parsed);
    target.flush();
    return true;
  }
}
