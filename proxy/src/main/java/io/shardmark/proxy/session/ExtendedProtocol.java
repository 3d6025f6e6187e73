package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.copy.ForwardedCopyIn;
import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.Expected;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.BindParameters;
import io.shardmark.proxy.routing.ParameterSource;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.RoutingView;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.scatter.SqlCursors;

/**
 * Bind, Execute and the other messages of the extended protocol (PG18 §54.2.3
 * protocol-flow-ext-query). What goes to one shard is passed on; the statement's name is replaced
 * by the proxy's own, and the statement is prepared there first if need be.
 */
final class ExtendedProtocol {
  private static final int HEADER_LENGTH = 5;
  private static final int COPIED_BYTES = 4 * 1024;

  private final ClientSession session;
  private final SessionContext context;
  private final StatementPreparation statements;
  private final ClientPortals portals = new ClientPortals();

  /**
   * A statement has been executed since the last Sync, outside of a transaction block: what follows
   * is in one with it (PG18 §54.2.4 protocol-flow-pipelining).
   */
  private boolean pipelining;

  /** The proxy executes a statement, which is done when the next message is taken. */
  private boolean executing;

  /** A portal has been made on a server since then. */
  private boolean bound;

  /** An implicit transaction was broken off by an error of our own: servers must undo it. */
  private boolean mustRollBack;

  ExtendedProtocol(ClientSession session) {
    this.session = session;
    this.context = session.context();
    this.statements = new StatementPreparation(session);
  }

  /** The client's prepared statements. */
  StatementPreparation statements() {
    return statements;
  }

  /** Takes a message; false: not now. */
  boolean take(byte type, ByteBuf buffer, int start, int length) {
    pipelining |= executing;
    executing = false;
    return switch (type) {
      case 'P' -> statements.parse(buffer, start, length);
      case 'B' -> bind(buffer, start, length);
      case 'D' -> describe(buffer, start, length);
      case 'E' -> execute(buffer, start, length);
      case 'C' -> closeNamed(buffer, start, length);
      case 'S' -> sync();
      case 'H' -> flush();
      default ->
          throw new ProtocolViolationException("unexpected message type 0x%02x".formatted(type));
    };
  }

  private PlannedStatement planned(StatementText text) {
    return session.planned(text);
  }

  // ---- Bind ----

  private boolean bind(ByteBuf buffer, int start, int length) {
    BindReader bind = context.bindReader();
    bind.read(buffer, start, length);
    if (statements.holdsOther(bind.statement()) && !statements.placeHeldParse()) {
      return false;
    }
    ClientStatement statement = statements.existing(bind.statement());
    StatementText text = statement.text();
    if (!session.statements().begin(text.sql()) || !session.isReadFor(text)) {
      return false;
    }
    PlannedStatement planned = planned(text);
    Operations.refuseIfFailed(session, planned);
    Route route = session.route(planned, values(text, bind));
    if (route instanceof Route.Forwarded forwarded) {
      return bindOnServer(statement, bind, buffer, forwarded);
    }
    if (planned.plan() instanceof StatementPlan.Transaction end) {
      int shard = Operations.forwardableEnd(session, end);
      if (shard >= 0 && session.links().held(shard) != null) {
        return bindEnd(statement, bind, buffer, shard, end);
      }
    }
    return bindOnProxy(planned, text, bind, route, start, length);
  }

  private boolean bindOnServer(
      ClientStatement statement, BindReader bind, ByteBuf buffer, Route.Forwarded route) {
    int shard = route.shard(session.links());
    ServerConnection server = session.links().require(shard);
    if (server == null || !passOn(statement, bind, buffer, server)) {
      return false;
    }
    portals.of(bind.portal()).onServer(shard, statement.text(), route.use().copiesIn());
    Operations.forward(session, server, route);
    return true;
  }

  /** A COMMIT or ROLLBACK for the only shard that the transaction is on. */
  private boolean bindEnd(
      ClientStatement statement,
      BindReader bind,
      ByteBuf buffer,
      int shard,
      StatementPlan.Transaction end) {
    ServerConnection held = session.links().held(shard);
    if (held != null) {
      session.end().forwarded().comesOn(held);
    }
    ServerConnection server = session.links().require(shard);
    if (server == null || !passOn(statement, bind, buffer, server)) {
      return false;
    }
    portals.of(bind.portal()).endOnServer(shard, statement.text(), end);
    context.counters().count(LoopCounter.STATEMENTS_ONE_SHARD);
    context.counters().count(shard, ShardCounter.STATEMENTS);
    return true;
  }

  /** Sends a Bind with the statement's own name; false: not now. */
  private boolean passOn(
      ClientStatement statement, BindReader bind, ByteBuf buffer, ServerConnection server) {
    if (!statements.prepare(server, statement)) {
      return false;
    }
    long id = StatementPreparation.idOn(server, statement);
    if (bind.restLength() <= COPIED_BYTES) {
      FrontendMessages.bind(server.out(), bind, id);
    } else {
      FrontendMessages.bindPrefix(server.out(), bind, id);
      server.send(buffer, bind.restStart(), bind.restLength());
    }
    server.expect(Expected.BIND, null);
    bound = true;
    return true;
  }

  private static ParameterSource values(StatementText text, BindReader bind) {
    return new BindParameters(bind.buffer(), bind.restStart(), text.typeOids());
  }

  private boolean bindOnProxy(
      PlannedStatement planned,
      StatementText text,
      BindReader bind,
      Route route,
      int start,
      int length) {
    if (!statements.placeHeldParse()
        || !session.links().drained()
        || !statements.isSure(text, ResultCheckStep.SEVERAL)) {
      return false;
    }
    if (route instanceof Route.Refused refused) {
      throw new StatementException(
          new SqlState(refused.sqlState()), refused.message(), refused.hint());
    }
    portals
        .of(bind.portal())
        .onProxy(
            text,
            new Router.Routed(planned, route),
            session.ownTables().version(),
            bind.buffer().copy(start, length));
    BackendMessages.bindComplete(session.out());
    return true;
  }

  // ---- Execute ----

  private boolean execute(ByteBuf buffer, int start, int length) {
    if (!statements.placeHeldParse()) {
      return false;
    }
    BodyReader body =
        new BodyReader("Execute", buffer, start + HEADER_LENGTH, length - HEADER_LENGTH);
    int nameStart = body.index();
    body.skipString();
    String name = context.names().name(buffer, nameStart, body.index() - 1 - nameStart);
    int maxRows = body.int32();
    Named.requireEnd(body);
    Portal portal = portal(name);
    if (portal.place() == Portal.Place.PROXY) {
      StatementText own = portal.text();
      if ((own != null && !session.statements().begin(own.sql())) || !session.links().drained()) {
        return false;
      }
      return executeOnProxy(name, portal, maxRows);
    }
    StatementText text = portal.text();
    StatementPlan.Transaction end = portal.end();
    if (text != null && end != null && Operations.forwardableEnd(session, end) != portal.shard()) {
      // Another shard has been reached since the Bind: it has to end there too.
      session.work().begin(TransactionStep.of(session, planned(text), end));
      return true;
    }
    ServerConnection server = session.links().require(portal.shard());
    if (server == null) {
      return false;
    }
    if (end != null) {
      session
          .end()
          .forwarded()
          .begin(server, end.command() == StatementPlan.Transaction.Command.COMMIT);
    }
    pipelining = true;
    server.send(buffer, start, length);
    server.expect(
        Expected.EXECUTE,
        portal.copiesIn()
            ? ForwardedCopyIn.begin(session.messages(), server, AnswerHandler.Use.FORWARD)
            : null);
    return true;
  }

  private boolean executeOnProxy(String name, Portal portal, int maxRows) {
    StatementText text = portal.text();
    ByteBuf message = portal.bind();
    Router.Routed routed = portal.routed();
    if (text == null || message == null || routed == null) {
      throw new IllegalStateException("a portal of the proxy without its Bind");
    }
    PlannedStatement planned = routed.statement();
    Operations.refuseIfFailed(session, planned);
    if (planned.plan() instanceof StatementPlan.Query
        && !portal.hasBegun()
        && portal.tablesVersion() != session.ownTables().version()) {
      throw new StatementException(StatementsUnderWay.MOVED); // since the Bind
    }
    if (portal.isOver()) {
      return executeAgain(name, planned.plan());
    }
    boolean control = planned.plan() instanceof StatementPlan.Transaction;
    boolean joins = pipelining || (control && bound) || isUndoneWithPipeline(planned.plan());
    if (joins && !session.links().inTransaction()) {
      return false;
    }
    executing = !control;
    BindReader bind = new BindReader(context.names());
    bind.read(message, 0, message.readableBytes());
    Arguments arguments =
        new Arguments.Bound(text, bind, portal, maxRows, Arguments.Protocol.EXTENDED);
    portal.setExecuted();
    session.work().begin(Operations.step(session, planned, routed.route(), arguments));
    return true;
  }

  /** A query has no rows left; anything else that does something is not done twice. */
  private boolean executeAgain(String name, StatementPlan plan) {
    if (plan instanceof StatementPlan.Empty) {
      SimpleQueries.empty(session);
      return true;
    }
    if (plan instanceof StatementPlan.Query query && query.access() == Access.READ) {
      BackendMessages.commandComplete(session.out(), "SELECT 0");
      return true;
    }
    throw new StatementException(
        SqlState.OBJECT_NOT_IN_PREREQUISITE_STATE, "portal \"" + name + "\" cannot be run");
  }

  /** What a server would do at once, also if the pipeline fails behind it. */
  private static boolean isUndoneWithPipeline(StatementPlan plan) {
    return plan instanceof StatementPlan.SetParameter set && !set.local();
  }

  // ---- Describe and Close ----

  private boolean describe(ByteBuf buffer, int start, int length) {
    if (!statements.placeHeldParse()) {
      return false;
    }
    Named named = Named.read("Describe", buffer, start, length);
    if (named.isStatement()) {
      return describeStatement(statements.existing(named.name()));
    }
    if (isCursorOfProxy(named.name())) {
      return describeCursor(named.name());
    }
    Portal portal = portal(named.name());
    if (portal.place() == Portal.Place.PROXY) {
      return describeOnProxy(portal);
    }
    ServerConnection server = session.links().require(portal.shard());
    if (server == null) {
      return false;
    }
    server.send(buffer, start, length);
    server.expect(Expected.DESCRIBE_PORTAL, null);
    return true;
  }

  /** One that a Bind has made, or DECLARE on a server, which knows it by its name. */
  private Portal portal(String name) {
    int shard = shardOfDeclared(name);
    if (!portals.isUnbound(name) || shard == RoutingView.UNKNOWN) {
      return portals.existing(name);
    }
    if (shard == RoutingView.OVER_SEVERAL) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "cursor \"" + name + "\" is over several shards and cannot be executed as a portal",
          "Use FETCH.");
    }
    Portal declared = new Portal();
    declared.onServer(shard, null, false);
    return declared;
  }

  /** Whether it is a cursor over several shards. */
  private boolean isCursorOfProxy(String name) {
    return portals.isUnbound(name) && shardOfDeclared(name) == RoutingView.OVER_SEVERAL;
  }

  private boolean describeCursor(String name) {
    if (!session.links().drained()) {
      return false;
    }
    LocalRows.describe(
        session, new StatementPlan.FetchCursor(name, StatementPlan.FetchCursor.ALL, false));
    return true;
  }

  private boolean describeStatement(ClientStatement statement) {
    StatementText text = statement.text();
    if (!session.isReadFor(text)) {
      return false;
    }
    StatementPlan plan = planned(text).plan();
    Operations.refuseIfFailed(session, planned(text));
    int shard = session.describingShard(plan);
    if (plan instanceof StatementPlan.FetchCursor fetch) {
      shard = session.scatter().cursors().shardOf(fetch.name());
    }
    if (!plan.needsServer() || shard < 0) {
      if (!session.links().drained()) {
        return false;
      }
      BackendMessages.parameterDescription(session.out(), new int[0]);
      LocalRows.describe(session, plan);
      return true;
    }
    ServerConnection server = session.links().require(shard);
    if (server == null) {
      return false;
    }
    if (!statements.prepare(server, statement)) {
      return false;
    }
    FrontendMessages.describeStatement(server.out(), StatementPreparation.idOn(server, statement));
    server.expect(Expected.DESCRIBE_STATEMENT, null);
    return true;
  }

  private boolean describeOnProxy(Portal portal) {
    if (!session.links().drained()) {
      return false;
    }
    StatementText text = portal.text();
    ByteBuf message = portal.bind();
    Router.Routed routed = portal.routed();
    if (text == null || message == null || routed == null) {
      throw new IllegalStateException("a portal of the proxy without its Bind");
    }
    StatementPlan plan = routed.statement().plan();
    boolean opensCursor = routed.route() instanceof Route.SeveralForCursor;
    if (!plan.needsServer() || opensCursor || plan instanceof StatementPlan.Cursor) {
      LocalRows.describe(session, plan);
      return true;
    }
    // Any shard describes the client's own text as the client will see it.
    ServerConnection server = session.links().require(session.links().lowestShard());
    if (server == null) {
      return false;
    }
    BindReader bind = new BindReader(context.names());
    bind.read(message, 0, message.readableBytes());
    if (!statements.prepareShared(server, text)) {
      return false;
    }
    FrontendMessages.bind(server.out(), bind, text.id());
    server.expect(Expected.BIND, AnswerHandler.SWALLOW);
    FrontendMessages.describe(server.out(), NameKind.PORTAL, bind.portal());
    server.expect(Expected.DESCRIBE_PORTAL, null);
    FrontendMessages.close(server.out(), NameKind.PORTAL, bind.portal());
    server.expect(Expected.CLOSE, AnswerHandler.SWALLOW);
    return true;
  }

  private boolean closeNamed(ByteBuf buffer, int start, int length) {
    if (!statements.placeHeldParse()) {
      return false;
    }
    Named named = Named.read("Close", buffer, start, length);
    SqlCursors cursors = session.scatter().cursors();
    int shard = named.isStatement() ? RoutingView.UNKNOWN : shardOfPortal(named.name());
    if (shard >= 0) {
      ServerConnection server = session.links().require(shard);
      if (server == null) {
        return false;
      }
      portals.close(named.name());
      cursors.forget(named.name());
      server.send(buffer, start, length);
      server.expect(Expected.CLOSE, null);
      return true;
    }
    if (!session.links().drained()) {
      return false;
    }
    if (named.isStatement()) {
      statements.remove(named.name());
    } else if (isCursorOfProxy(named.name())) {
      cursors.close(named.name());
    } else {
      portals.close(named.name());
    }
    BackendMessages.closeComplete(session.out());
    return true;
  }

  /** The shard whose server has the portal, else something negative. */
  private int shardOfPortal(String name) {
    if (portals.isUnbound(name)) {
      return shardOfDeclared(name);
    }
    Portal portal = portals.existing(name);
    return portal.place() == Portal.Place.SERVER ? portal.shard() : RoutingView.UNKNOWN;
  }

  /**
   * The shard whose server has a portal that DECLARE made, UNKNOWN if none has one of that name, or
   * OVER_SEVERAL if the proxy has it. With one shard the server alone knows.
   */
  private int shardOfDeclared(String name) {
    if (context.shardCount() == 1) {
      return session.isIdle() && !session.links().isPinned() ? RoutingView.UNKNOWN : 0;
    }
    return session.scatter().cursors().shardOf(name);
  }

  // ---- Sync and Flush ----

  private boolean sync() {
    if (session.messages().isSkippingToSync()) {
      statements.dropHeldParse();
    } else if (!statements.placeHeldParse()) {
      return false;
    }
    Links links = session.links();
    Transaction transaction = session.transaction();
    if (transaction.mode() == Mode.IMPLICIT || mustRollBack) {
      if (!links.drained() && !session.messages().isSkippingToSync()) {
        return false;
      }
      session.messages().endSkipping();
      session.work().begin(new PipelineEnd(session, mustRollBack));
      mustRollBack = false;
      return true;
    }
    if (transaction.mode() == Mode.NONE) {
      forgetPortals();
    }
    pipelining = false;
    bound = false;
    session.messages().endSkipping();
    ServerConnection active = links.active();
    if (active != null && !(active.hasAnswered() && !active.isUnsynced())) {
      active.sync(null);
    } else if (active != null && active.isSkippingToSync()) {
      active.sync(null);
    } else {
      if (transaction.mode() == Mode.NONE) {
        links.releaseAll();
      }
      session.readyForQuery();
    }
    return true;
  }

  private boolean flush() {
    if (!statements.placeHeldParse()) {
      return false;
    }
    ServerConnection active = session.links().active();
    if (active != null && active.isUnsynced()) {
      FrontendMessages.flush(active.out());
    }
    return true;
  }

  /** An error of our own broke the pipeline off. */
  void failed() {
    statements.dropHeldParse();
    ServerConnection active = session.links().active();
    if (session.transaction().mode() == Mode.NONE && active != null && active.isUnsynced()) {
      mustRollBack = true;
    }
  }

  /** Its portals are gone, and the next statement of the pipeline is the first of another one. */
  void transactionOver() {
    forgetPortals();
    pipelining = false;
    executing = false;
    bound = false;
  }

  /** Whether a server may end the implicit transaction that there is. */
  boolean holdsNothing() {
    return !pipelining && !bound;
  }

  /** A Query takes the place of the unnamed statement (PG18 §54.2.3 protocol-flow-ext-query). */
  void forgetUnnamed() {
    statements.remove("");
  }

  /** The transaction is over, and its portals with it. */
  void forgetPortals() {
    portals.clear();
  }

  void close() {
    forgetPortals();
    statements.close();
  }
}
