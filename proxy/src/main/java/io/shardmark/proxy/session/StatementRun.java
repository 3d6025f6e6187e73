package io.shardmark.proxy.session;

import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Spread;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.Target;
import io.shardmark.proxy.session.Transaction.Mode;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The statements of a Query message one after the other, several of them in one transaction. */
final class StatementRun implements Step {
  /** What a server does with a cursor of its own, and with COPY TO. */
  private static final StatementPlan.Query OWN_READ =
      new StatementPlan.Query(Access.READ, new Target.Any(), new Spread.Sum(), Set.of());

  private static final StatementPlan.Query OWN_COPY_IN =
      new StatementPlan.Query(Access.WRITE, new Target.Any(), new Spread.Sum(), Set.of());

  private final ClientSession session;
  private final List<Planner.Planned> statements;
  private final String text;

  /** What the statements have been planned with. */
  private final Planner planner;

  private final List<String> searchPath;
  private int next;
  private @Nullable Step current;
  private boolean failed;

  /**
   * @param text of the Query message
   */
  StatementRun(ClientSession session, List<Planner.Planned> statements, String text) {
    this.session = session;
    this.statements = statements;
    this.text = text;
    this.planner = session.planner();
    this.searchPath = session.searchPath();
  }

  void serverFailed() {
    failed = true;
  }

  @Override
  public void abandon() {
    if (current != null) {
      current.abandon();
    }
  }

  @Override
  public boolean takesCopyData() {
    return current != null && current.takesCopyData();
  }

  @Override
  public boolean advance() {
    if (statements.isEmpty()) {
      SimpleQueries.empty(session);
    }
    while (true) {
      if (current != null) {
        if (!current.advance()) {
          return false;
        }
        current = null;
      }
      if (failed || next == statements.size()) {
        if (failed && session.transaction().mode() != Mode.NONE) {
          session.transaction().fail();
        }
        session.work().begin(new SimpleQueries.EndOfQuery(session));
        return true;
      }
      Planner.Planned planned = planned(statements.get(next));
      if (session.ownTables().mustRead(planned.statement())) {
        current = new OwnTablesStep(session);
      } else {
        next++;
        current = started(planned);
      }
    }
  }

  /** With what the statements before it in the message have changed. */
  @SuppressWarnings("ReferenceEquality") // another object: something has changed
  private Planner.Planned planned(Planner.Planned first) {
    Planner now = session.planner();
    if (now == planner && session.searchPath() == searchPath) {
      return first;
    }
    List<Planner.Planned> again = now.simple(first.statement().sql(), session.searchPath());
    return again.isEmpty() ? first : again.get(0);
  }

  private Step started(Planner.Planned planned) {
    Transaction transaction = session.transaction();
    PlannedStatement statement = planned.statement();
    boolean control =
        statement.plan() instanceof StatementPlan.Transaction own
            && own.command() != StatementPlan.Transaction.Command.SET_TRANSACTION;
    if (transaction.mode() == Mode.NONE && statements.size() > 1 && !control) {
      transaction.begin(Mode.IMPLICIT, "", session.settings());
    }
    Operations.refuseIfFailed(session, statement);
    if (statement.plan() instanceof StatementPlan.Query query) {
      int shard = session.choice().shard(query, planned.literals());
      if (shard != ShardChoice.SEVERAL) {
        return new Forward(statement, query, shard);
      }
      if (query.spread() instanceof Spread.Refuse refuse) {
        int offset = TextOffset.of(next - 1, statements, text);
        return new RefusalStep(session, statement.sql(), offset, refuse);
      }
    }
    if (statement.plan() instanceof StatementPlan.Copy copy) {
      int shard = CopyStep.onlyShard(session, copy, planned.literals());
      if (shard >= 0) {
        return new Forward(statement, copy.fromClient() ? OWN_COPY_IN : OWN_READ, shard);
      }
    }
    if (statement.plan() instanceof StatementPlan.Cursor cursor) {
      int shard = session.end().cursors().named().shardOf(cursor, planned.literals());
      if (shard != ShardChoice.SEVERAL) {
        session.end().cursors().named().passedOn(cursor, shard);
        return new Forward(statement, OWN_READ, shard);
      }
    }
    return Operations.step(
        session, statement, new Arguments.Text(statement.sql(), planned.literals()));
  }

  /** One statement on one shard. */
  private final class Forward implements Step {
    private final PlannedStatement statement;
    private final StatementPlan.Query query;
    private final int shard;
    private @Nullable ServerConnection server;
    private @Nullable ForwardedCopyIn copyIn;

    Forward(PlannedStatement statement, StatementPlan.Query query, int shard) {
      this.statement = statement;
      this.query = query;
      this.shard = shard >= 0 ? shard : session.choice().anyShard();
    }

    @Override
    public boolean takesCopyData() {
      return copyIn != null && session.messages().isFor(copyIn);
    }

    @Override
    public boolean advance() {
      ServerConnection target = server;
      if (target == null) {
        target = session.links().require(shard);
        if (target == null) {
          return false;
        }
        server = target;
        if (query.access() == Access.WRITE) {
          target.markWritten();
        }
        if (!query.effects().isEmpty()) {
          session.pin(target);
        }
        session.context().counters().count(Operations.forwardedRoute(statement.plan()));
        session.context().counters().count(shard, ShardCounter.STATEMENTS);
        AnswerHandler handler = AnswerHandler.FORWARD_WITHOUT_READY;
        if (statement.copiesIn()) {
          copyIn = ForwardedCopyIn.begin(session.messages(), target, handler.use());
          handler = copyIn;
        }
        target.query(statement.sql(), handler);
        target.flush();
      }
      if (target.isClosed()) {
        throw session.lostIn(target);
      }
      return target.hasAnswered();
    }
  }
}
