package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.shardmark.proxy.ddl.OwnTables;
import io.shardmark.proxy.ddl.OwnTablesStep;
import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.deadlock.TransactionDirectory.Backend;
import io.shardmark.proxy.deadlock.TransactionDirectory.OpenTransaction;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.NameScope;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.execution.Participants;
import io.shardmark.proxy.execution.Planner;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.LoopGauge;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import io.shardmark.proxy.routing.ParameterSource;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.RoutingView;
import io.shardmark.proxy.routing.SimpleStatement;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.scatter.Scatter;
import io.shardmark.proxy.settings.SearchPath;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One logged-in client. Takes its messages in order, one at a time: each is passed on, answered, or
 * held back until what it needs is there. Belongs to one event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes close their channel
public final class ClientSession extends ChannelInboundHandlerAdapter implements Execution {
  private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);

  /** Settings by which literals become values, or expressions others, when they are parsed. */
  private static final Set<String> LITERALS =
      Set.of(
          "timezone",
          "datestyle",
          "intervalstyle",
          "standard_conforming_strings",
          "transform_null_equals",
          "array_nulls",
          "xmloption",
          "lc_monetary");

  private final SessionContext context;
  private final Channel channel;
  private final String user;
  private final String database;
  private Map<String, String> startup;
  private final ClientMessages messages;
  private final ClientOutput output;
  private final ServerAnswers answers;
  private final Cancellation cancellation;
  private final OwnTables ownTables;
  private final TransactionEnd end;
  private final SessionWork work;
  private final StatementsUnderWay statements;
  private final Links links;
  private final Transaction transaction = new Transaction();
  private final Scatter scatter;
  private final ExtendedProtocol extended;
  private final SimpleQueries simple;
  private final RoutingView routingView = new View();

  private Settings firstSettings;
  private SettingsState settings;
  private final SearchPath searchPath;

  /** The settings of {@link #LITERALS}, and what they were taken from. */
  private Settings literals = Settings.NONE;

  private Settings literalsOf = Settings.NONE;
  private @Nullable CancelKey cancelKey;
  private final long openedNanos = System.nanoTime();
  private boolean proceeding;
  private boolean again;
  private boolean closed;
  private boolean draining;

  /** What has arrived has not been taken: nothing more is read from the client. */
  private boolean held;

  /** By hand, from SET shardmark.key or shardmark.shard; -1: none. */
  private int routedShard = -1;

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
    this.messages = new ClientMessages(this);
    this.output = new ClientOutput(channel, context.counters(), this::stopServers);
    this.scatter = new Scatter(this);
    this.answers = new ServerAnswers(this);
    this.cancellation = new Cancellation(this);
    this.ownTables =
        new OwnTables(transaction, context.planner(), context.texts(), context.shardCount());
    this.end = new TransactionEnd(this);
    this.work = new SessionWork(this);
    this.statements =
        new StatementsUnderWay(
            context.cluster().placementChanges(), new Cancellation.OfSession(this));
    this.links = new Links(this, context.pools().join(user));
    this.extended = new ExtendedProtocol(this);
    this.simple = new SimpleQueries(this);
    this.firstSettings = Settings.NONE;
    this.settings = SettingsState.of(firstSettings);
    this.searchPath = new SearchPath(user);
    this.startup = settings;
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
    messages.pause();
    work.begin(new WelcomeStep(this, startup, secretKeyBytes));
    startup = Map.of();
    proceed();
  }

  CancelKey issueCancelKey(int secretKeyBytes) {
    CancelKey key = context.cluster().cancelKeys().issue(secretKeyBytes, this);
    cancelKey = key;
    return key;
  }

  /** Ends the session, saying why. */
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

  @Override
  public Transaction transaction() {
    return transaction;
  }

  @Override
  public EventLoop loop() {
    return context.loop();
  }

  @Override
  public Participants participants() {
    return links;
  }

  @Override
  public Output output() {
    return output;
  }

  @Override
  public Settings settings() {
    return settings.inForce();
  }

  @Override
  public int shardCount() {
    return context.shardCount();
  }

  @Override
  public long memoryLimitBytes() {
    return context.config().limits().scatterMemoryBytes();
  }

  @Override
  public LoopCounters counters() {
    return context.counters();
  }

  /** Statements over several shards. */
  Scatter scatter() {
    return scatter;
  }

  /** What the client has set. */
  SettingsState settingsState() {
    return settings;
  }

  /** In a transaction it counts from its commit on. */
  void changeSettings(UnaryOperator<SettingsState> event) {
    SettingsState before = settings;
    SettingsState now = event.apply(before);
    SettingsState after = transaction.mode() == Mode.NONE ? now.committed() : now;
    settings =
        after.isSettled() && !after.equals(before)
            ? SettingsState.of(context.pools().known(after.base()))
            : after;
  }

  /** The settings that RESET goes back to. */
  Settings firstSettings() {
    return firstSettings;
  }

  /** The client begins with these. */
  void beginWith(Settings first) {
    firstSettings = context.pools().known(first);
    settings = SettingsState.of(firstSettings);
  }

  /** Schemas in which unqualified names are looked up now; the same object as long as they are. */
  List<String> searchPath() {
    return searchPath.of(settings.inForce(), planner().schemas());
  }

  /** What the client sends. */
  ClientMessages messages() {
    return messages;
  }

  /** Takes what servers answer. */
  ServerAnswers answers() {
    return answers;
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** Tables that the transaction has made or changed. */
  OwnTables ownTables() {
    return ownTables;
  }

  /** What names in statements stand for now. */
  @SuppressWarnings("ReferenceEquality") // the same object nearly always
  NameScope names() {
    Settings now = settings.inForce();
    if (now != literalsOf) {
      literalsOf = now;
      literals = now.only(LITERALS);
    }
    return new NameScope(ownTables.version(), searchPath(), literals);
  }

  @Override
  public StatementText text(String sql, int... typeOids) {
    return context.texts().of(sql, names(), typeOids);
  }

  /** The plan of now of a prepared statement. */
  PlannedStatement planned(StatementText text) {
    return ownTables.planned(text, searchPath());
  }

  /** Whether a prepared statement can be planned; if not, begins what makes it so. */
  boolean isReadFor(StatementText text) {
    if (!ownTables.isChanged() || !ownTables.mustRead(planned(text))) {
      return true;
    }
    work.begin(readingOwnTables());
    return false;
  }

  /** Reads the tables that the transaction has changed. */
  Step readingOwnTables() {
    return new OwnTablesStep(this, ownTables, context.cluster().catalogs());
  }

  /** Plans of now. */
  Planner planner() {
    return ownTables.planner();
  }

  /** The end of the transaction that there is. */
  TransactionEnd end() {
    return end;
  }

  SimpleQueries simple() {
    return simple;
  }

  /** Which statements may be under way. */
  StatementsUnderWay statements() {
    return statements;
  }

  /** What takes several turns. */
  SessionWork work() {
    return work;
  }

  @Nullable CancelKey cancelKey() {
    return cancelKey;
  }

  boolean isDraining() {
    return draining;
  }

  ExtendedProtocol extended() {
    return extended;
  }

  /** What routes depend on, at the moment of asking. */
  private final class View implements RoutingView {
    @Override
    public int shardByHand() {
      return routedShard;
    }

    @Override
    public int shardOfCursor(String name) {
      return scatter.cursors().shardOf(name);
    }
  }

  /** The shard that knows best what a statement means, before its parameters are known. */
  int describingShard(StatementPlan plan) {
    int shard = context.router().describingShard(plan, routingView);
    return shard >= 0 ? shard : links.lowestShard();
  }

  /** The route of an execution, which is the only one that it gets. */
  Route route(PlannedStatement statement, ParameterSource values) {
    return context.router().route(statement, routingView, values);
  }

  /** The same in the simple protocol. */
  Router.Routed route(SimpleStatement statement) {
    return context.router().route(statement, routingView);
  }

  ByteBufAllocator allocator() {
    return channel.alloc();
  }

  ByteBuf newBuffer() {
    return channel.alloc().buffer(16);
  }

  /**
   * A statement has an effect that only this server connection knows: neither outlives the other.
   */
  void pin(@Nullable ServerConnection server) {
    if (server != null) {
      server.keep();
    }
    if (!links.isPinned()) {
      links.pin();
      context.counters().count(LoopCounter.SESSIONS_PINNED);
    }
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

  void routeTo(int shard) {
    routedShard = shard;
  }

  String user() {
    return user;
  }

  String database() {
    return database;
  }

  /** How many server connections it holds. */
  public int serverCount() {
    return links.all().size();
  }

  /** For SHOW CLIENTS and SHOW TRANSACTIONS. On the event loop. */
  public SessionView view() {
    return SessionView.of(this, openedNanos);
  }

  /** The peer's address. */
  public String address() {
    return String.valueOf(channel.remoteAddress());
  }

  /** As ReadyForQuery would say. */
  TransactionStatus status() {
    return transaction.status();
  }

  /** Whether it is between transactions and statements. */
  public boolean isIdle() {
    return transaction.mode() == Mode.NONE && work.step() == null && links.isQuiet();
  }

  /** Whether it has begun what a pause waits for the end of. */
  public boolean isUnderWay() {
    return !isIdle() && !links.isHeldByPause() && (!links.isWaiting() || serverCount() > 0);
  }

  /** A pause is over. On the event loop. */
  public void resumed() {
    proceed();
  }

  // ---- messages of the client ----

  @Override
  public void channelRead(ChannelHandlerContext handler, Object message) {
    held |= messages.isPaused();
    ByteBuf bytes = (ByteBuf) message;
    context.counters().add(LoopCounter.CLIENT_BYTES_IN, bytes.readableBytes());
    try {
      messages.read(bytes);
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
    if (!held && !closed) {
      channel.read();
    }
  }

  @Override
  public void proceed() {
    if (proceeding) {
      again = true;
      return;
    }
    proceeding = true;
    try {
      do {
        again = false;
        work.run();
        Step step = work.step();
        if ((step == null || step.takesCopyData()) && messages.isPaused() && !closed) {
          messages.resume();
          if (!messages.isPaused() && held) {
            held = false;
            channel.read();
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
    if (draining && !closed && isIdle()) {
      // What ends in a step of ours, such as a commit over several shards, is answered by now.
      shutDown();
    }
    links.flush();
    flush();
    if (closed && work.commit() == null) {
      end.close();
      work.drop();
      links.close();
    }
  }

  // ---- what the client gets ----

  /** Where answers of the proxy's own go; everything asked before has been answered. */
  ByteBuf out() {
    return output.out();
  }

  /** Passes messages on that stand in a buffer. Borrows. */
  void forward(ByteBuf buffer, int start, int length) {
    output.forward(buffer, start, length);
  }

  /** Passes messages on. Takes ownership. */
  void write(ByteBuf messages) {
    output.write(messages);
  }

  void flush() {
    output.flush();
  }

  /** The client does not read: what servers answer has to wait. */
  private void stopServers() {
    if (!closed) {
      links.setReading(false);
    }
  }

  void readyForQuery() {
    BackendMessages.readyForQuery(out(), transaction.status());
    if (draining && isIdle() && links.active() == null) {
      shutDown();
    }
  }

  /** A statement fails with an error of the proxy's own; everything before it is answered. */
  void fail(ErrorFields fields) {
    links.forgetWaits();
    // A server's own error says in more fields where in its source it was raised.
    if (fields.sqlState().equals(SqlState.FEATURE_NOT_SUPPORTED) && fields.others().isEmpty()) {
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
      end.undoEarly();
    }
    if (simple.isRunning()) {
      simple.failed();
    } else {
      extended.failed();
      messages.skipToSync();
    }
  }

  // ---- the end ----

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext handler) {
    links.setReading(takesAnswers());
  }

  /** A closed channel counts as not writable, but what a commit is still told is for us. */
  private boolean takesAnswers() {
    return closed || channel.isWritable();
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
    context.loop().execute(cancellation::byClient);
  }

  /** The transaction of now, for the deadlock detector; empty outside of one. On the event loop. */
  public Optional<OpenTransaction> openTransaction() {
    return cancellation.openTransaction();
  }

  /**
   * Cancels what the transaction of that id waits for on that server process, because of a
   * deadlock. On the event loop.
   */
  public void cancelDeadlocked(long id, Backend backend, String detail) {
    cancellation.deadlocked(id, backend, detail);
  }

  /** Ends when nothing is under way any more. On the event loop. */
  public void drain() {
    draining = true;
    if (isIdle()) {
      shutDown();
    }
  }

  void shutDown() {
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
    flush();
    close();
  }

  void close() {
    if (closed) {
      return;
    }
    closed = true;
    context.sessions().remove(this);
    context.counters().add(LoopGauge.CLIENTS, -1);
    if (cancelKey != null) {
      context.cluster().cancelKeys().revoke(cancelKey.processId());
    }
    messages.close();
    answers.close();
    output.close();
    channel.close();
    scatter.transactionOver();
    extended.close();
    if (work.commit() != null) {
      links.setReading(true);
      return; // goes on without its client; proceed() closes the links
    }
    end.close();
    work.drop();
    links.close();
  }

  /** Whether the client is gone. */
  boolean isClosed() {
    return closed;
  }
}
