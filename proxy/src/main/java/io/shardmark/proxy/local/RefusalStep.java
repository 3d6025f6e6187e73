package io.shardmark.proxy.local;

import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Participants;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the simple protocol that the proxy cannot execute. A server is asked to parse it
 * first, without executing it: what is wrong with it for PostgreSQL too is reported in PostgreSQL's
 * own words. In the extended protocol the client's Parse does that.
 */
public final class RefusalStep {
  /** Names that the server does not know; those in another sense the proxy may know better. */
  private static final Set<SqlState> UNKNOWN_NAMES =
      Set.of(SqlState.UNDEFINED_TABLE, SqlState.UNDEFINED_COLUMN);

  private RefusalStep() {}

  /**
   * The work that ends with the refusal.
   *
   * @param sql as far after the start of the text as in the client's: positions in errors count
   *     from there
   */
  public static ExecutionStep of(Execution execution, String sql, Route.RefusedRoute refuse) {
    Participants participants = execution.participants();
    return ExecutionStep.with(
        () ->
            participants.require(refuse.knownOn() < 0 ? participants.anyShard() : refuse.knownOn()),
        server -> {
          SyncedAnswer parsed = new SyncedAnswer();
          execution.text(sql).prepareOn(server, parsed);
          server.sync(parsed);
          server.flush();
          return () -> {
            if (parsed.isDone()) {
              throw failure(parsed.error(), refuse);
            }
            return false;
          };
        });
  }

  private static StatementException failure(
      @Nullable ErrorFields error, Route.RefusedRoute refuse) {
    // A table that is on some shards only is unknown to the others, which is not the point; one
    // that no shard is known to have may be.
    boolean isKnownBetter =
        error != null
            && (refuse.knownOn() >= 0 || refuse.message().startsWith("table "))
            && !refuse.message().startsWith("relation ")
            && UNKNOWN_NAMES.contains(error.sqlState());
    if (error != null && !isKnownBetter) {
      return new StatementException(error);
    }
    return new StatementException(new SqlState(refuse.sqlState()), refuse.message(), refuse.hint());
  }
}
