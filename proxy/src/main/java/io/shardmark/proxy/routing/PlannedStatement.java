package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.SqlLexer;
import io.shardmark.proxy.sql.Target;
import io.shardmark.proxy.sql.TokenCursor;
import io.shardmark.proxy.sql.TokenRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement with its plan.
 *
 * @param sql as the client wrote it, without a semicolon at its end
 * @param tag the command tag's first word as PostgreSQL would give it (SELECT, INSERT, CREATE
 *     TABLE)
 * @param copiesIn COPY ... FROM STDIN, whatever executes it: the client's CopyData belong to it
 * @param missed it names what the shard map does not have, perhaps not yet
 */
public record PlannedStatement(
    String sql, String tag, StatementPlan plan, boolean copiesIn, boolean missed) {
  /** What takes no CopyData, and names nothing that the map does not have. */
  public PlannedStatement(String sql, String tag, StatementPlan plan) {
    this(sql, tag, plan, false, false);
  }

  /**
   * Whether a newer map may give it another plan than one by which it is refused, or goes where
   * what it names may not be.
   *
   * @param route of an execution, or null before there is one
   */
  public boolean mayBePlannedTooEarly(@Nullable Route route) {
    return missed && (route instanceof Route.RefusedRoute || isDecidedByMap());
  }

  /** Whatever its values are. */
  private boolean isDecidedByMap() {
    return plan instanceof StatementPlan.RefusedPlan
        || (plan instanceof StatementPlan.Ddl ddl
            && ddl.unknown() != StatementPlan.Ddl.Unknown.NOTHING)
        || (plan instanceof StatementPlan.QueryPlan query
            && query.target() instanceof Target.All
            && query.strategy() instanceof ScatterStrategy.RefuseScatter);
  }

  /** BEGIN, COMMIT or another command about transactions; null if it is something else. */
  public StatementPlan.@Nullable TransactionPlan control() {
    return plan instanceof StatementPlan.TransactionPlan control ? control : null;
  }

  /** The name that PREPARE in SQL gives a statement; null if it is something else. */
  @Nullable String preparedName() {
    if (!tag.equals("PREPARE")) {
      return null;
    }
    TokenCursor words = new TokenCursor(new TokenRange(sql, SqlLexer.tokens(sql)));
    words.take();
    String name = words.name();
    return name.isEmpty() ? null : name;
  }

  /** Whether servers execute it, for rows or a count of rows. */
  public boolean isQuery() {
    return plan instanceof StatementPlan.QueryPlan;
  }

  /** The same of one that changes nothing. */
  public boolean isRead() {
    return plan instanceof StatementPlan.QueryPlan query && query.access() == Access.READ;
  }

  public boolean isEmpty() {
    return plan instanceof StatementPlan.Empty;
  }

  /** Whether a server decides if the text is right. */
  public boolean needsServer() {
    return plan.needsServer();
  }

  /** Whether a failed transaction takes it. */
  public boolean isForFailed() {
    return plan.endsFailed() || isEmpty();
  }

  /** Whether PostgreSQL takes a snapshot for its Bind. */
  public boolean takesSnapshot() {
    return isQuery() || plan instanceof StatementPlan.CloseCursor;
  }

  /** Whether it is in one transaction with what follows it in a pipeline. */
  public boolean joinsPipeline() {
    return !isEmpty() && !(plan instanceof StatementPlan.TransactionPlan own && own.standsApart());
  }

  /** Whether it changes something of the session that a failure of its pipeline undoes. */
  public boolean isUndoneWithPipeline() {
    return plan instanceof StatementPlan.SetParameter set && !set.local();
  }

  /** Whether the proxy knows the columns of its result. */
  public boolean isDescribedByProxy() {
    return !needsServer()
        || plan instanceof StatementPlan.DeclareCursor
        || plan instanceof StatementPlan.Cursor;
  }

  /** Reference tables to lock on all shards before a server locks one of them by parsing it. */
  public List<TableName> lockedCopies() {
    return plan instanceof StatementPlan.QueryPlan query ? query.strategy().locked() : List.of();
  }

  /** The cursor that FETCH or MOVE names; null if it is something else. */
  public @Nullable String fetchedCursor() {
    return plan instanceof StatementPlan.FetchCursor fetch ? fetch.name() : null;
  }
}
