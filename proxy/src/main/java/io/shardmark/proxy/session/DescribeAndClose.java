package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.execution.ClientStatement;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.RoutingView;
import io.shardmark.proxy.routing.StatementPlan.FetchCursor;
import io.shardmark.proxy.scatter.SqlCursors;
import java.util.Locale;

/** Describe and Close (PG18 §54.2.3 protocol-flow-ext-query). */
final class DescribeAndClose {
  private final Client client;
  private final StatementPreparation statements;
  private final ClientPortals portals;

  DescribeAndClose(Client client, StatementPreparation statements) {
    this.client = client;
    this.statements = statements;
    this.portals = client.portals();
  }

  /** What a Describe or Close names (PG18 §54.7 protocol-message-formats). */
  private record NamedStatement(NameKind kind, String name) {
    /**
     * Reads a whole message. One that PostgreSQL takes for broken fails as it does there: with an
     * error after which everything up to Sync is skipped.
     *
     * @param message Describe or Close
     */
    static NamedStatement read(String message, ByteBuf buffer, int start, int length) {
      BodyReader body = BodyReader.ofMessage(message, buffer, start, length);
      byte code = body.int8();
      String name = body.string();
      requireEnd(body);
      for (NameKind kind : NameKind.values()) {
        if (kind.code() == code) {
          return new NamedStatement(kind, name);
        }
      }
      throw new StatementException(
          SqlState.PROTOCOL_VIOLATION,
          "invalid " + message.toUpperCase(Locale.ROOT) + " message subtype " + code);
    }

    boolean isStatement() {
      return kind == NameKind.STATEMENT;
    }
  }

  /** A message ends where its last field does. */
  static void requireEnd(BodyReader body) {
    if (body.remaining() > 0) {
      throw new StatementException(SqlState.PROTOCOL_VIOLATION, "invalid message format");
    }
  }

  /** Takes a Describe; false: not now. */
  boolean describe(ByteBuf buffer, int start, int length) {
    NamedStatement named = NamedStatement.read("Describe", buffer, start, length);
    if (named.isStatement()) {
      return statements.isKnown(named.name())
          && describeStatement(client.statements().existing(named.name()));
    }
    if (portals.isCursorOfProxy(named.name())) {
      return describeCursor(named.name());
    }
    Portal portal = portals.existing(named.name());
    if (portal instanceof Portal.OnProxy onProxy) {
      return describeOnProxy(onProxy);
    }
    int shard = portals.shardOfPortal(named.name());
    ServerConnection server = client.participants().require(shard);
    if (server == null) {
      return false;
    }
    server.send(buffer, start, length);
    server.expect(Expected.DESCRIBE_PORTAL, null);
    return true;
  }

  private boolean describeCursor(String name) {
    if (!client.participants().drained()) {
      return false;
    }
    client.localRows().describe(new FetchCursor(name, FetchCursor.ALL, false));
    return true;
  }

  private boolean describeStatement(ClientStatement statement) {
    StatementText text = statement.text();
    if (!client.isReadFor(text)) {
      return false;
    }
    PlannedStatement planned = client.planned(text);
    client.transaction().refuseIfFailed(planned);
    String cursor = planned.fetchedCursor();
    if (!client.isLockedFor(planned)) {
      return false;
    }
    int shard =
        cursor == null
            ? client.describingShard(planned)
            : client.scatter().cursors().shardOf(cursor);
    if (!planned.needsServer() || shard < 0) {
      if (!client.participants().drained()) {
        return false;
      }
      BackendMessages.parameterDescription(client.out(), new int[0]);
      client.localRows().describe(planned);
      return true;
    }
    ServerConnection server = client.participants().require(shard);
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

  private boolean describeOnProxy(Portal.OnProxy portal) {
    if (!client.participants().drained()) {
      return false;
    }
    if (portal.routed().statement().isDescribedByProxy()) {
      client.localRows().describe(portal.routed().statement());
      return true;
    }
    if (!client.isLockedFor(portal.routed().statement())) {
      return false;
    }
    // Any shard that has its tables describes the client's own text as the client will see it.
    ServerConnection server =
        client.participants().require(client.describingShard(portal.routed().statement()));
    if (server == null) {
      return false;
    }
    if (!statements.prepareShared(server, portal.text())) {
      return false;
    }
    BindReader bind = portal.values(client.context().names());
    FrontendMessages.bind(server.out(), bind, portal.text().id());
    server.expect(Expected.BIND, AnswerHandler.SWALLOW);
    FrontendMessages.describe(server.out(), NameKind.PORTAL, bind.portal());
    server.expect(Expected.DESCRIBE_PORTAL, null);
    FrontendMessages.close(server.out(), NameKind.PORTAL, bind.portal());
    server.expect(Expected.CLOSE, AnswerHandler.SWALLOW);
    return true;
  }

  /** A portal stays if an error before its Close makes the server skip that. */
  private record Closing(ClientPortals portals, String name, Portal portal)
      implements AnswerHandler {
    @Override
    public AnswerHandler.HandlerUse use() {
      return AnswerHandler.HandlerUse.FORWARD;
    }

    @Override
    public void skipped(ServerConnection server) {
      portals.reopen(name, portal);
    }
  }

  /** Takes a Close; false: not now. */
  boolean close(ByteBuf buffer, int start, int length) {
    NamedStatement named = NamedStatement.read("Close", buffer, start, length);
    SqlCursors cursors = client.scatter().cursors();
    int shard = named.isStatement() ? RoutingView.UNKNOWN : portals.shardOfPortal(named.name());
    if (shard >= 0) {
      ServerConnection server = client.participants().require(shard);
      if (server == null) {
        return false;
      }
      Portal closed = portals.close(named.name());
      if (closed == null) {
        if (!client.participants().drained()) {
          return false; // else the server might skip it
        }
        cursors.forget(named.name());
      }
      server.send(buffer, start, length);
      server.expect(
          Expected.CLOSE, closed == null ? null : new Closing(portals, named.name(), closed));
      return true;
    }
    if (!client.participants().drained()) {
      return false;
    }
    if (named.isStatement()) {
      client.statements().remove(named.name());
    } else if (portals.isCursorOfProxy(named.name())) {
      cursors.close(named.name());
    } else {
      portals.close(named.name());
    }
    BackendMessages.closeComplete(client.out());
    return true;
  }
}
