package io.shardmark.proxy.pool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.dialog.Owed;
import io.shardmark.proxy.dialog.ServerDialog;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.login.LoggedInServer;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.MessageLimits;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.StatementName;
import io.shardmark.proxy.protocol.TextRow;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsSql;
import io.shardmark.proxy.settings.SettingsState;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A logged-in connection to a shard. Knows what it still owes; anything else that arrives closes
 * it, so that an answer can never reach the wrong client. Belongs to one event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes close their channel
public final class ServerConnection extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

  /** Messages up to this size are copied together into one write. */
  private static final int COPIED_BYTES = 8 * 1024;

  private static final MessageLimits LIMITS =
      MessageLimits.server(MessageLimits.LARGE_MESSAGE_BYTES);

  private static final String OWN_PORTAL = "shardmark:own";

  /** The pool that it comes from and goes back to. */
  interface Home {
    /** What all pools of the loop share. */
    PoolPlace place();

    int shard();

    /** How many statements may be prepared at once. */
    int preparedLimit();

    /** A cancel request has reached the server, or has not. */
    void cancelDelivered(ServerConnection server);

    /** It is gone. */
    void closed(ServerConnection server);
  }

  /** Of BEGIN: its failure is that of what follows. */
  private static final AnswerHandler NO_ANSWER = () -> AnswerHandler.HandlerUse.CAPTURE;

  private final Channel channel;
  private final Home pool;
  private final int shard;
  private final LoopCounters counters;
  private final LoggedInServer login;
  private final long openedNanos;
  private final ServerDialog<AnswerHandler> dialog;
  private final Acquire.Ready ready = new Acquire.Ready(this);
  private final MessageFramer framer;
  private final AnswerReader reader;

  private @Nullable ServerUser user;
  private @Nullable ByteBuf out;
  private boolean unflushed;
  private final Set<ReadHold> readHolds = EnumSet.noneOf(ReadHold.class);
  private String lossReason = "the server closed the connection";
  private long idleSinceNanos;
  private Consumer<Set<String>> parametersMade = names -> {};

  /** Why nothing more is read from the server at present. */
  private enum ReadHold {
    /** The client does not take what it gets. */
    CLIENT,
    /** A merge waits for other servers. */
    MERGE
  }

  ServerConnection(Channel channel, Home pool, LoggedInServer login) {
    this.channel = channel;
    this.pool = pool;
    this.shard = pool.shard();
    this.counters = pool.place().counters();
    this.login = login;
    this.openedNanos = pool.place().nanoTime();
    this.dialog = new ServerDialog<>(login.settings(), pool.preparedLimit());
    this.reader = new AnswerReader(this, dialog);
    this.framer = new MessageFramer(reader, LIMITS);
  }

  public int shard() {
    return shard;
  }

  public String shardName() {
    return pool.place().shardNames().get(shard);
  }

  /** Whether it is a standby of a shard that has another server for writes. */
  public boolean isStandby() {
    return isReplicated() && "on".equals(login.parameters().get("in_hot_standby"));
  }

  /** Where it is. */
  public SocketAddress host() {
    return login.host();
  }

  /** Whether another server may take the place of this one. */
  public boolean isReplicated() {
    return pool.place().replicated().contains(shard);
  }

  /** What the server said about itself at login. */
  public Map<String, String> parameters() {
    return login.parameters();
  }

  public int processId() {
    CancelKey key = login.cancelKey();
    return key == null ? 0 : key.processId();
  }

  /** Whether nothing is owed, nothing lacks its Sync, and no message lacks its end. */
  public boolean isQuiet() {
    return dialog.isQuiet();
  }

  /** Whether the server owes nothing. */
  public boolean hasAnswered() {
    return dialog.hasAnswered();
  }

  /** Whether the client has the beginning of a message from here, and its end is to come. */
  public boolean isPassingMessage() {
    return reader.isPassing();
  }

  public boolean isClosed() {
    return dialog.isClosed();
  }

  /** What is known of the conversation. Its messages are sent and received here only. */
  public ServerDialog<?> dialog() {
    return dialog;
  }

  /** As the last ReadyForQuery said. */
  public TransactionStatus status() {
    return dialog.status();
  }

  /** The settings with which the connection was opened, which RESET ALL goes back to. */
  public Settings settingsAtLogin() {
    return login.settings();
  }

  /** What gives it these settings, outside of a transaction; nothing if it has them. */
  public List<String> statementsTo(Settings wanted) {
    Settings now = dialog.settings().base();
    return now.isUnknown()
        ? SettingsSql.fromUnknown(login.settings(), wanted)
        : SettingsSql.change(now, wanted);
  }

  /** Whether it acts as one of these roles because it was set to. */
  boolean actsAs(Set<String> roles) {
    SettingsState now = dialog.settings();
    return now.base().isOf(roles) || now.session().isOf(roles) || now.inForce().isOf(roles);
  }

  /**
   * Whether more may be sent. What waits is sent off first if it is much; only what the link does
   * not take at once is too much, and then the holder learns it from {@link
   * ServerUser#readComplete} when it has been taken: never before this has answered.
   */
  public boolean takesMore() {
    if (!channel.isWritable()) {
      flush();
    }
    return channel.isWritable();
  }

  /** Stops or goes on reading from the server, as the client takes what it gets. */
  public void setReading(boolean reading) {
    hold(ReadHold.CLIENT, !reading);
  }

  /** Stops reading while a merge waits for other servers, until that is taken back. */
  public void setAhead(boolean now) {
    hold(ReadHold.MERGE, now);
  }

  private void hold(ReadHold reason, boolean now) {
    if (now) {
      readHolds.add(reason);
    } else if (readHolds.remove(reason) && readHolds.isEmpty()) {
      channel.read();
    }
  }

  public @Nullable ServerUser user() {
    return user;
  }

  /** A pool's answer that gives this connection. */
  Acquire.Ready ready() {
    return ready;
  }

  void take(ServerUser holder) {
    user = holder;
    dialog.released();
  }

  /**
   * @param parameters is given names of custom parameters that the holder turns out to have made
   */
  void leave(Consumer<Set<String>> parameters) {
    user = null;
    parametersMade = parameters;
    dialog.left();
    idleSinceNanos = pool.place().nanoTime();
    setAhead(false);
    setReading(true);
  }

  /**
   * Asks which of these custom parameters exist there.
   *
   * @param done runs when that is known; never if the server has failed to say it
   */
  void askParameters(Set<String> names, Runnable done) {
    String list = names.stream().map(SettingsSql::literal).collect(Collectors.joining(", "));
    query(
        "SELECT name FROM pg_catalog.unnest(ARRAY["
            + list
            + "]) name WHERE pg_catalog.current_setting(name, true) IS NOT NULL",
        new ParametersAnswer(done));
    flush();
  }

  private final class ParametersAnswer implements AnswerHandler {
    private final Runnable done;
    private final Set<String> found = new HashSet<>();

    ParametersAnswer(Runnable done) {
      this.done = done;
    }

    @Override
    public AnswerHandler.HandlerUse use() {
      return AnswerHandler.HandlerUse.CAPTURE;
    }

    @Override
    public void message(ServerConnection server, Message message) {
      if (message.type() == BackendType.DATA_ROW) {
        found.add(String.valueOf(TextRow.read(message).get(0)));
      } else if (message.type() == BackendType.ERROR_RESPONSE) {
        dialog.spoil();
      }
    }

    @Override
    public void completed(ServerConnection server, TransactionStatus status) {
      if (!dialog.isReusable()) {
        terminate();
        return;
      }
      dialog.parametersFound(found);
      parametersMade.accept(found);
      done.run();
    }
  }

  long idleSinceNanos() {
    return idleSinceNanos;
  }

  /** Since it was opened. */
  public long ageNanos() {
    return pool.place().nanoTime() - openedNanos;
  }

  // ---- sending ----

  /** Where messages are appended; sent with the next {@link #flush}. */
  public ByteBuf out() {
    ByteBuf buffer = out;
    if (buffer == null) {
      buffer = channel.alloc().buffer(1024);
      out = buffer;
    }
    return buffer;
  }

  /** Appends whole messages or the rest of one, as they are. Borrows. */
  public void send(ByteBuf in, int start, int length) {
    if (length <= COPIED_BYTES) {
      out().writeBytes(in, start, length);
    } else {
      writeOut();
      counters.add(shard, ShardCounter.BYTES_OUT, length);
      channel.write(in.retainedSlice(start, length), channel.voidPromise());
      unflushed = true;
    }
  }

  /**
   * A piece of a message that is sent as it comes; nothing else may be sent before its end.
   * Borrows.
   *
   * @param bytesToCome how much of the message is still to follow
   */
  public void sendPiece(ByteBuf in, int start, int length, int bytesToCome) {
    dialog.pieceSent(bytesToCome);
    send(in, start, length);
  }

  /** The same for bytes of a buffer that will hold others before these have been sent. Borrows. */
  public void sendCopy(ByteBuf in, int start, int length) {
    if (length <= COPIED_BYTES) {
      out().writeBytes(in, start, length);
    } else {
      ByteBuf copy = channel.alloc().buffer(length).writeBytes(in, start, length);
      send(copy, copy.readerIndex(), length);
      copy.release();
    }
  }

  private void writeOut() {
    ByteBuf buffer = out;
    if (buffer != null) {
      out = null;
      counters.add(shard, ShardCounter.BYTES_OUT, buffer.readableBytes());
      channel.write(buffer, channel.voidPromise());
      unflushed = true;
    }
  }

  /** Sends all that was appended. */
  public void flush() {
    writeOut();
    if (unflushed) {
      unflushed = false;
      channel.flush();
    }
  }

  /** Notes that the server will answer what has just been appended. */
  public void expect(Expected kind, @Nullable AnswerHandler handler) {
    if (!dialog.sent(kind, handler)) {
      skipped(kind, handler);
    }
  }

  /** There will be no answer: the server skips what has just been appended. */
  private void skipped(Expected kind, @Nullable AnswerHandler handler) {
    if (kind == Expected.BIND && user != null) {
      user.bindSkipped(this, dialog.answeredCount());
    }
    if (handler != null) {
      handler.skipped(this);
    }
  }

  /** A text as a Query message; with it a client's unnamed statement and portal are gone. */
  public void query(String sql, AnswerHandler handler) {
    FrontendMessages.query(out(), sql);
    expect(Expected.QUERY, handler);
  }

  /**
   * Begins a transaction; nothing else is unanswered. No Sync is between that and what is sent
   * next, so a server that fails it skips that too (PG18 §54.2.3 protocol-flow-ext-query), whose
   * error it is then: nothing is ever executed outside of the transaction.
   *
   * @param modes after BEGIN, "" if none
   */
  public void begin(String modes) {
    FrontendMessages.parse(out(), "", "BEGIN " + modes);
    FrontendMessages.bind(out(), "", "");
    FrontendMessages.execute(out(), "", 0);
    dialog.beginSent(NO_ANSWER);
  }

  /** The same with further statements in one text, before which nothing else is sent. */
  public void begin(String sql, AnswerHandler handler) {
    FrontendMessages.query(out(), sql);
    if (!dialog.beginQuerySent(handler)) {
      handler.skipped(this);
    }
  }

  /**
   * Statements of the proxy's own, of which the client sees nothing: its unnamed portal stays. The
   * handler gets the same as of a Query, and what the extended protocol answers besides.
   */
  public void command(List<String> statements, AnswerHandler handler) {
    if (!dialog.hasClientPortal() || dialog.isSkippingToSync()) {
      query(String.join("\n;", statements), handler); // a comment may be at the end of each
      return;
    }
    AnswerHandler part = new PartOfAnswer(handler);
    for (String sql : statements) {
      FrontendMessages.parse(out(), "", sql);
      expect(Expected.PARSE, part);
      FrontendMessages.bind(out(), ownPortal(), "");
      expect(Expected.BIND, part);
      FrontendMessages.describe(out(), NameKind.PORTAL, ownPortal());
      expect(Expected.DESCRIBE_PORTAL, part);
      executeOwn(part);
    }
    sync(handler);
  }

  /** The answer to one of several messages up to a Sync, which ends the answer. */
  private record PartOfAnswer(AnswerHandler whole) implements AnswerHandler {
    @Override
    public AnswerHandler.HandlerUse use() {
      return whole.use();
    }

    @Override
    public boolean hidesParameters() {
      return whole.hidesParameters();
    }

    @Override
    public void message(ServerConnection server, Message message) {
      whole.message(server, message);
    }
  }

  /**
   * Notes that the server will answer a Bind of the client's.
   *
   * @param unnamed whether it makes the unnamed portal, until its transaction ends
   */
  public void expectBind(boolean unnamed) {
    if (!(unnamed ? dialog.clientBindSent(null) : dialog.sent(Expected.BIND, null))) {
      skipped(Expected.BIND, null);
    }
  }

  /**
   * The portal for a statement of the proxy's own: not the client's, and none that a failed
   * statement has left, which is open until its savepoint or transaction is rolled back.
   */
  public String ownPortal() {
    return dialog.hasClientPortal() ? OWN_PORTAL + dialog.portalsLeft() : "";
  }

  /** Executes that portal to its end. */
  public void executeOwn(AnswerHandler handler) {
    FrontendMessages.execute(out(), ownPortal(), 0);
    expect(Expected.EXECUTE, handler);
    if (dialog.hasClientPortal()) {
      FrontendMessages.close(out(), NameKind.PORTAL, ownPortal());
      expect(Expected.CLOSE, AnswerHandler.SWALLOW);
    }
  }

  /** Sync; the ReadyForQuery goes to the client if there is no handler. */
  public void sync(@Nullable AnswerHandler handler) {
    FrontendMessages.sync(out());
    expect(Expected.SYNC, handler);
  }

  /**
   * Prepares a statement. The one used longest ago gives way, after it: what fails before, such as
   * a BEGIN, is an error of what is asked for, not of that.
   */
  public void prepare(long statement, byte[] definition, AnswerHandler handler) {
    FrontendMessages.parse(out(), statement, definition);
    if (!dialog.parseSent(statement, handler)) {
      handler.skipped(this);
    }
    for (long old = dialog.evicted(); old != ServerDialog.NONE; old = dialog.evicted()) {
      unprepare(old);
    }
    counters.count(shard, ShardCounter.SERVER_PREPARES);
  }

  /** Prepares the unnamed statement, in the place of the one before. */
  public void prepareUnnamed(Object owner, byte[] definition, AnswerHandler handler) {
    FrontendMessages.parse(out(), StatementName.UNNAMED, definition);
    if (!dialog.unnamedParseSent(owner, handler)) {
      handler.skipped(this);
    }
    counters.count(shard, ShardCounter.SERVER_PREPARES);
  }

  /** Has the server forget a statement. */
  public void unprepare(long statement) {
    FrontendMessages.closeStatement(out(), statement);
    dialog.closeSent(statement, AnswerHandler.SWALLOW);
  }

  // ---- cancelling ----

  /** Asks the server to cancel what it does now. Not handed to others before that is delivered. */
  public void cancelQuery() {
    cancelQuery(() -> {});
  }

  /**
   * The same.
   *
   * @param done runs when that is delivered, or cannot be
   */
  public void cancelQuery(Runnable done) {
    CancelKey key = login.cancelKey();
    if (key == null) {
      done.run();
      return;
    }
    dialog.cancelSent();
    pool.place()
        .connector()
        .cancel(
            channel.eventLoop(),
            shard,
            key,
            delivery -> {
              cancelled(delivery);
              done.run();
            });
  }

  private void cancelled(ServerConnector.Delivery delivery) {
    dialog.cancelDelivered();
    ServerUser holder = user;
    if (delivery == ServerConnector.Delivery.UNCERTAIN) {
      dialog.spoil();
      if (holder == null) {
        terminate();
      }
    }
    pool.cancelDelivered(this);
    if (holder != null) {
      holder.readComplete(this);
    }
  }

  // ---- receiving ----

  /** Brings the ReadyForQuery of a Query that is being skipped. */
  void sendSync() {
    FrontendMessages.sync(out());
    flush();
  }

  /** The server has said why it is about to close the connection. */
  void dying(String sqlState, String reason) {
    lossReason = reason;
    dialog.spoil();
    if (sqlState.equals(SqlState.ADMIN_SHUTDOWN.code())) {
      dialog.terminated();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    counters.add(shard, ShardCounter.BYTES_IN, bytes.readableBytes());
    try {
      framer.read(bytes);
    } catch (ProtocolViolationException e) {
      LOG.warn("server connection to shard {} closed: {}", shardName(), e.getMessage());
      lossReason = "the server broke the protocol: " + e.getMessage();
      close();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    ServerUser holder = reader.takeLastUser();
    if (holder != null) {
      holder.readComplete(this);
    }
    if (readHolds.isEmpty() && !isClosed()) {
      channel.read();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    ServerUser holder = user;
    if (holder != null && channel.isWritable()) {
      holder.readComplete(this);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!isClosed()) {
      if (!(cause instanceof IOException)) {
        LOG.error("server connection to shard {} ends for an internal error", shardName(), cause);
      }
      lossReason = String.valueOf(cause.getMessage());
      close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    close();
  }

  /** Closes a connection that is of no use any more; its holder learns why. */
  public void abandon(String reason) {
    lossReason = reason;
    close();
  }

  /** Closes it; its holder learns that. */
  public void close() {
    if (isClosed()) {
      return;
    }
    Owed owed = dialog.lost(reader.isPassing());
    ByteBuf unsent = out;
    out = null;
    if (unsent != null) {
      unsent.release();
    }
    channel.close();
    framer.close();
    ServerUser holder = user;
    pool.closed(this);
    reader.lose();
    if (holder != null) {
      holder.lost(this, owed, lossReason);
    }
  }

  /** Says farewell, then closes. */
  void terminate() {
    if (!isClosed()) {
      ByteBuf farewell = Unpooled.buffer(5);
      FrontendMessages.terminate(farewell);
      channel.writeAndFlush(farewell, channel.voidPromise());
      close();
    }
  }
}
