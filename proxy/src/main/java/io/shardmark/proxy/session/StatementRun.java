package io.shardmark.proxy.session;

import io.shardmark.proxy.dialog.ClientDialog.QueryState;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.ExecutionPlanner;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.local.RefusalStep;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.SimpleStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements of a Query message one after the other, several of them in one transaction. */
final class StatementRun implements ExecutionStep {
  private final Client client;
  private final List<SimpleStatement> statements;
  private final String text;

  /** Where they go, as far as that is known; the others' turn decides. */
  private final List<Router.Routed> routes;

  /** What the statements have been planned with. */
  private final ShardMap map;

  private final List<String> searchPath;
  private int next;

  /** The statement for which the catalogs were read last. */
  private int readFor = -1;

  private @Nullable ExecutionStep current;

  /**
   * @param routes of all statements, or none
   * @param text of the Query message
   */
  StatementRun(
      Client client, List<SimpleStatement> statements, List<Router.Routed> routes, String text) {
    this.routes = routes;
    this.client = client;
    this.statements = statements;
    this.text = text;
    this.map = client.planner().map();
    this.searchPath = client.searchPath();
  }

  @Override
  public void abandon() {
    if (current != null) {
      current.abandon();
    }
  }

  @Override
  public boolean advance() {
    if (statements.isEmpty()) {
      BackendMessages.emptyQueryResponse(client.out());
    }
    while (true) {
      if (current != null) {
        if (!current.advance()) {
          return false;
        }
        current = null;
      }
      boolean failed = client.dialog().query() == QueryState.FAILED;
      if (failed || next == statements.size()) {
        if (failed && client.transaction().mode() != Transaction.EndMode.NONE) {
          client.transaction().fail();
        }
        return true;
      }
      SimpleStatement planned = planned(statements.get(next));
      if (client.ownTables().mustRead(planned.planned())) {
        current = client.readingOwnTables();
      } else {
        current = started(planned);
      }
    }
  }

  /** With what the statements before it in the message have changed. */
  @SuppressWarnings("ReferenceEquality") // another object: something has changed
  private SimpleStatement planned(SimpleStatement first) {
    ExecutionPlanner now = client.planner();
    if (now.map() == map && client.searchPath() == searchPath) {
      return first;
    }
    List<SimpleStatement> again = now.simple(first.planned().sql(), client.searchPath());
    return again.isEmpty() ? first : again.get(0);
  }

  @SuppressWarnings("ReferenceEquality") // another object: planned again
  private Router.Routed routed(SimpleStatement planned, int index) {
    boolean known = !routes.isEmpty() && statements.get(index) == planned;
    return known ? routes.get(index) : client.route(planned);
  }

  private ExecutionStep started(SimpleStatement planned) {
    int index = next;
    Transaction transaction = client.transaction();
    StatementPlan.TransactionPlan own = planned.planned().control();
    boolean control = own != null && own.standsApart();
    if (transaction.mode() == Transaction.EndMode.NONE && statements.size() > 1 && !control) {
      transaction.begin(Transaction.EndMode.IMPLICIT, List.of());
    }
    client.transaction().refuseIfFailed(planned.planned());
    Router.Routed routed = routed(planned, index);
    PlannedStatement statement = routed.statement();
    if (readFor != index && statement.mayBePlannedTooEarly(routed.route())) {
      readFor = index;
      return client.readingCatalogs();
    }
    next++;
    if (index == statements.size() - 1) {
      client.output().holdTag();
    }
    if (routed.route() instanceof Route.Forwarded route) {
      int shard = route.shard(client.participants());
      return ExecutionStep.with(
          () -> client.participants().require(shard),
          server -> forward(" ".repeat(offset(index)) + statement.sql(), route, server));
    }
    if (routed.route() instanceof Route.RefusedRoute refused
        && refused.stage() != Route.RefusedRoute.Stage.AT_ONCE) {
      return RefusalStep.of(client, " ".repeat(offset(index)) + statement.sql(), refused);
    }
    ExecutionStep step = Operations.step(client, statement, routed.route(), new Arguments.Text());
    int before = offset(index); // the client counts from the start of all statements
    return index == 0
        ? step
        : step.failing(e -> new StatementException(e.fields().withPositionBehind(before)));
  }

  /** Where a statement begins in the text, in characters as PostgreSQL counts them, from 0. */
  private int offset(int statement) {
    int at = 0;
    for (int i = 0; i <= statement; i++) {
      String sql = statements.get(i).planned().sql();
      int found = text.indexOf(sql, at);
      if (found < 0) {
        return 0;
      }
      at = i == statement ? found : found + sql.length();
    }
    return text.codePointCount(0, at);
  }

  /** One statement on one shard. */
  private ExecutionStep forward(String sql, Route.Forwarded route, ServerConnection server) {
    Forwarding.note(client, server, route, sql);
    server.query(sql, Forwarding.executed(client, server, List.of(route.use()), new WithoutEnd()));
    server.flush();
    return () -> {
      if (server.isClosed()) {
        throw StatementException.lostIn(server);
      }
      return server.hasAnswered();
    };
  }

  /** The client gets the tag from the proxy, when it may. */
  private final class WithoutEnd implements AnswerHandler {
    @Override
    public AnswerHandler.HandlerUse use() {
      return AnswerHandler.HandlerUse.FORWARD_WITHOUT_END;
    }

    @Override
    public void message(ServerConnection server, Message message) {
      client.output().complete(CapturedAnswer.tag(message));
    }
  }
}
