package io.shardmark.proxy.transaction;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.TransactionStatus;
import org.jspecify.annotations.Nullable;

/** What a server answers to a step; parameters that change with it are for the client. */
final class EndAnswer implements AnswerHandler {
  private static final int HEADER_LENGTH = 5;

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
  public void message(ServerConnection server, byte type, ByteBuf buffer, int start, int length) {
    ServerUser user = server.user();
    if (type == 'E' && error == null) {
      ErrorFields answered = ErrorFields.read(buffer, start, length);
      error = user == null ? answered : user.named(server, answered);
    } else if (type == 'C') {
      tag =
          new BodyReader("CommandComplete", buffer, start + HEADER_LENGTH, length - HEADER_LENGTH)
              .string();
    } else if (type == 'S' && user != null) {
      user.forward(server, buffer, start, length);
    }
  }

  @Override
  public void skipped(ServerConnection server) {
    run.skipped(sent);
  }

  @Override
  public void completed(ServerConnection server, TransactionStatus status) {
    run.answered(sent, tag, error);
  }
}
