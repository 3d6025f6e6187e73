package io.shardmark.proxy.transaction;

import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TransactionStatus;
import org.jspecify.annotations.Nullable;

/** What a server answers to a step. */
final class EndAnswer implements AnswerHandler {
  private final EndRun run;
  private final EndRun.Sent sent;
  private String tag = "";
  private @Nullable ErrorFields error;

  EndAnswer(EndRun run, EndRun.Sent sent) {
    this.run = run;
    this.sent = sent;
  }

  @Override
  public Use use() {
    return Use.CAPTURE;
  }

  @Override
  public void message(ServerConnection server, Message message) {
    ServerUser user = server.user();
    if (message.type() == BackendType.ERROR_RESPONSE && error == null) {
      ErrorFields answered = ErrorFields.read(message);
      error = user == null ? answered : user.named(server, answered);
    } else if (message.type() == BackendType.COMMAND_COMPLETE) {
      tag = message.fields().string();
    }
  }

  @Override
  public void skipped(ServerConnection server) {
    run.skipped(sent);
  }

  @Override
  public void completed(ServerConnection server, TransactionStatus status) {
    boolean hasEnded = status == TransactionStatus.IDLE || error == null;
    if (hasEnded || !run.rolledBackFor(sent, this)) {
      run.answered(sent, tag, error);
    }
  }
}
