package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.ClientStatements;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.SessionEffect;
import io.shardmark.proxy.scatter.SqlCursors;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the statements that are passed on leave on their servers beyond their answers: cursors, and
 * what binds the client to its connections. It is noted when the server says that a statement has
 * been executed, and what the client sends after that statement waits for it.
 */
final class Effects {
  private final SessionParticipants participants;
  private final SqlCursors cursors;
  private final ClientStatements statements;

  /** Where the latest statement that leaves something has been sent, and which answer is its. */
  private @Nullable ServerConnection server;

  private long answer;

  Effects(SessionParticipants participants, SqlCursors cursors, ClientStatements statements) {
    this.participants = participants;
    this.cursors = cursors;
    this.statements = statements;
  }

  /** Whether a statement that may leave something is unanswered. */
  boolean areAwaited() {
    return server != null && server.dialog().answeredCount() <= answer;
  }

  /**
   * Statements are executed by the next message to that server.
   *
   * @param rest what becomes of the answer's messages
   * @return what takes the answer
   */
  AnswerHandler executed(ServerConnection on, List<Route.FunctionUse> uses, AnswerHandler rest) {
    boolean leave = false;
    for (Route.FunctionUse use : uses) {
      if (use.has(SessionEffect.PINS_ALWAYS)) {
        participants.pin(on);
      }
      leave |= leavesMore(on, use);
    }
    if (!leave) {
      return rest;
    }
    server = on;
    answer = on.dialog().askedCount();
    return new Executed(uses.iterator(), rest);
  }

  /** Whether its success makes a difference. */
  private boolean leavesMore(ServerConnection on, Route.FunctionUse use) {
    boolean pins =
        use.has(SessionEffect.PINS_IF_EXECUTED) || use.has(SessionEffect.PINS_IF_COMMITTED);
    return use.cursor() != null || use.prepares() != null || (pins && !participants.isPinnedBy(on));
  }

  /** The answer to statements one after the other. */
  private final class Executed implements AnswerHandler {
    private final Iterator<Route.FunctionUse> uses;
    private final AnswerHandler rest;

    Executed(Iterator<Route.FunctionUse> uses, AnswerHandler rest) {
      this.uses = uses;
      this.rest = rest;
    }

    @Override
    public AnswerHandler.HandlerUse use() {
      return rest.use();
    }

    @Override
    public void message(ServerConnection from, Message message) {
      rest.message(from, message);
    }

    @Override
    public void skipped(ServerConnection from) {
      rest.skipped(from);
    }

    @Override
    public void lost(ServerConnection from) {
      rest.lost(from);
    }

    @Override
    public void commandCompleted(ServerConnection from) {
      if (uses.hasNext()) {
        note(from, uses.next());
      }
    }
  }

  private void note(ServerConnection on, Route.FunctionUse use) {
    if (use.has(SessionEffect.PINS_IF_EXECUTED)) {
      participants.pin(on);
    }
    if (use.has(SessionEffect.PINS_IF_COMMITTED)) {
      participants.pinUnlessRolledBack(on);
    }
    if (use.prepares() != null) {
      statements.preparedInSql(use.prepares());
    }
    if (use.cursor() != null) {
      cursors.declared(use.cursor(), on.shard());
    }
  }

  /** The transaction is over, or what stood for one up to ReadyForQuery. */
  void transactionOver(boolean committed) {
    cursors.transactionOver(committed);
    participants.transactionOver(committed);
  }
}
