package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.NameScope;
import io.shardmark.proxy.execution.ResultColumns;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.Expected;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Before a statement that is older than the current tables is prepared on a further server: asks
 * that server for the columns of its result. A server that has prepared it before refuses to
 * execute it if they are others now; this one would give its client rows of a kind that the client
 * does not know.
 */
final class ResultCheckStep implements Step {
  /** In PostgreSQL's words; pgjdbc prepares the statement anew because of the routine's name. */
  private static final ErrorFields CHANGED =
      new ErrorFields(
          Severity.ERROR,
          SqlState.FEATURE_NOT_SUPPORTED,
          "cached plan must not change result type",
          null,
          null,
          null,
          Map.of('R', "RevalidateCachedQuery"));

  /** It is to be prepared on several shards. */
  static final int SEVERAL = -1;

  private final Client client;
  private final StatementText text;
  private final int shard;
  private final NameScope names;
  private @Nullable Answer asked;

  /**
   * @param shard where it is to be prepared, or {@link #SEVERAL}
   */
  ResultCheckStep(Client client, StatementText text, int shard) {
    this.client = client;
    this.text = text;
    this.shard = shard;
    this.names = client.names();
  }

  @Override
  public boolean advance() {
    Answer answer = asked;
    if (answer == null) {
      if (!client.participants().drained()) {
        return false;
      }
      ServerConnection server =
          client.participants().require(shard < 0 ? client.participants().lowestShard() : shard);
      if (server == null) {
        return false;
      }
      answer = new Answer(server);
      asked = answer;
      ask(server, answer);
    }
    if (!answer.over) {
      return false;
    }
    if (answer.lost) {
      throw StatementException.lostIn(answer.server);
    }
    if (answer.columns() == text.columns()) {
      text.checked(names);
    } else if (answer.columns() != ResultColumns.UNKNOWN) {
      answer.server.unprepare(text.id());
      throw new StatementException(CHANGED);
    }
    return true;
  }

  private void ask(ServerConnection server, Answer answer) {
    text.prepareOn(server, AnswerHandler.SWALLOW);
    FrontendMessages.describeStatement(server.out(), text.id());
    server.expect(Expected.DESCRIBE_STATEMENT, answer);
    FrontendMessages.flush(server.out());
    server.flush();
  }

  private static final class Answer extends ResultColumns {
    private final ServerConnection server;
    private boolean over;
    private boolean lost;

    Answer(ServerConnection server) {
      this.server = server;
    }

    @Override
    public void completed(ServerConnection from, TransactionStatus status) {
      over = true;
    }

    @Override
    public void skipped(ServerConnection from) {
      over = true;
    }

    @Override
    public void lost(ServerConnection from) {
      over = true;
      lost = true;
    }
  }
}
