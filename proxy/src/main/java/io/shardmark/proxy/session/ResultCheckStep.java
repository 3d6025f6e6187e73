package io.shardmark.proxy.session;

import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.NameScope;
import io.shardmark.proxy.execution.ResultColumns;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.SqlState;

/**
 * Before a statement that is older than the current tables is prepared on a further server: asks
 * that server for the columns of its result. A server that has prepared it before refuses to
 * execute it if they are others now; this one would give its client rows of a kind that the client
 * does not know.
 */
final class ResultCheckStep {
  /** In PostgreSQL's words; pgjdbc prepares the statement anew because of the routine's name. */
  private static final ErrorFields CHANGED =
      ErrorFields.error(SqlState.FEATURE_NOT_SUPPORTED, "cached plan must not change result type")
          .withRoutine("RevalidateCachedQuery");

  /** It is to be prepared on several shards. */
  static final int SEVERAL = -1;

  private ResultCheckStep() {}

  /**
   * The work that asks.
   *
   * @param shard where the statement is to be prepared, or {@link #SEVERAL}
   */
  static ExecutionStep of(
      SessionParticipants participants, NameScope names, StatementText text, int shard) {
    return ExecutionStep.with(
        () ->
            participants.drained()
                ? participants.require(shard < 0 ? participants.lowestShard() : shard)
                : null,
        server -> {
          ResultColumns answer = new ResultColumns((from, said) -> {});
          text.prepareOn(server, AnswerHandler.SWALLOW);
          FrontendMessages.describeStatement(server.out(), text.id());
          server.expect(Expected.DESCRIBE_STATEMENT, answer);
          FrontendMessages.flush(server.out());
          server.flush();
          return () -> {
            if (answer.isOver()) {
              check(server, answer, text, names);
            }
            return answer.isOver();
          };
        });
  }

  private static void check(
      ServerConnection server, ResultColumns answer, StatementText text, NameScope names) {
    if (answer.isLost()) {
      throw StatementException.lostIn(server);
    }
    if (answer.columns() == text.columns()) {
      text.checked(names);
    } else if (answer.columns() != ResultColumns.UNKNOWN) {
      server.unprepare(text.id());
      throw new StatementException(CHANGED);
    }
  }
}
