package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.Trace;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server end of a connection, without a socket: answers a message when the test asks for that,
 * as PostgreSQL does as far as a session's state depends on it: transaction status, skipping to
 * Sync, names of statements and portals, and output that is held back until Sync, Flush or an
 * error. A text with 1/0 fails when it is executed, one with {@code nosuch} when it is parsed, and
 * a COPY when it gets data that are {@code wrong}.
 */
final class SimulatedServer {
  private static final List<RowField> ONE_COLUMN = List.of(RowField.text("c"));

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final Deque<ByteBuf> asked = new ArrayDeque<>();
  private final List<String> trace = new ArrayList<>();
  private final Map<String, String> statements = new HashMap<>();
  private final Map<String, String> portals = new HashMap<>();
  private ByteBuf out = Unpooled.buffer();
  private TransactionStatus status = TransactionStatus.IDLE;
  private final int processId;
  private boolean skipping;
  private boolean cancelled;
  private boolean failing;

  /** Rows of the COPY FROM STDIN that it reads, or -1. */
  private int copied = -1;

  private @Nullable ByteBuf partial;

  SimulatedServer(int processId) {
    this.processId = processId;
  }

  int processId() {
    return processId;
  }

  /** What it executes next fails. */
  void failNext() {
    failing = true;
  }

  /** What it executes next is cancelled, if it has got that already, or a COPY that it reads. */
  void cancel() {
    cancelled = isAsked();
    if (copied >= 0 && !cancelled) {
      copied = -1;
      failWithoutSkipping(SqlState.QUERY_CANCELED, "canceling statement due to user request");
      ready();
    }
  }

  EmbeddedChannel channel() {
    return channel;
  }

  /** What it has got, one line for each message. */
  List<String> trace() {
    collect();
    return trace;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Whether there is a message that it has not answered. */
  boolean isAsked() {
    collect();
    return !asked.isEmpty();
  }

  private void collect() {
    for (ByteBuf in = channel.readOutbound(); in != null; in = channel.readOutbound()) {
      ByteBuf all = partial == null ? in : Unpooled.wrappedBuffer(partial, in);
      while (all.readableBytes() >= 5) {
        int length = all.getInt(all.readerIndex() + 1) + 1;
        if (all.readableBytes() < length) {
          break;
        }
        trace.add(Trace.frontend(all, all.readerIndex(), length));
        asked.add(all.readRetainedSlice(length));
      }
      partial = all.isReadable() ? all : null;
      if (partial == null) {
        all.release();
      }
    }
  }

  /** Nothing is expected of it any more. */
  void close() {
    lose();
    channel.finishAndReleaseAll();
    if (partial != null) {
      partial.release();
    }
  }

  /** The link is lost. */
  void lose() {
    collect();
    asked.forEach(ByteBuf::release);
    asked.clear();
    var unused = channel.close();
    channel.runPendingTasks();
  }

  /** An administrator ends it: it says so before the link is lost. */
  void terminate() {
    BackendMessages.errorResponse(out, ErrorFields.fatal(SqlState.ADMIN_SHUTDOWN, "terminated"));
    send();
    lose();
  }

  /** Takes the oldest message that it has got. */
  void answerOne() {
    collect();
    ByteBuf message = asked.poll();
    if (message != null) {
      answer(message);
      message.release();
    }
  }

  /** Takes all that it has got. */
  void answerAll() {
    while (isAsked() && isOpen()) {
      answerOne();
    }
  }

  private void send() {
    ByteBuf sent = out;
    out = Unpooled.buffer();
    if (sent.isReadable() && channel.isOpen()) {
      channel.writeInbound(sent);
    } else {
      sent.release();
    }
  }

  private void answer(ByteBuf message) {
    char type = (char) message.getByte(message.readerIndex());
    if (type == 'X') {
      return;
    }
    if (type == 'd' || type == 'c' || type == 'f') {
      copy(type, message.toString(StandardCharsets.UTF_8).substring(5).trim());
      return;
    }
    if (copied >= 0 || (skipping && type != 'S')) {
      return;
    }
    BodyReader body =
        BodyReader.ofMessage("message", message, message.readerIndex(), message.readableBytes());
    switch (type) {
      case 'P' -> parse(body.string(), body.string());
      case 'B' -> bind(body.string(), body.string());
      case 'D' -> describe((char) body.int8(), body.string());
      case 'E' -> executePortal(body.string());
      case 'C' -> close((char) body.int8(), body.string());
      case 'H' -> send();
      case 'S' -> sync();
      case 'Q' -> query(body.string());
      default -> throw new AssertionError("a message of type " + type);
    }
  }

  /** What comes after a COPY that has failed is dropped (PG18 §54.2.7 protocol-copy). */
  private void copy(char type, String data) {
    if (copied < 0) {
      return;
    }
    if (type == 'd' && !data.contains("wrong")) {
      copied++;
      return;
    }
    if (type == 'c') {
      BackendMessages.commandComplete(out, "COPY " + copied);
    } else {
      failWithoutSkipping(
          type == 'f' ? SqlState.QUERY_CANCELED : new SqlState("22P02"), "COPY fails: " + data);
    }
    copied = -1;
    ready();
  }

  private void copyResponse(char type) {
    out.writeByte(type).writeInt(11).writeByte(0).writeShort(2).writeShort(0).writeShort(0);
  }

  private void fail(SqlState state, String message) {
    failWithoutSkipping(state, message);
    skipping = true;
  }

  private void failWithoutSkipping(SqlState state, String message) {
    BackendMessages.errorResponse(out, ErrorFields.error(state, message));
    if (status == TransactionStatus.IN_TRANSACTION) {
      status = TransactionStatus.FAILED;
    }
    send();
  }

  private void sync() {
    skipping = false;
    ready();
  }

  private void ready() {
    if (status == TransactionStatus.IDLE) {
      portals.clear();
    }
    BackendMessages.readyForQuery(out, status);
    send();
  }

  private void parse(String name, String sql) {
    if (sql.contains("nosuch")) {
      fail(new SqlState("42703"), "column \"nosuch\" does not exist");
    } else if (isRefused(sql)) {
      fail(SqlState.IN_FAILED_SQL_TRANSACTION, "current transaction is aborted");
    } else if (!name.isEmpty() && statements.containsKey(name)) {
      fail(SqlState.DUPLICATE_PREPARED_STATEMENT, "prepared statement exists");
    } else {
      statements.put(name, sql);
      BackendMessages.parseComplete(out);
    }
  }

  private void bind(String portal, String name) {
    String sql = statements.get(name);
    if (sql == null) {
      fail(new SqlState("26000"), "prepared statement \"" + name + "\" does not exist");
    } else if (isRefused(sql)) {
      fail(SqlState.IN_FAILED_SQL_TRANSACTION, "current transaction is aborted");
    } else if (!portal.isEmpty() && portals.containsKey(portal)) {
      fail(SqlState.DUPLICATE_CURSOR, "cursor \"" + portal + "\" already exists");
    } else {
      portals.put(portal, sql);
      BackendMessages.bindComplete(out);
    }
  }

  private void describe(char kind, String name) {
    String sql = kind == 'S' ? statements.get(name) : portals.get(name);
    if (sql == null) {
      fail(new SqlState(kind == 'S' ? "26000" : "34000"), "\"" + name + "\" does not exist");
      return;
    }
    if (kind == 'S') {
      BackendMessages.parameterDescription(out, new int[0]);
    }
    if (givesRows(sql)) {
      BackendMessages.rowDescription(out, ONE_COLUMN);
    } else {
      BackendMessages.noData(out);
    }
  }

  private void close(char kind, String name) {
    (kind == 'S' ? statements : portals).remove(name);
    BackendMessages.closeComplete(out);
  }

  private void executePortal(String name) {
    String sql = portals.get(name);
    if (sql == null) {
      fail(SqlState.INVALID_CURSOR_NAME, "portal \"" + name + "\" does not exist");
    } else if (isRefused(sql)) {
      fail(SqlState.IN_FAILED_SQL_TRANSACTION, "current transaction is aborted");
    } else if (sql.contains("1/0") || isFailing(sql)) {
      fail(new SqlState("22012"), "division by zero");
    } else if (isCancelled(sql)) {
      fail(SqlState.QUERY_CANCELED, "canceling statement due to user request");
    } else {
      run(sql);
    }
  }

  private void query(String text) {
    statements.remove("");
    portals.remove("");
    if (text.contains("nosuch")) {
      failWithoutSkipping(new SqlState("42703"), "column \"nosuch\" does not exist");
      ready();
      return;
    }
    String end = text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
    for (String sql : end.split(";", -1)) {
      if (isRefused(sql)) {
        failWithoutSkipping(SqlState.IN_FAILED_SQL_TRANSACTION, "current transaction is aborted");
        break;
      }
      if (sql.contains("1/0") || isFailing(sql)) {
        failWithoutSkipping(new SqlState("22012"), "division by zero");
        break;
      }
      if (isCancelled(sql)) {
        failWithoutSkipping(SqlState.QUERY_CANCELED, "canceling statement due to user request");
        break;
      }
      if (givesRows(sql)) {
        BackendMessages.rowDescription(out, ONE_COLUMN);
      }
      if (sql.contains("from stdin")) {
        copied = 0;
        copyResponse('G');
        send();
        return;
      }
      run(sql);
    }
    ready();
  }

  private boolean isRefused(String sql) {
    String word = word(sql);
    return status == TransactionStatus.FAILED
        && !word.equals("COMMIT")
        && !word.equals("ROLLBACK")
        && !word.isEmpty();
  }

  /** Not what the proxy sends before the statement of the client. */
  private boolean isFailing(String sql) {
    String word = word(sql);
    boolean now = failing && !Set.of("RESET", "SET", "BEGIN", "LOCK").contains(word);
    failing &= !now;
    if (now && word.equals("COMMIT")) {
      status = TransactionStatus.IDLE;
    }
    return now;
  }

  /** Not what has no time for it. */
  private boolean isCancelled(String sql) {
    boolean now = cancelled && (givesRows(sql) || word(sql).equals("UPDATE"));
    cancelled &= !now && isAsked();
    return now;
  }

  private static String word(String sql) {
    return sql.strip().split("[\\s(]", 2)[0].toUpperCase(Locale.ROOT);
  }

  private static boolean givesRows(String sql) {
    return word(sql).equals("SELECT") || word(sql).equals("SHOW");
  }

  /** A statement that succeeds. */
  private void run(String sql) {
    String word = word(sql);
    String upper = sql.strip().toUpperCase(Locale.ROOT);
    String tag = word;
    switch (word) {
      case "" -> {
        BackendMessages.emptyQueryResponse(out);
        return;
      }
      case "SELECT", "SHOW" -> {
        BackendMessages.dataRow(out, List.of("1"));
        tag = word.equals("SHOW") ? "SHOW" : "SELECT 1";
      }
      case "COPY" -> {
        copyResponse('H');
        BackendMessages.copyDataHeader(out, 4);
        out.writeBytes("1,1\n".getBytes(StandardCharsets.UTF_8));
        BackendMessages.copyDone(out);
        tag = "COPY 1";
      }
      case "INSERT" -> tag = "INSERT 0 1";
      case "UPDATE", "DELETE" -> tag = word + " 1";
      case "BEGIN", "START" -> {
        status = TransactionStatus.IN_TRANSACTION;
        tag = "BEGIN";
      }
      case "COMMIT", "ROLLBACK" -> {
        if (upper.contains("PREPARED")) {
          tag = word + " PREPARED";
        } else if (upper.contains(" TO ")) {
          status = TransactionStatus.IN_TRANSACTION;
        } else {
          tag = status == TransactionStatus.FAILED ? "ROLLBACK" : word;
          status = TransactionStatus.IDLE;
          portals.clear();
        }
      }
      case "PREPARE" -> {
        tag = "PREPARE TRANSACTION";
        status = TransactionStatus.IDLE;
        portals.clear();
      }
      default -> {}
    }
    BackendMessages.commandComplete(out, tag);
  }
}
