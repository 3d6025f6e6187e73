package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.dialog.ClientDialog;
import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.ClientStatement;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.FrontendType;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.BindParameters;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan.TransactionVerb;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Bind, Execute and the other messages of the extended protocol (PG18 §54.2.3
 * protocol-flow-ext-query). What goes to one shard is passed on; the statement's name is replaced
 * by the proxy's own, and the statement is prepared there first if need be.
 */
final class ExtendedProtocol {
  private static final int COPIED_BYTES = 4 * 1024;

  private final Client client;
  private final SessionContext context;
  private final StatementPreparation statements;
  private final ClientPortals portals;
  private final ClientDialog dialog;
  private final DescribeAndClose others;

  ExtendedProtocol(Client client, StatementPreparation statements) {
    this.client = client;
    this.context = client.context();
    this.statements = statements;
    this.dialog = client.dialog();
    this.portals = client.portals();
    this.others = new DescribeAndClose(client, statements);
  }

  /** Takes a message; false: not now. */
  boolean take(FrontendType type, ByteBuf buffer, int start, int length) {
    dialog.beginMessage();
    // A Parse waits for the Bind that says where it goes, or for a Sync, which may skip it.
    if (type != FrontendType.BIND && type != FrontendType.SYNC && !statements.placeHeldParse()) {
      return false;
    }
    return switch (type) {
      case PARSE -> statements.parse(buffer, start, length);
      case BIND -> bind(buffer, start, length);
      case DESCRIBE -> others.describe(buffer, start, length);
      case EXECUTE -> execute(buffer, start, length);
      case CLOSE -> others.close(buffer, start, length);
      case SYNC -> sync();
      case FLUSH -> flush();
      case QUERY, FUNCTION_CALL, COPY_DATA, COPY_DONE, COPY_FAIL, PASSWORD, TERMINATE ->
          throw new ProtocolViolationException("unexpected message " + type.messageName());
    };
  }

  // ---- Bind ----

  private boolean bind(ByteBuf buffer, int start, int length) {
    BindReader bind = context.bindReader();
    bind.read(buffer, start, length);
    if ((statements.holdsOther(bind.statement()) && !statements.placeHeldParse())
        || !statements.isKnown(bind.statement())) {
      return false;
    }
    ClientStatement statement = client.statements().existing(bind.statement());
    StatementText text = statement.text();
    if (!client.underWay().begin(text.sql()) || !client.isReadFor(text)) {
      return false;
    }
    PlannedStatement planned = client.planned(text);
    client.transaction().refuseIfFailed(planned);
    if (planned.isEmpty()) {
      client.transaction().refuseIfFailed();
    }
    if (!portals.isFree(bind.portal())) {
      if (!statements.placeHeldParse() || !client.participants().drained()) {
        return false; // the Bind that took it may have failed
      }
      throw new StatementException(
          SqlState.DUPLICATE_CURSOR, "cursor \"" + bind.portal() + "\" already exists");
    }
    Route route = client.route(planned, new BindParameters(bind, text.typeOids()));
    if (!client.isReadFor(planned, route)) {
      return false;
    }
    if (route instanceof Route.Forwarded forwarded) {
      return bindOnServer(statement, bind, buffer, forwarded);
    }
    StatementPlan.TransactionPlan end = planned.control();
    if (end != null) {
      int shard = client.end().forwardableTo(end);
      ServerConnection only = shard < 0 ? null : client.participants().held(shard);
      if (only != null) {
        return bindEnd(statement, bind, buffer, only, end);
      }
    }
    return bindOnProxy(planned, text, bind, route, start, length);
  }

  private boolean bindOnServer(
      ClientStatement statement, BindReader bind, ByteBuf buffer, Route.Forwarded route) {
    SessionParticipants participants = client.participants();
    if (route.use().cursor() != null
        && context.shardCount() > 1
        && dialog.hasExecuted()
        && !participants.inTransaction()) {
      return false; // a cursor needs a transaction, and the server may know of none
    }
    int shard = route.shard(participants);
    ServerConnection server = preparedOn(shard, statement);
    if (server == null) {
      return false;
    }
    portals.close(bind.portal()); // what it has left may take a message to that server
    Portal portal =
        new Portal.OnServer(
            shard, statement.text(), route.use(), server.dialog().askedCount(), origin());
    passOn(server, statement, bind, buffer, portal);
    Forwarding.note(client, server, route, statement.text().sql());
    return true;
  }

  /** A COMMIT or ROLLBACK for the only shard that the transaction is on. */
  private boolean bindEnd(
      ClientStatement statement,
      BindReader bind,
      ByteBuf buffer,
      ServerConnection only,
      StatementPlan.TransactionPlan end) {
    client.end().forwarded().comesOn(only);
    if (preparedOn(only.shard(), statement) == null) {
      return false;
    }
    portals.close(bind.portal());
    Portal portal =
        new Portal.EndOnServer(
            only.shard(), statement.text(), end, only.dialog().askedCount(), origin());
    passOn(only, statement, bind, buffer, portal);
    context.counters().count(LoopCounter.STATEMENTS_ONE_SHARD);
    context.counters().count(only.shard(), ShardCounter.STATEMENTS);
    return true;
  }

  /** The connection to that shard, with the statement prepared there; null: not now. */
  private @Nullable ServerConnection preparedOn(int shard, ClientStatement statement) {
    ServerConnection server = client.participants().require(shard);
    return server == null || !statements.prepare(server, statement) ? null : server;
  }

  /** Sends a Bind with the statement's own name there. */
  private void passOn(
      ServerConnection server,
      ClientStatement statement,
      BindReader bind,
      ByteBuf buffer,
      Portal portal) {
    long id = StatementPreparation.idOn(server, statement);
    if (bind.restLength() <= COPIED_BYTES) {
      FrontendMessages.bind(server.out(), bind, id);
    } else {
      FrontendMessages.bindPrefix(server.out(), bind, id);
      server.send(buffer, bind.restStart(), bind.restLength());
    }
    portals.put(bind.portal(), portal);
    server.expectBind(bind.portal().isEmpty());
    dialog.bindOnServer();
  }

  private Portal.Origin origin() {
    return Portal.Origin.in(client.transaction());
  }

  private boolean bindOnProxy(
      PlannedStatement planned,
      StatementText text,
      BindReader bind,
      Route route,
      int start,
      int length) {
    if (!statements.placeHeldParse()
        || !client.participants().drained()
        || !statements.isSure(text, ResultCheckStep.SEVERAL)) {
      return false;
    }
    if (route instanceof Route.RefusedRoute refused
        && refused.stage() != Route.RefusedRoute.Stage.AT_EXECUTE) {
      throw new StatementException(
          new SqlState(refused.sqlState()), refused.message(), refused.hint());
    }
    portals.put(
        bind.portal(),
        new Portal.OnProxy(
            text,
            new Router.Routed(planned, route),
            client.ownTables().view(),
            bind.buffer().copy(start, length),
            new PortalResult(),
            origin()));
    if (planned.takesSnapshot()) {
      dialog.bindQueryOfProxy();
    }
    BackendMessages.bindComplete(client.out());
    return true;
  }

  // ---- Execute ----

  private boolean execute(ByteBuf buffer, int start, int length) {
    BodyReader body = BodyReader.ofMessage("Execute", buffer, start, length);
    int nameStart = body.index();
    body.skipString();
    String name = context.names().name(buffer, nameStart, body.index() - 1 - nameStart);
    int maxRows = body.int32();
    DescribeAndClose.requireEnd(body);
    Portal portal = portals.existing(name);
    if (portal instanceof Portal.OnProxy own) {
      return client.underWay().begin(own.text().sql())
          && client.participants().drained()
          && executeOnProxy(name, own, maxRows);
    }
    StatementText text = portal.text();
    if (text != null && client.transaction().isFailed()) {
      refuseIfFailed(portal, client.planned(text));
    } else if (client.transaction().isUndoneEarly()) {
      client.transaction().refuseIfFailed(); // the server takes it for none
    }
    if (portal instanceof Portal.EndOnServer end) {
      return executeEnd(end, buffer, start, length);
    }
    if (!(portal instanceof Portal.OnServer there)) {
      throw new IllegalStateException("no way to execute " + portal);
    }
    ServerConnection server = client.participants().require(there.shard());
    if (server == null) {
      return false;
    }
    dialog.executeOnServer();
    server.send(buffer, start, length);
    server.expect(
        Expected.EXECUTE,
        there.use().isPlain()
            ? null
            : Forwarding.executed(client, server, List.of(there.use()), AnswerHandler.FORWARD));
    return true;
  }

  private boolean executeEnd(Portal.EndOnServer portal, ByteBuf buffer, int start, int length) {
    StatementPlan.TransactionPlan end = portal.end();
    if (client.end().forwardableTo(end) != portal.shard()) {
      // Another shard has been reached since the Bind: it has to end there too.
      client
          .work()
          .begin(
              TransactionCommand.of(
                  client, client.planned(portal.text()), end, Arguments.Protocol.EXTENDED));
      return true;
    }
    ServerConnection server = client.participants().require(portal.shard());
    if (server == null) {
      return false;
    }
    client.end().forwarded().begin(server, end.command() == TransactionVerb.COMMIT);
    dialog.executeOnServer();
    server.send(buffer, start, length);
    server.expect(Expected.EXECUTE, null);
    return true;
  }

  private boolean executeOnProxy(String name, Portal.OnProxy portal, int maxRows) {
    PlannedStatement planned = portal.routed().statement();
    PortalResult result = portal.result();
    refuseIfFailed(portal, planned);
    if (planned.isQuery() && !result.hasBegun() && portal.isOutdated(client.ownTables())) {
      throw new StatementException(StatementsUnderWay.MOVED); // since the Bind
    }
    if (result.isOver()) {
      return executeAgain(name, planned);
    }
    boolean joins =
        dialog.hasExecuted()
            || (planned.control() != null && dialog.hasBound())
            || planned.isUndoneWithPipeline();
    if (joins && !client.participants().inTransaction()) {
      return false;
    }
    if (planned.joinsPipeline()) {
      dialog.executeOnProxy();
    }
    BindReader bind = portal.values(context.names());
    Arguments arguments =
        new Arguments.BoundArguments(
            portal.text(), bind, result, maxRows, Arguments.Protocol.EXTENDED);
    result.begin();
    client.work().begin(Operations.step(client, planned, portal.routed().route(), arguments));
    return true;
  }

  /** A query has no rows left; anything else that does something is not done twice. */
  private boolean executeAgain(String name, PlannedStatement statement) {
    if (statement.isEmpty()) {
      BackendMessages.emptyQueryResponse(client.out());
      return true;
    }
    if (statement.isRead()) {
      client.output().complete("SELECT 0");
      return true;
    }
    throw new StatementException(
        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, "portal \"" + name + "\" cannot be run");
  }

  /**
   * A failed transaction takes nothing but its end, of a portal that has not failed with it. A
   * server does not know of a failure that is the proxy's.
   */
  private void refuseIfFailed(Portal portal, PlannedStatement statement) {
    Transaction transaction = client.transaction();
    transaction.refuseIfFailed(statement);
    if (statement.control() != null && portal.failsWith(transaction)) {
      transaction.refuseIfFailed();
    }
  }

  // ---- Sync and Flush ----

  private boolean sync() {
    SessionParticipants participants = client.participants();
    Transaction transaction = client.transaction();
    boolean implicit = transaction.mode() == Transaction.EndMode.IMPLICIT;
    if (dialog.isSkipping()) {
      statements.dropHeldParse();
    } else if (!statements.placeHeldParse() || (implicit && !participants.drained())) {
      return false;
    }
    if (transaction.mode() == Transaction.EndMode.NONE) {
      portals.clear();
    }
    ServerConnection active = participants.active();
    boolean answers =
        active != null
            && (!active.hasAnswered()
                || active.dialog().isUnsynced()
                || active.dialog().isSkippingToSync());
    switch (dialog.sync(implicit, answers)) {
      case ROLL_BACK -> client.work().begin(new PipelineEnd(client, EndStep.rollback(client)));
      case COMMIT -> client.work().begin(new PipelineEnd(client, EndStep.commit(client)));
      case PASS_ON -> Objects.requireNonNull(active).sync(null);
      case ANSWER -> {
        if (transaction.mode() == Transaction.EndMode.NONE) {
          participants.releaseAll();
        }
        client.readyForQuery();
      }
    }
    return true;
  }

  /**
   * Commits or undoes what a pipeline up to Sync did on several shards.
   *
   * @param ending does that; the client gets its error before ReadyForQuery
   */
  private record PipelineEnd(Client client, ExecutionStep ending) implements ExecutionStep {
    @Override
    public void abandon() {
      ending.abandon();
    }

    @Override
    public boolean advance() {
      try {
        if (!ending.advance()) {
          return false;
        }
      } catch (StatementException e) {
        BackendMessages.errorResponse(client.out(), e.fields());
      }
      client.portals().clear();
      client.readyForQuery();
      return true;
    }
  }

  private boolean flush() {
    ServerConnection active = client.participants().active();
    if (active != null && active.dialog().isUnsynced()) {
      FrontendMessages.flush(active.out());
    }
    return true;
  }

  /**
   * Whether a server has part of a pipeline, outside of a transaction of the proxy's, that an error
   * of our own breaks off: it must undo that.
   */
  boolean isUndoneByError() {
    ServerConnection active = client.participants().active();
    return client.transaction().mode() == Transaction.EndMode.NONE
        && active != null
        && active.dialog().isUnsynced();
  }
}
