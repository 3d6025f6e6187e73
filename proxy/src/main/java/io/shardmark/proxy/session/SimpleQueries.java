package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.Expected;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.session.Transaction.Mode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Query messages (PG18 §54.2.2 protocol-flow-simple-query). */
final class SimpleQueries {
  private static final int HEADER_LENGTH = 5;

  /** What stands in a text for bytes that are no UTF-8. */
  private static final char UNREADABLE = '\uFFFD';

  private final ClientSession session;

  /** A Query message is being taken, or its statements run one by one. */
  private boolean running;

  private @Nullable StatementRun run;

  SimpleQueries(ClientSession session) {
    this.session = session;
  }

  boolean isRunning() {
    return running;
  }

  /** Takes a Query; false: not now. */
  boolean query(ByteBuf buffer, int start, int length) {
    if (!session.extended().statements().placeHeldParse()) {
      return false;
    }
    running = true;
    if (length <= HEADER_LENGTH || buffer.getByte(start + length - 1) != 0) {
      throw new ProtocolViolationException("Query has a string without an end");
    }
    String text =
        buffer.toString(start + HEADER_LENGTH, length - HEADER_LENGTH - 1, StandardCharsets.UTF_8);
    List<Planner.Planned> statements = session.planner().simple(text, session.searchPath());
    int shard = onlyShard(statements);
    if (shard >= 0) {
      ServerConnection server = session.links().require(shard);
      if (server == null) {
        return false;
      }
      forward(server, statements);
      boolean copiesIn = statements.get(0).statement().copiesIn();
      ForwardedCopyIn copyIn =
          copiesIn
              ? ForwardedCopyIn.begin(session.messages(), server, AnswerHandler.Use.FORWARD)
              : null;
      server.send(buffer, start, length);
      server.expect(Expected.QUERY, copyIn);
      running = false;
      return true;
    }
    if (!session.links().drained()) {
      return false;
    }
    if (text.indexOf('\0') >= 0) {
      throw new ProtocolViolationException("Query has bytes behind the end of its string");
    }
    requireUtf8(text, buffer, start + HEADER_LENGTH, length - HEADER_LENGTH - 1);
    StatementRun started = new StatementRun(session, statements, text);
    run = started;
    session.work().begin(started);
    return true;
  }

  /** What is not passed on as it came is written anew, and must not become another text by that. */
  private void requireUtf8(String text, ByteBuf buffer, int start, int length) {
    if (text.indexOf(UNREADABLE) < 0
        || ByteBufUtil.isText(buffer, start, length, StandardCharsets.UTF_8)) {
      return;
    }
    String hint =
        session.context().shardCount() > 1
            ? ""
            : "With another client_encoding send one statement in a Query.";
    throw new StatementException(
        SqlState.CHARACTER_NOT_IN_REPERTOIRE,
        "invalid byte sequence for encoding \"UTF8\" in a statement",
        hint);
  }

  /**
   * Takes a FunctionCall, which ends without a Sync (PG18 §54.2.4 protocol-flow-function-call);
   * false: not now.
   */
  boolean functionCall(ByteBuf buffer, int start, int length) {
    if (!session.extended().statements().placeHeldParse()) {
      return false;
    }
    running = true;
    if (session.context().shardCount() > 1) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "FunctionCall messages are not supported",
          "Call the function in a SELECT.");
    }
    if (session.transaction().isFailed()) {
      Operations.refuseFailed(session);
    }
    ServerConnection server = session.links().require(0);
    if (server == null) {
      return false;
    }
    server.markWritten();
    server.send(buffer, start, length);
    server.expect(Expected.QUERY, null);
    running = false;
    return true;
  }

  private void forward(ServerConnection server, List<Planner.Planned> statements) {
    LoopCounters counters = session.context().counters();
    counters.add(server.shard(), ShardCounter.STATEMENTS, statements.size());
    for (Planner.Planned planned : statements) {
      counters.count(Operations.forwardedRoute(planned.statement().plan()));
      if (planned.statement().plan() instanceof StatementPlan.Query query) {
        if (query.access() == Access.WRITE) {
          server.markWritten();
        }
        if (!query.effects().isEmpty()) {
          session.pin(server);
        }
      } else if (planned.statement().plan() instanceof StatementPlan.Notification notification) {
        Operations.noteNotification(session, notification, server);
      } else if (planned.statement().plan() instanceof StatementPlan.Copy copy
          && copy.fromClient()) {
        server.markWritten();
      } else if (planned.statement().plan() instanceof StatementPlan.Cursor cursor) {
        session.end().cursors().named().passedOn(cursor, server.shard());
      } else if (planned.statement().plan() instanceof StatementPlan.Transaction end) {
        session.end().comesOn(server);
        session
            .end()
            .forwarded(
                end.command() == StatementPlan.Transaction.Command.COMMIT
                    ? TransactionEnd.Ending.COMMIT
                    : TransactionEnd.Ending.ROLLBACK);
      }
    }
  }

  /** The shard that the whole message can be sent to as it is, or -1. */
  private int onlyShard(List<Planner.Planned> statements) {
    if (statements.isEmpty()) {
      return -1;
    }
    if (statements.size() == 1
        && statements.get(0).statement().plan() instanceof StatementPlan.Transaction end) {
      return Operations.forwardableEnd(session, end);
    }
    if (statements.size() == 1 && !session.transaction().isFailed()) {
      StatementPlan plan = statements.get(0).statement().plan();
      if (plan instanceof StatementPlan.Notification) {
        return ExtendedProtocol.NOTIFYING_SHARD;
      }
      if (session.ownTables().isChanged()) {
        return -1; // perhaps planned once more
      }
      if (plan instanceof StatementPlan.Cursor cursor) {
        int shard = session.end().cursors().named().shardOf(cursor, statements.get(0).literals());
        return shard == ShardChoice.SEVERAL ? -1 : shard;
      }
      if (plan instanceof StatementPlan.Copy copy) {
        return CopyStep.onlyShard(session, copy, statements.get(0).literals());
      }
    }
    int only = ShardChoice.ANY;
    boolean several = statements.size() > 1;
    for (Planner.Planned planned : statements) {
      if (session.transaction().isFailed()
          || session.ownTables().isChanged()
          || (several && planned.statement().copiesIn())
          || !(planned.statement().plan() instanceof StatementPlan.Query query)) {
        return -1;
      }
      int shard = session.choice().shard(query, planned.literals());
      if (shard == ShardChoice.SEVERAL || (shard >= 0 && only >= 0 && shard != only)) {
        return -1;
      }
      only = shard >= 0 ? shard : only;
    }
    return only >= 0 ? only : session.choice().anyShard();
  }

  /** A forwarded Query, or part of one, has been answered to its end. */
  void answered() {}

  /** A server has failed a forwarded statement. */
  void serverFailed() {
    if (run != null) {
      run.serverFailed();
    }
  }

  /** A statement has failed with an error of our own, which the client has. */
  void failed() {
    run = null;
    session.work().begin(new EndOfQuery(session));
  }

  /** The run is over, ReadyForQuery is sent. */
  void finished() {
    running = false;
    run = null;
  }

  /** Ends a Query message: rolls back or commits what it began, then ReadyForQuery. */
  static final class EndOfQuery implements Step {
    private final ClientSession session;
    private @Nullable Step ending;

    EndOfQuery(ClientSession session) {
      this.session = session;
    }

    @Override
    public boolean advance() {
      Transaction transaction = session.transaction();
      if (ending == null && transaction.mode() == Mode.IMPLICIT) {
        ending = transaction.isKnownToFail() ? new RollbackStep(session) : CommitStep.of(session);
      }
      if (ending != null && !ending.advance()) {
        return false;
      }
      session.finishQuery();
      return true;
    }
  }

  /** What cannot stand among other statements. */
  static void requireAlone(ClientSession session, String tag) {
    if (session.transaction().mode() != Mode.NONE) {
      throw new StatementException(
          SqlState.ACTIVE_SQL_TRANSACTION, tag + " cannot run inside a transaction block");
    }
  }

  static void empty(ClientSession session) {
    BackendMessages.emptyQueryResponse(session.out());
  }
}
