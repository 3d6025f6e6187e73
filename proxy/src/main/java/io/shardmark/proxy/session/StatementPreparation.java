package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.Expected;
import io.shardmark.proxy.pool.LocalAnswer;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.ParseReader;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.StatementPlan;
import org.jspecify.annotations.Nullable;

/**
 * One client's prepared statements: its Parse messages, and how what they define comes to the
 * servers that execute it. A Parse is held back until the next message says which server that is.
 */
final class StatementPreparation {
  private static final int HEADER_LENGTH = 5;

  private final ClientSession session;
  private final SessionContext context;
  private final ClientStatements statements;

  /** A Parse that no server has seen yet: the next message decides where it goes. */
  private @Nullable ClientParse heldParse;

  StatementPreparation(ClientSession session) {
    this.session = session;
    this.context = session.context();
    this.statements = new ClientStatements(context.texts());
  }

  /** A client's own Parse on its way: its ParseComplete is the client's. */
  private final class ClientParse implements AnswerHandler {
    private final String name;
    private final StatementText text;

    ClientParse(String name, StatementText text) {
      this.name = name;
      this.text = text;
    }

    @Override
    public Use use() {
      return Use.FORWARD;
    }

    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      text.prove();
    }

    @Override
    public void skipped(ServerConnection server) {
      if (statements.find(name) == text) {
        statements.remove(name);
      }
    }
  }

  /** Of the result of a statement that is new. */
  private static final class Description extends ResultColumns {
    private final StatementText text;

    Description(StatementText text) {
      this.text = text;
    }

    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      text.describe(columns());
    }
  }

  /** ParseComplete or CloseComplete of our own, in its turn. */
  private final class Completion extends LocalAnswer {
    private final String undone;

    Completion(ByteBuf messages, String undone) {
      super(messages);
      this.undone = undone;
    }

    @Override
    public void skipped(ServerConnection server) {
      super.skipped(server);
      statements.remove(undone);
    }
  }

  /** Takes a Parse; false: not now. */
  boolean parse(ByteBuf buffer, int start, int length) {
    if (!placeHeldParse()) {
      return false;
    }
    ParseReader parse = context.parseReader();
    parse.read(buffer, start, length);
    String name = parse.name();
    if (!name.isEmpty() && statements.find(name) != null) {
      throw new StatementException(
          SqlState.DUPLICATE_PREPARED_STATEMENT,
          "prepared statement \"" + name + "\" already exists");
    }
    StatementText text = context.texts().of(parse, session.ownTables().version());
    if (!session.ownTables().isReadFor(text)) {
      return false;
    }
    PlannedStatement planned = session.ownTables().planned(text);
    Operations.refuseIfFailed(session, planned);
    if (text.isProven() || !needsServer(planned.plan())) {
      if (!text.isProven() && !session.links().drained()) {
        return false;
      }
      statements.put(name, text);
      ServerConnection active = session.links().active();
      if (active == null || active.hasAnswered()) {
        BackendMessages.parseComplete(session.out());
      } else {
        ByteBuf answer = buffer.alloc().buffer(HEADER_LENGTH);
        BackendMessages.parseComplete(answer);
        active.expect(Expected.LOCAL, new Completion(answer, name));
      }
      return true;
    }
    statements.put(name, text);
    heldParse = new ClientParse(name, text);
    return true;
  }

  /** Whether a server decides if the text is right. */
  static boolean needsServer(StatementPlan plan) {
    return plan instanceof StatementPlan.Query
        || plan instanceof StatementPlan.Copy
        || plan instanceof StatementPlan.Cursor
        || plan instanceof StatementPlan.Notification
        || plan instanceof StatementPlan.SetSequence;
  }

  /** A Parse that waited for a Bind which did not come goes to any shard; false: not now. */
  boolean placeHeldParse() {
    ClientParse held = heldParse;
    if (held == null) {
      return true;
    }
    ServerConnection server = session.links().require(session.choice().lowestShard());
    if (server == null) {
      return false;
    }
    heldParse = null;
    prepareForClient(server, held);
    return true;
  }

  private void prepareForClient(ServerConnection server, ClientParse held) {
    StatementText text = held.text;
    if (server.isPrepared(text.id())) {
      ByteBuf answer = session.newBuffer();
      BackendMessages.parseComplete(answer);
      if (server.hasAnswered()) {
        session.write(answer);
      } else {
        server.expect(Expected.LOCAL, new Completion(answer, held.name));
      }
    } else {
      server.prepare(text.id(), text.definition(), held);
    }
    if (text.columns() == ResultColumns.UNKNOWN
        && session.ownTables().planned(text).plan() instanceof StatementPlan.Query) {
      FrontendMessages.describeStatement(server.out(), text.id());
      server.expect(Expected.DESCRIBE_STATEMENT, new Description(text));
    }
  }

  /** Has the statement prepared there, by the client's own Parse if that waits; false: not now. */
  boolean prepare(ServerConnection server, StatementText text) {
    ClientParse held = heldParse;
    if (held != null) {
      heldParse = null;
      prepareForClient(server, held);
    } else if (!server.isPrepared(text.id())) {
      if (!isSure(text, server.shard())) {
        return false;
      }
      server.prepare(text.id(), text.definition(), AnswerHandler.SWALLOW);
    }
    return true;
  }

  /** Whether its result is the one that the client knows; if that is not sure, begins to ask. */
  boolean isSure(StatementText text, int shard) {
    if (text.isSure(session.ownTables().version())) {
      return true;
    }
    session.work().begin(new ResultCheckStep(session, text, shard));
    return false;
  }

  boolean isPrepared(String name) {
    return statements.find(name) != null;
  }

  /** A statement prepared in SQL. */
  void keep(String name, StatementText text) {
    statements.put(name, text);
  }

  /** The prepared statement of that name. */
  StatementText existing(String name) {
    StatementText text = statements.find(name);
    if (text == null) {
      throw new StatementException(
          SqlState.INVALID_SQL_STATEMENT_NAME,
          name.isEmpty()
              ? "unnamed prepared statement does not exist"
              : "prepared statement \"" + name + "\" does not exist");
    }
    return text;
  }

  /** Whether the Parse that is held back, if any, defines that statement. */
  boolean holdsOther(StatementText text) {
    ClientParse held = heldParse;
    return held != null && held.text != text;
  }

  /** The pipeline is broken off before a Parse that waits for its Bind. */
  void dropHeldParse() {
    heldParse = null;
  }

  /** DEALLOCATE. */
  void deallocate(String name) {
    if (name.isEmpty()) {
      statements.clear();
    } else {
      existing(name);
      statements.remove(name);
    }
  }

  /** Close. */
  void remove(String name) {
    statements.remove(name);
  }

  void close() {
    statements.clear();
  }
}
