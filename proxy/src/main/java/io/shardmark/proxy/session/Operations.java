package io.shardmark.proxy.session;

import io.shardmark.proxy.copy.CopyInStep;
import io.shardmark.proxy.copy.CopyOutStep;
import io.shardmark.proxy.ddl.DdlStep;
import io.shardmark.proxy.ddl.SchemaSteps;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.ResultKeeper;
import io.shardmark.proxy.execution.SnapshotId;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.SuspendedResult;
import io.shardmark.proxy.insert.InsertStep;
import io.shardmark.proxy.local.DiscardStep;
import io.shardmark.proxy.local.SetStep;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.HandRoute;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.ReplayedChange;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Route.RouteVisitor;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.scatter.Scatter;
import io.shardmark.proxy.sql.KeyFormatException;
import org.jspecify.annotations.Nullable;

/** What the proxy does for statements that are not simply passed on to one shard. */
record Operations(Client client, PlannedStatement statement, Arguments arguments)
    implements RouteVisitor<ExecutionStep>, StatementPlan.ActionVisitor<ExecutionStep> {
  /** The work for a statement; it writes the answer without ReadyForQuery. */
  static ExecutionStep step(
      Client client, PlannedStatement statement, Route route, Arguments arguments) {
    return route.accept(new Operations(client, statement, arguments));
  }

  @Override
  public ExecutionStep forwarded(Route.Forwarded route) {
    throw new IllegalStateException("to be passed on: " + statement.tag());
  }

  @Override
  public ExecutionStep several(Route.Several route) {
    ExecutionStep further = further();
    return further == null ? client.scatter().step(statement, route, arguments) : further;
  }

  @Override
  public ExecutionStep insertByRow(Route.InsertByRow route) {
    ExecutionStep further = further();
    return further == null
        ? InsertStep.of(client, statement, route, arguments, Scatter::whole)
        : further;
  }

  /** Goes on with what an Execute of the portal has left; null if it is the first one. */
  private @Nullable ExecutionStep further() {
    if (arguments instanceof Arguments.BoundArguments bound) {
      SuspendedResult rest = bound.portal().suspended();
      return rest == null ? null : rest.resume(bound);
    }
    return null;
  }

  @Override
  public ExecutionStep severalForCursor(Route.SeveralForCursor route) {
    countLocal();
    return client.scatter().declare(route, arguments);
  }

  @Override
  public ExecutionStep copyData(Route.CopyData route) {
    return route.copy().fromClient()
        ? new CopyInStep(client, client.copies(), statement, route, this::replay)
        : CopyOutStep.of(client, statement, route);
  }

  /** Without an answer to the client. */
  private ExecutionStep replay(ReplayedChange change) {
    return Scatter.replay(client, change);
  }

  @Override
  public ExecutionStep local(Route.Local route) {
    if (!(route.action() instanceof StatementPlan.Ddl)
        && !(route.action() instanceof StatementPlan.SetSequence)) {
      countLocal(); // the others count themselves by their ways
    }
    return route.action().perform(this);
  }

  @Override
  public ExecutionStep refused(Route.RefusedRoute route) {
    throw new StatementException(new SqlState(route.sqlState()), route.message(), route.hint());
  }

  @Override
  public ExecutionStep transaction(StatementPlan.TransactionPlan action) {
    return TransactionCommand.of(client, statement, action, arguments.protocol());
  }

  @Override
  public ExecutionStep setParameter(StatementPlan.SetParameter action) {
    return new SetStep(client, client.clientSettings(), statement, action, arguments).step();
  }

  @Override
  public ExecutionStep setRoute(StatementPlan.SetRoute action) {
    return ExecutionStep.DONE.thenDo(
        () -> {
          try {
            client.routeTo(HandRoute.shardOf(client.planner().map(), action));
          } catch (KeyFormatException e) {
            throw new StatementException(
                SqlState.INVALID_PARAMETER_VALUE, String.valueOf(e.getMessage()));
          }
          client.output().complete(action.value() == null ? "RESET" : "SET");
        });
  }

  @Override
  public ExecutionStep showProxy(StatementPlan.ShowProxy action) {
    ExecutionStep rows =
        ExecutionStep.DONE.thenDo(() -> client.localRows().answer(action, arguments));
    // With one shard DDL waits for no reading of the catalogs.
    return client.shardCount() > 1
        ? rows
        : SchemaSteps.reading(client, client.context().cluster().catalogs()).then(() -> rows);
  }

  @Override
  public ExecutionStep discard(StatementPlan.Discard action) {
    return new DiscardStep(client, client.clientSettings(), client.statements(), statement, action)
        .step();
  }

  @Override
  public ExecutionStep cursor(StatementPlan.Cursor action) {
    ExecutionStep step = client.scatter().cursor(action, arguments);
    return action instanceof StatementPlan.CloseCursor && action.name().isEmpty()
        ? step.thenDo(this::closePortals)
        : step;
  }

  /** CLOSE ALL closes what clients have bound as well, but for itself. */
  private void closePortals() {
    ResultKeeper own = arguments instanceof Arguments.BoundArguments bound ? bound.portal() : null;
    client.portals().closeAllBut(own);
  }

  @Override
  public ExecutionStep listen(StatementPlan.Notification action) {
    return ListenStep.of(client, client.participants(), statement, action);
  }

  @Override
  public ExecutionStep ddl(StatementPlan.Ddl action) {
    return DdlStep.of(
        client,
        client.ownTables(),
        client.context().cluster().catalogs(),
        statement,
        action,
        this::replay);
  }

  @Override
  public ExecutionStep setSequence(StatementPlan.SetSequence action) {
    client.context().counters().count(LoopCounter.STATEMENTS_DDL);
    return SequenceStep.of(client, action, arguments);
  }

  @Override
  public ExecutionStep exportSnapshot(StatementPlan.ExportSnapshot action) {
    return ExportStep.of(client, client.shardByHand(), arguments);
  }

  @Override
  public ExecutionStep importSnapshot(StatementPlan.ImportSnapshot action) {
    return ExecutionStep.DONE.thenDo(
        () -> {
          ExportStep.requireImportable(client);
          client.transaction().useSnapshot(SnapshotId.parse(action.id()));
          client.output().complete("SET");
        });
  }

  @Override
  public ExecutionStep showTransaction(StatementPlan.ShowTransaction action) {
    return OutcomeSteps.show(client, action, arguments);
  }

  @Override
  public ExecutionStep askOutcome(StatementPlan.AskOutcome action) {
    return OutcomeSteps.outcome(client, action, arguments);
  }

  @Override
  public ExecutionStep movePartition(StatementPlan.MovePartition action) {
    return MovePartitionStep.of(client, client.context().cluster().partitionMoves(), action);
  }

  @Override
  public ExecutionStep empty(StatementPlan.Empty action) {
    return ExecutionStep.DONE.thenDo(() -> BackendMessages.emptyQueryResponse(client.out()));
  }

  /** What the proxy answers. */
  private void countLocal() {
    client.context().counters().count(LoopCounter.STATEMENTS_LOCAL);
  }
}
