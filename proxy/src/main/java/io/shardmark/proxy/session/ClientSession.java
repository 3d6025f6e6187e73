package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopGauge;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.pool.SessionSettings;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.MessageFramer;
import io.shardmark.proxy.protocol.MessageLimits;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.session.Transaction.Mode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One logged-in client. Takes its messages in order, one at a time: each is passed on, answered, or
 * held back until what it needs is there. Belongs to one event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes close their channel
public final class ClientSession extends ChannelInboundHandlerAdapter
    implements MessageFramer.Listener, ServerUser {
  private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);
  private static final int STREAMED_BYTES = 16 * 1024;

  private final SessionContext context;
  private final Channel channel;
  private final String user;
  private final String database;
  private Map<String, String> startup;
  private final MessageFramer framer;
  private final Links links;
  private final Transaction transaction = new Transaction();
  private final ExtendedProtocol extended;
  private final SimpleQueries simple;
  private final ShardChoice choice;

  private final SessionSettings firstSettings;
  private SessionSettings settings;
  private List<String> searchPath;
  private @Nullable CancelKey cancelKey;
  private @Nullable ErrorFields deadlock;
  private @Nullable Step step;
  private @Nullable CommitStep commit;
  private @Nullable ByteBuf out;
  private @Nullable CopyIn copyIn;
  private boolean proceeding;
  private boolean again;
  private boolean closed;
  private boolean draining;

  /** Until the next Sync all messages are skipped. */
  private boolean skipToSync;

  private boolean changedSchema;

  /** Bytes that are not flushed yet. */
  private boolean unflushed;

  /** By hand, from SET shardmark.key or shardmark.shard; -1: none. */
  private int routedShard = -1;

  private Ending ending = Ending.NO;

  /** Whether a forwarded COMMIT or ROLLBACK is on its way: the transaction ends with its answer. */
  enum Ending {
    NO,
    COMMIT,
    ROLLBACK
  }

  /**
   * A session right after authentication; {@link #start} makes it work.
   *
   * @param settings what the startup message asked for
   */
  public ClientSession(
      SessionContext context,
      Channel channel,
      String user,
      String database,
      Map<String, String> settings) {
    this.context = context;
    this.channel = channel;
    this.user = user;
    this.database = database;
    this.framer = new MessageFramer(this, MessageLimits.client(MessageLimits.LARGE_MESSAGE_BYTES));
    this.links = new Links(this, context.pools().pools(user));
    this.extended = new ExtendedProtocol(this);
    this.simple = new SimpleQueries(this);
    this.choice = new ShardChoice(this);
    this.startup = Map.copyOf(settings);
    this.settings = context.pools().known(StartupSettings.of(settings));
    this.firstSettings = this.settings;
    this.searchPath = SearchPath.of(this.settings, user);
  }

  /**
   * Takes its place in the pipeline and welcomes the client: ParameterStatus, BackendKeyData,
   * ReadyForQuery. On the event loop.
   *
   * @param secretKeyBytes 4 in protocol 3.0, 32 from 3.2 on
   */
  public void start(int secretKeyBytes) {
    context.sessions().add(this);
    channel.pipeline().addLast(this);
    context.counters().add(LoopGauge.CLIENTS, 1);
    framer.pause();
    step = new WelcomeStep(this, startup, secretKeyBytes);
    startup = Map.of();
    proceed();
  }

  CancelKey issueCancelKey(int secretKeyBytes) {
    CancelKey key = context.cluster().cancelKeys().issue(secretKeyBytes, this);
    cancelKey = key;
    return key;
  }

  /** Refuses the client after all. */
  void refuse(ErrorFields error) {
    BackendMessages.errorResponse(out(), error);
    closeAfterFlush();
  }

  SessionContext context() {
    return context;
  }

  Links links() {
    return links;
  }

  Transaction transaction() {
    return transaction;
  }

  SessionSettings settings() {
    return settings;
  }

  void setSettings(SessionSettings now) {
    settings = context.pools().known(now);
    searchPath = SearchPath.of(settings, user);
  }

  SessionSettings firstSettings() {
    return firstSettings;
  }

  /** Back to what the client began with. */
  void resetSettings() {
    settings = firstSettings;
    searchPath = SearchPath.of(settings, user);
  }

  List<String> searchPath() {
    return searchPath;
  }

  ExtendedProtocol extended() {
    return extended;
  }

  ShardChoice choice() {
    return choice;
  }

  ByteBufAllocator allocator() {
    return channel.alloc();
  }

  ByteBuf newBuffer() {
    return channel.alloc().buffer(16);
  }

  /** A statement has an effect that only its server connection knows. */
  void pin() {
    if (!links.isPinned()) {
      links.pin();
      context.counters().count(LoopCounter.SESSIONS_PINNED);
    }
  }

  /** LISTEN binds the client to its connection; NOTIFY is sent with the commit. */
  void noteNotification(StatementPlan.Notification notification, ServerConnection server) {
    if (notification.signal() == StatementPlan.Notification.Signal.NOTIFY) {
      server.markWritten();
    } else {
      pin();
    }
  }

  /** The transaction has changed what the shard map is read from. */
  boolean hasChangedSchema() {
    return changedSchema;
  }

  void changedSchema() {
    changedSchema = true;
  }

  void schemaRead() {
    changedSchema = false;
  }

  /** What to tell a client whose statement was on this lost connection. */
  StatementException lostIn(ServerConnection server) {
    return new StatementException(
        SqlState.CONNECTION_FAILURE,
        "connection to shard "
            + context.pools().shardNames().get(server.shard())
            + " lost in the middle of the statement");
  }

  /** Ends a Query message. */
  void finishQuery() {
    simple.finished();
    if (transaction.mode() == Mode.NONE) {
      extended.forgetPortals();
      links.releaseAll();
    }
    readyForQuery();
  }

  int routedShard() {
    return routedShard;
  }

  void routeTo(int shard) {
    routedShard = shard;
  }

  void setEnding(Ending how) {
    ending = how;
  }

  public String user() {
    return user;
  }

  public String database() {
    return database;
  }

  /** The peer's address. */
  public String address() {
    return String.valueOf(channel.remoteAddress());
  }

  /** As ReadyForQuery would say. */
  public TransactionStatus status() {
    return transaction.status();
  }

  /** Whether it is between transactions and statements. */
  public boolean isIdle() {
    return transaction.mode() == Mode.NONE && step == null && links.active() == null;
  }

  /** Whether it waits for a server connection. */
  public boolean isWaiting() {
    return links.isWaiting();
  }

  /** How many server connections it holds. */
  public int serverCount() {
    return links.all().size();
  }

  // ---- messages of the client ----

  @Override
  public void channelRead(ChannelHandlerContext handler, Object message) {
    if (framer.isPaused()) {
      channel.config().setAutoRead(false);
    }
    try {
      framer.read((ByteBuf) message);
    } catch (ProtocolViolationException e) {
      violation(e);
    }
  }

  private void violation(ProtocolViolationException e) {
    context.counters().count(LoopCounter.PROTOCOL_VIOLATIONS);
    BackendMessages.errorResponse(out(), e.toFields());
    closeAfterFlush();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext handler) {
    links.flush();
    flush();
  }

  @Override
  public boolean streams(byte type, int length) {
    return type == 'd' && length > STREAMED_BYTES && (copyIn == null || copyIn.streams());
  }

  @Override
  public void piece(byte type, ByteBuf buffer, int start, int length, int bytesToCome) {
    CopyIn copy = copyIn;
    if (copy != null && copy.piece(buffer, start, length)) {
      return;
    }
    if (copy != null) {
      framer.pause();
    }
  }

  @Override
  public void message(byte type, ByteBuf buffer, int start, int length) {
    try {
      if (!take(type, buffer, start, length)) {
        framer.holdBack();
        return;
      }
    } catch (StatementException e) {
      if (!links.drained()) {
        framer.holdBack();
        return;
      }
      fail(e.fields());
    }
    if (step != null) {
      runSteps();
      if (step != null && !step.takesCopyData()) {
        framer.pause();
      }
    }
  }

  /** Handles a message; false: not now. */
  private boolean take(byte type, ByteBuf buffer, int start, int length) {
    if (type == 'd' || type == 'c' || type == 'f') {
      return takeCopyData(type, buffer, start, length);
    }
    if (type == 'X') {
      close();
      return true;
    }
    if (skipToSync && type != 'S') {
      return true;
    }
    if (copyIn != null) {
      if (type == 'S' || type == 'H') {
        return true;
      }
      throw new ProtocolViolationException(
          "message of type '%c' while COPY data are awaited".formatted((char) type));
    }
    if (ending != Ending.NO && type != 'S' && type != 'H' && !ended()) {
      return false;
    }
    if (type == 'Q') {
      return simple.query(buffer, start, length);
    }
    if (type == 'F') {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "FunctionCall messages are not supported",
          "Call the function in a SELECT.");
    }
    return extended.take(type, buffer, start, length);
  }

  private boolean takeCopyData(byte type, ByteBuf buffer, int start, int length) {
    CopyIn copy = copyIn;
    if (copy == null) {
      return true; // PG18 §54.2.7 protocol-copy: dropped after the copy has failed
    }
    boolean taken = copy.message(type, buffer, start, length);
    if (taken && type != 'd' && copyIn == copy) {
      copyIn = null;
    }
    return taken;
  }

  private boolean ended() {
    if (!links.drained()) {
      return false;
    }
    if (ending != Ending.NO) {
      transactionEnded();
    }
    return true;
  }

  /** A forwarded COMMIT or ROLLBACK has been answered. */
  private void transactionEnded() {
    boolean committed = ending == Ending.COMMIT && !transaction.isFailed();
    ending = Ending.NO;
    context.counters().count(committed ? LoopCounter.COMMITS_ONE_SHARD : LoopCounter.ROLLBACKS);
    endTransaction(committed);
  }

  /** The transaction is over on all servers; what it SET stays or is undone. */
  void endTransaction(boolean committed) {
    changedSchema &= committed;
    if (!committed && !settings.is(transaction.settingsBefore())) {
      links.enlisted().forEach(server -> server.setSettings(SessionSettings.UNKNOWN));
      setSettings(transaction.settingsBefore());
    }
    links.all().forEach(server -> server.setEnlisted(false));
    transaction.end();
  }

  // ---- steps ----

  /** A commit is under way, or none: it goes on even if the client leaves. */
  void setCommit(@Nullable CommitStep now) {
    commit = now;
  }

  /** Begins work that takes several turns; no message is taken until it is done. */
  void begin(Step work) {
    step = work;
  }

  private void advance() {
    Step work = step;
    if (work == null) {
      return;
    }
    try {
      if (work.advance() && step == work) {
        step = null;
      }
    } catch (StatementException e) {
      if (step == work) {
        step = null;
      }
      fail(e.fields());
    }
  }

  /** Goes on with the present step, and with those it leads to. */
  private void runSteps() {
    Step before;
    do {
      before = step;
      advance();
    } while (step != null && step != before);
  }

  /** Something has changed that this session may have waited for. */
  void proceed() {
    if (proceeding) {
      again = true;
      return;
    }
    proceeding = true;
    try {
      do {
        again = false;
        runSteps();
        if ((step == null || step.takesCopyData()) && framer.isPaused() && !closed) {
          framer.resume();
          if (!framer.isPaused()) {
            channel.config().setAutoRead(true);
          }
        }
      } while (again && !closed);
    } catch (ProtocolViolationException e) {
      violation(e);
    } catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
      // Often called by a server's handler, whose connection is not to blame.
      broken(e);
    } finally {
      proceeding = false;
    }
    links.flush();
    flush();
    if (closed && commit == null) {
      step = null;
      links.close();
    }
  }

  // ---- what the client gets ----

  /** Where answers of the proxy's own go; everything asked before has been answered. */
  ByteBuf out() {
    ByteBuf buffer = out;
    if (buffer == null) {
      buffer = channel.alloc().buffer(256);
      out = buffer;
      unflushed = true;
    }
    return buffer;
  }

  /** Passes messages on. Takes ownership. */
  void write(ByteBuf messages) {
    if (closed) {
      messages.release();
      return;
    }
    writeOut();
    channel.write(messages, channel.voidPromise());
    unflushed = true;
  }

  private void writeOut() {
    ByteBuf own = out;
    if (own != null) {
      out = null;
      channel.write(own, channel.voidPromise());
    }
  }

  void flush() {
    if (unflushed) {
      unflushed = false;
      writeOut();
      channel.flush();
    }
    if (!channel.isWritable()) {
      links.setReading(false);
    }
  }

  void readyForQuery() {
    BackendMessages.readyForQuery(out(), transaction.status());
    if (draining && isIdle()) {
      shutDown();
    }
  }

  /** A statement fails with an error of the proxy's own; everything before it is answered. */
  void fail(ErrorFields fields) {
    links.forgetWaits();
    if (fields.sqlState().equals(SqlState.FEATURE_NOT_SUPPORTED)) {
      context.counters().count(LoopCounter.STATEMENTS_REFUSED);
    }
    transaction.told();
    BackendMessages.errorResponse(out(), fields);
    simpleOrExtendedFailed();
  }

  /** The client has the error; a transaction is failed, or ends. */
  void simpleOrExtendedFailed() {
    if (transaction.mode() != Mode.NONE) {
      transaction.fail();
    }
    if (simple.isRunning()) {
      simple.failed();
    } else {
      extended.failed();
      skipToSync = true;
    }
  }

  boolean isSkippingToSync() {
    return skipToSync;
  }

  void endSkipping() {
    skipToSync = false;
  }

  // ---- from servers ----

  @Override
  public void forward(ServerConnection server, ByteBuf messages) {
    write(messages);
  }

  @Override
  public boolean passesReady(ServerConnection server, TransactionStatus status) {
    boolean wasEnding = ending != Ending.NO;
    if (transaction.mode() == Mode.NONE) {
      if (status != TransactionStatus.IDLE) {
        // A text began a transaction that the planner took for something else.
        transaction.begin(Mode.EXPLICIT, "", settings);
        server.setEnlisted(true);
      }
    } else if (status == TransactionStatus.IDLE && server.isEnlisted()) {
      transactionEnded();
    } else if (status == TransactionStatus.FAILED) {
      transaction.fail();
    }
    if (status == TransactionStatus.FAILED && transaction.mode() == Mode.EXPLICIT) {
      transaction.fail();
    }
    if (wasEnding && status != TransactionStatus.IDLE) {
      ending = Ending.NO;
    }
    return status == transaction.status();
  }

  @Override
  public void ready(ServerConnection server, TransactionStatus status) {
    if (status != transaction.status()) {
      readyForQuery();
    }
    simple.answered();
    if (transaction.mode() == Mode.NONE && server.isQuiet() && step == null) {
      extended.forgetPortals();
      links.releaseOnly(server);
      if (draining) {
        shutDown();
      }
    }
  }

  @Override
  public void failed(ServerConnection server, boolean untilSync) {
    copyIn = null;
    if (transaction.mode() != Mode.NONE) {
      transaction.fail();
    }
    if (untilSync) {
      skipToSync = true;
    }
    simple.serverFailed();
  }

  @Override
  public void copyIn(ServerConnection server) {
    copyIn = new CopyIn.ToOneServer(server);
  }

  void setCopyIn(@Nullable CopyIn copy) {
    copyIn = copy;
  }

  @Override
  public boolean passesParameterStatus(ServerConnection server) {
    return true;
  }

  @Override
  public void lost(ServerConnection server, Owed owed, String reason) {
    boolean enlisted = server.isEnlisted();
    copyIn = null;
    links.lost(server);
    if (commit != null) {
      commit.connectionLost(server.shard());
    }
    ErrorFields error =
        ErrorFields.error(
            SqlState.CONNECTION_FAILURE,
            "connection to shard "
                + context.pools().shardNames().get(server.shard())
                + " lost: "
                + reason);
    if (transaction.mode() != Mode.NONE && enlisted) {
      transaction.lose(error);
      if (owed.readies() > 0 || owed.more()) {
        transaction.told();
      }
    }
    boolean errorSent = owed.errorSent();
    for (int i = 0; i < owed.readies(); i++) {
      if (!errorSent) {
        BackendMessages.errorResponse(out(), error);
      }
      errorSent = false;
      if (ending != Ending.NO) {
        ending = Ending.NO;
        endTransaction(false);
      }
      if (i + 1 < owed.readies() || !owed.more()) {
        simple.answered();
        readyForQuery();
      }
    }
    if (owed.more()) {
      BackendMessages.errorResponse(out(), error);
      skipToSync = true;
    }
    proceed();
  }

  @Override
  public void readComplete(ServerConnection server) {
    if (step != null || framer.isPaused()) {
      proceed();
    } else {
      flush();
    }
  }

  // ---- the end ----

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext handler) {
    links.setReading(channel.isWritable());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext handler, Throwable cause) {
    broken(cause);
  }

  /** A fault of ours ends this session and nobody else's. */
  private void broken(Throwable cause) {
    if (closed) {
      return;
    }
    if (!(cause instanceof IOException)) {
      LOG.error("session of {} ends for an internal error", user, cause);
      BackendMessages.errorResponse(
          out(), ErrorFields.fatal(SqlState.INTERNAL_ERROR, "internal error of the proxy"));
      closeAfterFlush();
    }
    close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext handler) {
    close();
  }

  /** Cancels what runs or waits. Any thread. */
  void requestCancel() {
    context.loop().execute(this::cancel);
  }

  private void cancel() {
    context.counters().count(LoopCounter.CANCELS);
    ErrorFields cancelled =
        ErrorFields.error(SqlState.QUERY_CANCELED, "canceling statement due to user request");
    if (links.isWaiting()) {
      links.cancelWaits(cancelled);
      proceed();
      return;
    }
    for (ServerConnection server : links.all()) {
      if (!server.hasAnswered()) {
        server.cancelQuery();
      }
    }
  }

  /** The transaction of now, for the deadlock detector; empty outside of one. On the event loop. */
  public Optional<OpenTransaction> openTransaction() {
    if (transaction.mode() == Mode.NONE || cancelKey == null) {
      return Optional.empty();
    }
    List<Backend> backends = new ArrayList<>();
    for (ServerConnection server : links.enlisted()) {
      backends.add(new Backend(server.shard(), server.processId()));
    }
    return Optional.of(new OpenTransaction(transactionId(), transaction.startNanos(), backends));
  }

  private long transactionId() {
    CancelKey key = cancelKey;
    return ((key == null ? 0L : key.processId()) << 32) | (transaction.number() & 0xffff_ffffL);
  }

  /**
   * Cancels what the transaction of that id waits for on that server process, because of a
   * deadlock. On the event loop.
   */
  public void cancelDeadlocked(long id, Backend backend, String detail) {
    if (transaction.mode() == Mode.NONE || id != transactionId()) {
      return;
    }
    for (ServerConnection server : links.enlisted()) {
      if (server.shard() == backend.shard()
          && server.processId() == backend.processId()
          && !server.hasAnswered()) {
        deadlock =
            ErrorFields.error(SqlState.DEADLOCK_DETECTED, "deadlock detected over shards")
                .withDetail(detail);
        server.cancelQuery();
      }
    }
  }

  /** The cancellation that a deadlock caused is reported as what it is. */
  @Override
  public boolean passesError(ServerConnection server, String code) {
    ErrorFields found = deadlock;
    deadlock = null;
    if (found == null || !code.equals(SqlState.QUERY_CANCELED.code())) {
      return true;
    }
    BackendMessages.errorResponse(out(), found);
    return false;
  }

  /** Ends when nothing is under way any more. On the event loop. */
  public void drain() {
    draining = true;
    if (isIdle()) {
      shutDown();
    }
  }

  private void shutDown() {
    BackendMessages.errorResponse(
        out(), ErrorFields.fatal(SqlState.ADMIN_SHUTDOWN, "the proxy is shutting down"));
    closeAfterFlush();
  }

  /** Ends at once, telling the client. On the event loop. */
  public void terminate() {
    if (!closed) {
      shutDown();
    }
  }

  private void closeAfterFlush() {
    unflushed = true;
    flush();
    close();
  }

  private void close() {
    if (closed) {
      return;
    }
    closed = true;
    context.sessions().remove(this);
    context.counters().add(LoopGauge.CLIENTS, -1);
    if (cancelKey != null) {
      context.cluster().cancelKeys().revoke(cancelKey.processId());
    }
    framer.close();
    ByteBuf unsent = out;
    out = null;
    if (unsent != null) {
      unsent.release();
    }
    channel.close();
    extended.close();
    if (commit != null) {
      return; // goes on without its client; proceed() closes the links
    }
    step = null;
    links.close();
  }

  /** Whether the client is gone. */
  boolean isClosed() {
    return closed;
  }
}
