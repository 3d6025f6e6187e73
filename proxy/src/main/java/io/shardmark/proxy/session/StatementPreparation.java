package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.execution.ClientStatement;
import io.shardmark.proxy.execution.ClientStatements;
import io.shardmark.proxy.execution.NameScope;
import io.shardmark.proxy.execution.ResultColumns;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.ParseReader;
import io.shardmark.proxy.protocol.StatementName;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.PlannedStatement;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's prepared statements: its Parse messages, and how what they define comes to the
 * servers that execute it. A Parse is held back until the next message says which server that is.
 */
final class StatementPreparation {
  private final Client client;
  private final SessionContext context;
  private final ClientStatements statements;

  /** A Parse that no server has seen yet: the next message decides where it goes. */
  private @Nullable ClientParse heldParse;

  StatementPreparation(Client client) {
    this.client = client;
    this.context = client.context();
    this.statements = client.statements();
  }

  /** A client's own Parse on its way: its ParseComplete is the client's. */
  private final class ClientParse implements AnswerHandler {
    private final ClientStatement statement;

    ClientParse(ClientStatement statement) {
      this.statement = statement;
    }

    @Override
    public AnswerHandler.HandlerUse use() {
      return AnswerHandler.HandlerUse.FORWARD;
    }

    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      statement.answered();
    }

    @Override
    public void skipped(ServerConnection server) {
      statements.remove(statement);
    }
  }

  /** Takes a Parse; false: not now. */
  boolean parse(ByteBuf buffer, int start, int length) {
    ParseReader parse = context.parseReader();
    parse.read(buffer, start, length);
    String name = parse.name();
    if (name.isEmpty()) {
      statements.remove(name); // also if this Parse fails
    } else if (!isKnown(name)) {
      return false;
    }
    NameScope names = client.names();
    if (client.participants().isPinned()) {
      // Temporary tables may hide others: nobody else's statement means the same.
      names = new NameScope(context.texts().ownTables(), names.searchPath(), names.literals());
    }
    StatementText text = context.texts().of(parse, names);
    if (!client.isReadFor(text)) {
      return false;
    }
    PlannedStatement planned = client.planned(text);
    client.transaction().refuseIfFailed(planned);
    if (!client.isReadFor(planned, null)) {
      return false;
    }
    statements.refuseTaken(name);
    ClientStatement statement = new ClientStatement(name, text);
    if (planned.needsServer()) {
      statement.parsedIn(client.dialog().pipeline());
      heldParse = new ClientParse(statement);
    } else if (client.participants().drained()) {
      BackendMessages.parseComplete(client.out());
    } else {
      return false;
    }
    statements.put(statement);
    return true;
  }

  /** Whether it is known if there is a statement of that name, and which; false: not now. */
  boolean isKnown(String name) {
    ClientStatement statement = statements.find(name);
    return statement == null
        || !statement.isOpen(client.dialog().pipeline())
        || client.participants().drained();
  }

  /** A Parse that waited for a Bind which did not come goes to any shard; false: not now. */
  boolean placeHeldParse() {
    ClientParse held = heldParse;
    if (held == null) {
      return true;
    }
    PlannedStatement planned = client.planned(held.statement.text());
    if (!client.isLockedFor(planned)) {
      return false;
    }
    ServerConnection server = client.participants().require(client.describingShard(planned));
    if (server == null) {
      return false;
    }
    heldParse = null;
    prepareForClient(server, held);
    if (!held.statement.isShared()) {
      describeOwn(server, held.statement); // others than this server may execute it
    }
    return true;
  }

  private void prepareForClient(ServerConnection server, ClientParse held) {
    ClientStatement statement = held.statement;
    StatementText text = statement.text();
    if (statement.isNamed() && !server.dialog().isPrepared(text.id()) && text.begin()) {
      server.prepare(text.id(), text.definition(), held);
      statement.share(text);
      describeShared(server, text);
      return;
    }
    server.prepareUnnamed(statement, text.definition(), held);
  }

  /** What the client's own Parse has prepared as the unnamed statement. */
  private void describeOwn(ServerConnection server, ClientStatement statement) {
    describe(
        server,
        StatementName.UNNAMED,
        (from, said) -> {
          StatementText same =
              context.texts().meaning(statement.text(), from.shard(), said.exact());
          same.describe(said.columns());
          statement.share(same);
        });
  }

  /** A text that a server has prepared for this client and others. */
  private void describeShared(ServerConnection server, StatementText text) {
    describe(
        server,
        text.id(),
        (from, said) -> {
          text.describe(said.columns());
          context.texts().meaning(text, from.shard(), said.exact());
        });
  }

  private static void describe(
      ServerConnection server, long id, BiConsumer<ServerConnection, ResultColumns> use) {
    FrontendMessages.describeStatement(server.out(), id);
    server.expect(Expected.DESCRIBE_STATEMENT, new ResultColumns(use));
  }

  /** Has the statement prepared there, by the client's own Parse if that waits; false: not now. */
  boolean prepare(ServerConnection server, ClientStatement statement) {
    ClientParse held = heldParse;
    StatementText text = statement.text();
    if (held != null) {
      heldParse = null;
      prepareForClient(server, held);
      if (!statement.isShared() && (statement.isNamed() || isUndescribed(text))) {
        describeOwn(server, statement);
      }
      return true;
    }
    if (statement.isShared()
        ? server.dialog().isPrepared(text.id())
        : server.dialog().isUnnamedOf(statement)) {
      return true;
    }
    if (statement.isNamed() && !statement.isShared() && !client.participants().drained()) {
      return false; // the answer to its Parse is on its way
    }
    if (statement.isShared()) {
      return prepareShared(server, text);
    }
    if (!isSure(text, server.shard())) {
      return false;
    }
    server.prepareUnnamed(statement, text.definition(), AnswerHandler.SWALLOW);
    if (statement.isNamed()) {
      describeOwn(server, statement);
    }
    return true;
  }

  private boolean isUndescribed(StatementText text) {
    return text.columns() == ResultColumns.UNKNOWN && client.planned(text).isQuery();
  }

  /** Has the servers' statement of a text prepared there; false: not now. */
  boolean prepareShared(ServerConnection server, StatementText text) {
    if (!server.dialog().isPrepared(text.id())) {
      if (!isSure(text, server.shard())) {
        return false;
      }
      server.prepare(text.id(), text.definition(), AnswerHandler.SWALLOW);
      describeShared(server, text);
    }
    return true;
  }

  /** The id under which a server that it is prepared on knows it. */
  static long idOn(ServerConnection server, ClientStatement statement) {
    return statement.isShared() || !server.dialog().isUnnamedOf(statement)
        ? statement.text().id()
        : StatementName.UNNAMED;
  }

  /** Whether its result is the one that the client knows; if that is not sure, begins to ask. */
  boolean isSure(StatementText text, int shard) {
    if (text.isSure(client.names())) {
      return true;
    }
    client.work().begin(ResultCheckStep.of(client.participants(), client.names(), text, shard));
    return false;
  }

  /** Whether the Parse that is held back, if any, defines another statement than that. */
  boolean holdsOther(String name) {
    ClientParse held = heldParse;
    return held != null && !held.statement.name().equals(name);
  }

  /** The pipeline is broken off before a Parse that waits for its Bind: it has not been. */
  void dropHeldParse() {
    ClientParse held = heldParse;
    if (held != null) {
      heldParse = null;
      statements.remove(held.statement);
    }
  }
}
