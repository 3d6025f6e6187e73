package io.shardmark.proxy.pool;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.pool.AnswerHandler.Use;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.StatementName;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matches what a server sends with what it owes, and passes whole runs of messages on to the client
 * as one slice.
 */
final class AnswerReader implements MessageFramer.Listener {
  /** A row or CopyData longer than this is passed on in pieces while it comes. */
  private static final int STREAMED_BYTES = 16 * 1024;

  private static final int HEADER_LENGTH = 5;
  private static final int NO_RUN = -1;

  private final ServerConnection server;
  private final ExpectedAnswers expected;

  private int runStart = NO_RUN;
  private int runEnd;

  /** Who got something in this turn of the event loop. */
  private @Nullable ServerUser lastUser;

  /** The client has the beginning of a message, and its end is to come. */
  private boolean passing;

  /** An error has come since the last ReadyForQuery. */
  private boolean failed;

  AnswerReader(ServerConnection server, ExpectedAnswers expected) {
    this.server = server;
    this.expected = expected;
  }

  @Nullable ServerUser takeLastUser() {
    ServerUser user = lastUser;
    lastUser = null;
    return user;
  }

  @Override
  public boolean streams(byte type, int length) {
    return (type == 'D' || type == 'd')
        && length > STREAMED_BYTES
        && !expected.isEmpty()
        && isForwarded(expected.handler());
  }

  @Override
  public void piece(byte type, ByteBuf buffer, int start, int length, int bytesToCome) {
    passing = bytesToCome > 0;
    keep(buffer, start, length);
  }

  boolean hasFailed() {
    return failed;
  }

  boolean isPassing() {
    return passing;
  }

  @Override
  public void endOfBuffer(ByteBuf buffer) {
    endRun(buffer);
  }

  private static boolean isForwarded(@Nullable AnswerHandler handler) {
    return handler == null
        || handler.use() == Use.FORWARD
        || handler.use() == Use.FORWARD_WITHOUT_END;
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
      lastUser = user;
      user.forward(server, buffer, start, runEnd - start);
    }
  }

  @Override
  public void message(byte type, ByteBuf buffer, int start, int length) {
    if (type == 'D' && !expected.isEmpty()) {
      Expected kind = expected.kind();
      if (kind == Expected.EXECUTE || kind == Expected.QUERY) {
        pass(type, buffer, start, length);
        return;
      }
    }
    lastUser = server.user();
    if (type == 'N' || type == 'S' || type == 'A') {
      asynchronous(type, buffer, start, length);
    } else if (type == 'E') {
      error(buffer, start, length);
    } else if (expected.isEmpty()) {
      throw new ProtocolViolationException("unasked message of type '%c'".formatted((char) type));
    } else {
      answer(type, buffer, start, length);
    }
  }

  private void pass(byte type, ByteBuf buffer, int start, int length) {
    AnswerHandler handler = expected.handler();
    if (handler == null) {
      keep(buffer, start, length);
      return;
    }
    switch (handler.use()) {
      case FORWARD -> keep(buffer, start, length);
      case FORWARD_WITHOUT_END -> {
        if (type == 'C') {
          endRun(buffer);
          handler.message(server, new Message(BackendType.of(type), buffer, start, length));
        } else {
          keep(buffer, start, length);
        }
      }
      case SWALLOW -> {}
      case CAPTURE, READ -> {
        lastUser = server.user();
        handler.message(server, new Message(BackendType.of(type), buffer, start, length));
      }
    }
  }

  private void answer(byte type, ByteBuf buffer, int start, int length) {
    if (type == 'C') {
      commandCompleted(buffer, start, length);
    }
    boolean complete =
        switch (expected.kind()) {
          case BEGIN -> endsBegin(type);
          case PARSE -> single(type, '1');
          case BIND -> single(type, '2');
          case CLOSE -> single(type, '3');
          case DESCRIBE_STATEMENT -> type != 't' && description(type);
          case DESCRIBE_PORTAL -> description(type);
          case EXECUTE -> endsExecution(type);
          case QUERY -> endsQuery(type);
          case SYNC -> single(type, 'Z');
        };
    if (type == 'Z') {
      ready(buffer, start, length);
      return;
    }
    pass(type, buffer, start, length);
    if (type == 'G') {
      copyInBegun();
    }
    if (complete) {
      complete(server.status());
    }
  }

  private void commandCompleted(ByteBuf buffer, int start, int length) {
    if (server.hasOpenSettings()) {
      server.completed(BodyReader.ofMessage("CommandComplete", buffer, start, length).string());
    }
    AnswerHandler handler = expected.handler();
    if (handler != null) {
      handler.commandCompleted(server);
    }
  }

  private void copyInBegun() {
    AnswerHandler handler = expected.handler();
    (handler == null ? AnswerHandler.SWALLOW : handler).copyInBegun(server);
  }

  private boolean single(byte type, char due) {
    if (type != due) {
      throw mismatch(type);
    }
    return true;
  }

  private boolean endsBegin(byte type) {
    return switch (type) {
      case '1', '2' -> false;
      case 'C' -> true;
      default -> throw mismatch(type);
    };
  }

  private boolean description(byte type) {
    if (type != 'T' && type != 'n') {
      throw mismatch(type);
    }
    return true;
  }

  private boolean endsExecution(byte type) {
    return switch (type) {
      case 'C', 'I', 's' -> true;
      case 'D', 'G', 'H', 'd', 'c' -> false;
      default -> throw mismatch(type);
    };
  }

  private boolean endsQuery(byte type) {
    return switch (type) {
      case 'Z' -> true;
      case 'C', 'I', 'T', 'D', 'G', 'H', 'd', 'c', 'n', 'V' -> false;
      default -> throw mismatch(type);
    };
  }

  private ProtocolViolationException mismatch(byte type) {
    return new ProtocolViolationException(
        "message of type '%c' where %s is due".formatted((char) type, expected.kind()));
  }

  private void complete(TransactionStatus status) {
    AnswerHandler handler = expected.handler();
    expected.remove();
    if (handler != null) {
      handler.completed(server, status);
    }
  }

  private void ready(ByteBuf buffer, int start, int length) {
    TransactionStatus status = TransactionStatus.of(buffer.getByte(start + HEADER_LENGTH));
    AnswerHandler handler = expected.handler();
    server.ready(status);
    ServerUser user = server.user();
    if (user == null || (handler != null && handler.use() != Use.FORWARD)) {
      if (handler != null && handler.use() == Use.CAPTURE) {
        handler.message(server, new Message(BackendType.READY_FOR_QUERY, buffer, start, length));
      }
      endRun(buffer);
      failed = false;
      complete(status);
      return;
    }
    expected.remove();
    if (user.passesReady(server, status)) {
      keep(buffer, start, length);
    }
    failed = false;
    endRun(buffer);
    if (handler != null) {
      handler.completed(server, status);
    }
    user.ready(server, status);
  }

  private void asynchronous(byte type, ByteBuf buffer, int start, int length) {
    ServerUser user = server.user();
    if (user == null) {
      return;
    }
    if (type == 'A') {
      int process = start + HEADER_LENGTH;
      buffer.setInt(process, user.notifier(buffer.getInt(process)));
    }
    AnswerHandler handler = expected.isEmpty() ? null : expected.handler();
    if (handler == null || type == 'A' || (type == 'S' && !handler.hidesParameters())) {
      keep(buffer, start, length);
    } else if (handler.use() == Use.CAPTURE) {
      handler.message(server, new Message(BackendType.of(type), buffer, start, length));
    } else if (type == 'N' && handler.use() != Use.SWALLOW) {
      keep(buffer, start, length);
    }
  }

  private void error(ByteBuf buffer, int start, int length) {
    if (isFatal(buffer, start, length)) {
      server.dying(fieldText(buffer, start, length, (byte) 'M'));
      return;
    }
    if (expected.isEmpty()) {
      throw new ProtocolViolationException("an error although nothing was asked");
    }
    if (expected.kind() == Expected.BEGIN) {
      beginFailed(buffer, start, length);
      if (expected.isEmpty()) {
        return;
      }
    }
    failed = true;
    Expected kind = expected.kind();
    AnswerHandler handler = expected.handler();
    ServerUser holder = server.user();
    if (holder != null && isOfOutdated(buffer, start, length)) {
      holder.foundOutdated();
    }
    if (isOfDropped(buffer, start, length)) {
      server.spoil();
    }
    boolean seen = true;
    if (handler != null && handler.use() == Use.CAPTURE) {
      seen = false;
      handler.message(server, new Message(BackendType.ERROR_RESPONSE, buffer, start, length));
    } else {
      ServerUser reader = server.user();
      endRun(buffer);
      if (reader == null
          || reader.passesError(server, fieldText(buffer, start, length, (byte) 'C'))) {
        keep(buffer, start, length);
      }
    }
    boolean inPipeline = kind != Expected.QUERY && kind != Expected.SYNC;
    boolean serverSkips = inPipeline && !skipToSync();
    ServerUser user = server.user();
    if (seen && user != null) {
      endRun(buffer);
      // A Sync with a handler is the proxy's own: the client's own has not come yet.
      boolean clientSkips = serverSkips || (inPipeline && expected.handler() != null);
      user.failed(server, clientSkips);
    }
  }

  /** The error becomes that of what was sent behind BEGIN, which the server skips. */
  private void beginFailed(ByteBuf buffer, int start, int length) {
    while (!expected.isEmpty() && expected.kind() == Expected.BEGIN) {
      server.skipped(expected.kind(), expected.number());
      expected.remove();
    }
    server.beginFailed(fieldText(buffer, start, length, (byte) 'M'));
  }

  /** Drops what the server will not answer; whether it has got a Sync already. */
  private boolean skipToSync() {
    List<AnswerHandler> handlers = new ArrayList<>();
    while (!expected.isEmpty() && expected.kind() != Expected.SYNC) {
      AnswerHandler handler = expected.handler();
      if (handler != null) {
        handlers.add(handler);
      }
      server.skipped(expected.kind(), expected.number());
      expected.remove();
    }
    boolean synced = !expected.isEmpty();
    if (!synced) {
      server.failedUntilSync();
    }
    handlers.forEach(handler -> handler.skipped(server)); // which may send more
    return synced;
  }

  // ---- the connection is lost ----

  ServerUser.Owed owedToClient() {
    boolean queryFailed = failed && !expected.isEmpty() && expected.kind() == Expected.QUERY;
    return expected.owedToClient(queryFailed, passing);
  }

  void lose() {
    while (!expected.isEmpty()) {
      AnswerHandler handler = expected.handler();
      expected.remove();
      if (handler != null) {
        handler.lost(server);
      }
    }
  }

  /** Whether PostgreSQL could not use what it has prepared, because a table or type has changed. */
  private static boolean isOfOutdated(ByteBuf buffer, int start, int length) {
    return switch (fieldText(buffer, start, length, (byte) 'C')) {
      case "0A000" -> fieldText(buffer, start, length, (byte) 'R').equals("RevalidateCachedQuery");
      case "XX000" ->
          fieldText(buffer, start, length, (byte) 'M').startsWith("cache lookup failed for ");
      default -> false;
    };
  }

  /** Whether what was prepared there is gone: a function of some client has executed DEALLOCATE. */
  private static boolean isOfDropped(ByteBuf buffer, int start, int length) {
    return fieldText(buffer, start, length, (byte) 'C').equals("26000")
        && StatementName.isIn(fieldText(buffer, start, length, (byte) 'M'));
  }

  private static boolean isFatal(ByteBuf buffer, int start, int length) {
    String severity = fieldText(buffer, start, length, (byte) 'V');
    return severity.equals("FATAL") || severity.equals("PANIC");
  }

  /** One field of an ErrorResponse, "" if it is not there. */
  static String fieldText(ByteBuf buffer, int start, int length, byte field) {
    BodyReader body = BodyReader.ofMessage("ErrorResponse", buffer, start, length);
    for (byte type = body.int8(); type != 0; type = body.int8()) {
      if (type == field) {
        return body.string();
      }
      body.skipString();
    }
    return "";
  }
}
