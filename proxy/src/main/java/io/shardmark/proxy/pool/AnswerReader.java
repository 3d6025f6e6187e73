package io.shardmark.proxy.pool;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.dialog.Failure;
import io.shardmark.proxy.dialog.ServerDialog;
import io.shardmark.proxy.dialog.SkipReach;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.StatementName;
import io.shardmark.proxy.protocol.TransactionStatus;
import org.jspecify.annotations.Nullable;

/**
 * Gives each message of a server to the receiver of the answer that it belongs to, and passes whole
 * runs of messages on to the client as one slice.
 */
final class AnswerReader implements MessageFramer.FrameListener {
  /** A row or CopyData longer than this is passed on in pieces while it comes. */
  private static final int STREAMED_BYTES = 16 * 1024;

  private static final int HEADER_LENGTH = 5;
  private static final int NO_RUN = -1;

  private final ServerConnection server;
  private final ServerDialog<AnswerHandler> dialog;

  private int runStart = NO_RUN;
  private int runEnd;

  /** Has got something in this turn of the event loop. */
  private @Nullable ServerUser lastUser;

  /** Of the message that the client gets in pieces. */
  private int bytesToCome;

  AnswerReader(ServerConnection server, ServerDialog<AnswerHandler> dialog) {
    this.server = server;
    this.dialog = dialog;
  }

  /** That one gets something; who got something before it in this turn has got all of it. */
  private void serve(@Nullable ServerUser user) {
    ServerUser before = lastUser;
    if (user != null && user != before) {
      lastUser = user;
      if (before != null) {
        before.readComplete(server);
      }
    }
  }

  @Nullable ServerUser takeLastUser() {
    ServerUser user = lastUser;
    lastUser = null;
    return user;
  }

  @Override
  public boolean streams(byte code, int length) {
    if (length <= STREAMED_BYTES || dialog.hasAnswered()) {
      return false;
    }
    BackendType type = BackendType.of(code);
    return (type == BackendType.DATA_ROW || type == BackendType.COPY_DATA)
        && isForwarded(dialog.asker());
  }

  @Override
  public void piece(byte code, ByteBuf buffer, int start, int length, int toCome) {
    bytesToCome = toCome;
    keep(buffer, start, length);
  }

  /** Whether the client has the beginning of a message, and its end is to come. */
  boolean isPassing() {
    return bytesToCome > 0;
  }

  @Override
  public void endOfBuffer(ByteBuf buffer) {
    endRun(buffer);
  }

  private static boolean isForwarded(@Nullable AnswerHandler handler) {
    return handler == null
        || handler.use() == AnswerHandler.HandlerUse.FORWARD
        || handler.use() == AnswerHandler.HandlerUse.FORWARD_WITHOUT_END;
  }

  private void keep(ByteBuf buffer, int start, int length) {
    if (runStart == NO_RUN) {
      runStart = start;
    } else if (runEnd != start) {
      endRun(buffer);
      runStart = start;
    }
    runEnd = start + length;
  }

  private void endRun(ByteBuf buffer) {
    if (runStart == NO_RUN) {
      return;
    }
    int start = runStart;
    runStart = NO_RUN;
    ServerUser user = server.user();
    if (user != null) {
      serve(user);
      user.forward(server, buffer, start, runEnd - start);
    }
  }

  @Override
  public void message(byte code, ByteBuf buffer, int start, int length) {
    BackendType type = BackendType.of(code);
    if (type == BackendType.DATA_ROW && dialog.takesRows()) {
      pass(type, buffer, start, length);
      return;
    }
    serve(server.user());
    switch (type) {
      case NOTICE_RESPONSE, PARAMETER_STATUS, NOTIFICATION_RESPONSE ->
          asynchronous(type, buffer, start, length);
      case ERROR_RESPONSE -> error(buffer, start, length);
      case READY_FOR_QUERY -> ready(buffer, start, length);
      default -> answer(type, buffer, start, length);
    }
  }

  private void pass(BackendType type, ByteBuf buffer, int start, int length) {
    AnswerHandler handler = dialog.asker();
    if (handler == null) {
      keep(buffer, start, length);
      return;
    }
    switch (handler.use()) {
      case FORWARD -> keep(buffer, start, length);
      case FORWARD_WITHOUT_END -> {
        if (type == BackendType.COMMAND_COMPLETE) {
          endRun(buffer);
          handler.message(server, new Message(type, buffer, start, length));
        } else {
          keep(buffer, start, length);
        }
      }
      case SWALLOW -> {}
      case CAPTURE, READ -> {
        serve(server.user());
        handler.message(server, new Message(type, buffer, start, length));
      }
    }
  }

  private void answer(BackendType type, ByteBuf buffer, int start, int length) {
    boolean complete = dialog.answer(type);
    AnswerHandler handler = dialog.asker();
    if (type == BackendType.COMMAND_COMPLETE) {
      if (dialog.hasOpenSettings()) {
        dialog.completed(BodyReader.ofMessage("CommandComplete", buffer, start, length).string());
      }
      if (handler != null) {
        handler.commandCompleted(server);
      }
    }
    pass(type, buffer, start, length);
    if (type == BackendType.COPY_IN_RESPONSE) {
      (handler == null ? AnswerHandler.SWALLOW : handler).copyInBegun(server);
    }
    if (complete) {
      dialog.answered();
      if (handler != null) {
        handler.completed(server, dialog.status());
      }
    }
  }

  private void ready(ByteBuf buffer, int start, int length) {
    TransactionStatus status = TransactionStatus.of(buffer.getByte(start + HEADER_LENGTH));
    AnswerHandler handler = dialog.asker();
    dialog.ready(status);
    ServerUser user = server.user();
    boolean passed = handler == null || handler.use() == AnswerHandler.HandlerUse.FORWARD;
    if (handler != null && handler.use() == AnswerHandler.HandlerUse.CAPTURE) {
      handler.message(server, new Message(BackendType.READY_FOR_QUERY, buffer, start, length));
    } else if (passed && user != null && user.passesReady(server, status)) {
      keep(buffer, start, length);
    }
    dialog.readyHandled();
    endRun(buffer);
    if (handler != null) {
      handler.completed(server, status);
    }
    if (passed && user != null) {
      user.ready(server, status);
    }
  }

  private void asynchronous(BackendType type, ByteBuf buffer, int start, int length) {
    ServerUser user = server.user();
    if (user == null) {
      return;
    }
    if (type == BackendType.NOTIFICATION_RESPONSE) {
      int process = start + HEADER_LENGTH;
      buffer.setInt(process, user.notifier(buffer.getInt(process)));
      keep(buffer, start, length);
      return;
    }
    AnswerHandler handler = dialog.hasAnswered() ? null : dialog.asker();
    boolean isStatus = type == BackendType.PARAMETER_STATUS;
    if (handler == null) {
      keep(buffer, start, length);
    } else if (isStatus && !handler.hidesParameters()) {
      user.reported(buffer, start, length);
    } else if (handler.use() == AnswerHandler.HandlerUse.CAPTURE) {
      handler.message(server, new Message(type, buffer, start, length));
    } else if (!isStatus && handler.use() != AnswerHandler.HandlerUse.SWALLOW) {
      keep(buffer, start, length);
    }
  }

  private void error(ByteBuf buffer, int start, int length) {
    Message message = new Message(BackendType.ERROR_RESPONSE, buffer, start, length);
    ErrorFields error = ErrorFields.read(message);
    if (error.severity() == Severity.FATAL || error.severity() == Severity.PANIC) {
      server.dying(error.sqlState().code(), error.message());
      return;
    }
    Failure<AnswerHandler> failure = dialog.error();
    switch (failure.remedy()) {
      case CLOSE -> {
        // No receiver of an answer could get the error.
        server.abandon("BEGIN has failed there: " + error.message());
        return;
      }
      case SEND_SYNC -> server.sendSync();
      case NONE -> {}
    }
    ServerUser user = server.user();
    if (user != null && isOfOutdated(error)) {
      user.foundOutdated();
    }
    if (isOfDropped(error)) {
      server.dialog().spoil();
    }
    AnswerHandler handler = failure.asker();
    boolean seen = true;
    if (handler != null && handler.use() == AnswerHandler.HandlerUse.CAPTURE) {
      seen = false;
      handler.message(server, message);
    } else {
      endRun(buffer);
      if (user == null || user.passesError(server, error.sqlState().code())) {
        keep(buffer, start, length);
      }
    }
    if (user != null) {
      failure.bindsSkipped().forEach(answer -> user.bindSkipped(server, answer));
    }
    failure.skipped().forEach(one -> one.skipped(server)); // which may send more
    ServerUser holder = server.user();
    if (seen && holder != null) {
      endRun(buffer);
      holder.failed(server, failure.reach() == SkipReach.SYNC_TO_COME);
    }
  }

  /** The connection is gone: no answer that is owed will come. */
  void lose() {
    while (!dialog.hasAnswered()) {
      AnswerHandler handler = dialog.lostAnswer();
      if (handler != null) {
        handler.lost(server);
      }
    }
  }

  /** Whether PostgreSQL could not use what it has prepared, because a table or type has changed. */
  private static boolean isOfOutdated(ErrorFields error) {
    return switch (error.sqlState().code()) {
      case "0A000" -> error.routine().equals("RevalidateCachedQuery");
      case "XX000" -> error.message().startsWith("cache lookup failed for ");
      default -> false;
    };
  }

  /** Whether what was prepared there is gone: a function of some client has executed DEALLOCATE. */
  private static boolean isOfDropped(ErrorFields error) {
    return error.sqlState().code().equals("26000") && StatementName.isIn(error.message());
  }
}
