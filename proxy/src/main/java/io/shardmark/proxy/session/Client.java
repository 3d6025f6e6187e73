package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.shardmark.config.proxy.ScatterReads;
import io.shardmark.proxy.copy.CopySource;
import io.shardmark.proxy.ddl.OwnTables;
import io.shardmark.proxy.ddl.SchemaSteps;
import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.dialog.ClientDialog;
import io.shardmark.proxy.dialog.ClientDialog.Lifetime;
import io.shardmark.proxy.execution.ClientSettings;
import io.shardmark.proxy.execution.ClientStatements;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionPlanner;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.NameScope;
import io.shardmark.proxy.execution.SnapshotGate;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.EndMode;
import io.shardmark.proxy.local.LocalRows;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.pool.ServerUser;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.RoutingView;
import io.shardmark.proxy.routing.SimpleStatement;
import io.shardmark.proxy.scatter.Scatter;
import io.shardmark.proxy.settings.SearchPath;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.ParameterSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of one logged-in client: what it has set, prepared and begun, the server connections
 * that it holds, and the way to it. What works for the client knows this, and nothing above it.
 * Belongs to the client's event loop.
 */
final class Client implements Execution, RoutingView {
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
  private final ClientOwner owner;
  private final Runnable later;
  private final ClientOutput output;
  private final Transaction transaction = new Transaction();
  private final ClientSettings settings;
  private final ClientStatements statements = new ClientStatements();
  private final ClientDialog dialog = new ClientDialog();
  private final ClientPortals portals = new ClientPortals(this::shardOfDeclared);
  private final CopySource copies = new CopySource();
  private final SessionWork work;
  private final SessionParticipants participants;
  private final OwnTables ownTables;
  private final Scatter scatter;
  private final Cancellation cancellation;
  private final TransactionEnd end;
  private final Effects effects;
  private final StatementsUnderWay underWay;
  private final SearchPath searchPath;

  /** The settings of {@link #LITERALS}, and what they were taken from. */
  private Settings literals = Settings.NONE;

  private Settings literalsOf = Settings.NONE;
  private @Nullable CancelKey cancelKey;

  /** The statement for which the catalogs were read last. */
  private @Nullable PipelinePlace readFor;

  /** By hand, from SET shardmark.key or shardmark.shard; -1: none. */
  private int routedShard = -1;

  /** The session that makes the client's messages into work. */
  interface ClientOwner {
    /** Takes what servers answer. */
    ServerUser answers();

    /** Something has changed that the session may have waited for. */
    void proceed();

    /** A statement has failed with an error of the proxy's own. */
    void fail(ErrorFields error);

    /**
     * A server has failed a forwarded statement.
     *
     * @param untilSync it skips what follows until Sync
     */
    void serverFailed(boolean untilSync);

    /** Ends the session, saying why. */
    void refuse(ErrorFields error);

    /** Ends the session. */
    void close();
  }

  Client(SessionContext context, Channel channel, String user, String database, ClientOwner owner) {
    this.context = context;
    this.channel = channel;
    this.user = user;
    this.database = database;
    this.owner = owner;
    this.later = owner::proceed;
    this.output = new ClientOutput(channel, context.counters(), this::stopServers);
    this.settings = new ClientSettings(transaction, context.pools()::known);
    this.work = new SessionWork(owner::fail);
    this.participants =
        new SessionParticipants(
            this,
            context.pools().join(user),
            context.standbyPools().map(pools -> pools.join(user)).orElse(List.of()));
    this.ownTables =
        new OwnTables(transaction, context.planner(), context.texts(), context.shardCount());
    this.scatter = new Scatter(this);
    this.cancellation = new Cancellation(this);
    this.end = new TransactionEnd(this);
    this.effects = new Effects(participants, scatter.cursors(), statements);
    this.underWay = new StatementsUnderWay(context.cluster().placementChanges(), cancellation);
    this.searchPath = new SearchPath(user);
  }

  // ---- what a route's execution may use ----

  @Override
  public EventLoop loop() {
    return context.loop();
  }

  @Override
  public void proceed() {
    owner.proceed();
  }

  /** The same, but not inside of what has made it possible. */
  void proceedLater() {
    context.loop().execute(later);
  }

  @Override
  public SessionParticipants participants() {
    return participants;
  }

  @Override
  public ClientOutput output() {
    return output;
  }

  @Override
  public Transaction transaction() {
    return transaction;
  }

  @Override
  public Optional<SnapshotGate> gateForReads() {
    boolean hasSnapshot =
        transaction.mode() != EndMode.NONE && transaction.needsOneSnapshot(settings.base());
    if (hasSnapshot || context.config().scatterReads() == ScatterReads.FAST) {
      return Optional.empty();
    }
    participants.readPrimaries();
    return Optional.of(context.gate());
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

  @Override
  public StatementText text(String sql, int... typeOids) {
    return context.texts().of(sql, names(), typeOids);
  }

  // ---- its parts ----

  SessionContext context() {
    return context;
  }

  ClientOwner owner() {
    return owner;
  }

  /** What it has set. */
  ClientSettings clientSettings() {
    return settings;
  }

  /** Its prepared statements. */
  ClientStatements statements() {
    return statements;
  }

  /** What it is in the middle of. */
  ClientDialog dialog() {
    return dialog;
  }

  /** The portals that it can name. */
  ClientPortals portals() {
    return portals;
  }

  /** Where its CopyData go. */
  CopySource copies() {
    return copies;
  }

  /** What takes several turns. */
  SessionWork work() {
    return work;
  }

  /** Tables that the transaction has made or changed. */
  OwnTables ownTables() {
    return ownTables;
  }

  /** Statements over several shards. */
  Scatter scatter() {
    return scatter;
  }

  /** Rows that the proxy itself gives. */
  LocalRows localRows() {
    return new LocalRows(output, context.cluster().proxyRows(), scatter.cursors()::fields);
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** The end of the transaction that there is. */
  TransactionEnd end() {
    return end;
  }

  /** The effects of statements that are passed on. */
  Effects effects() {
    return effects;
  }

  /** Which statements may be under way. */
  StatementsUnderWay underWay() {
    return underWay;
  }

  String user() {
    return user;
  }

  String database() {
    return database;
  }

  /** The peer's address. */
  String address() {
    return String.valueOf(channel.remoteAddress());
  }

  @Nullable CancelKey cancelKey() {
    return cancelKey;
  }

  CancelKey issueCancelKey(int secretKeyBytes, int preferredProcessId) {
    CancelKey key =
        context
            .cluster()
            .cancelKeys()
            .issue(
                secretKeyBytes,
                preferredProcessId,
                done -> context.loop().execute(() -> cancellation.byClient(done)));
    cancelKey = key;
    return key;
  }

  /** Whether it is between transactions and statements. */
  boolean isIdle() {
    return transaction.mode() == EndMode.NONE && work.step() == null && participants.isQuiet();
  }

  // ---- what names in its statements mean ----

  /** Schemas in which unqualified names are looked up now; the same object as long as they are. */
  List<String> searchPath() {
    return searchPath.of(settings.inForce(), planner().schemas());
  }

  /** What names in statements mean now. */
  @SuppressWarnings("ReferenceEquality") // the same object nearly always
  NameScope names() {
    Settings now = settings.inForce();
    if (now != literalsOf) {
      literalsOf = now;
      literals = context.pools().known(now.only(LITERALS));
    }
    return new NameScope(ownTables.version(), searchPath(), literals);
  }

  /** The current plans. */
  ExecutionPlanner planner() {
    return ownTables.planner();
  }

  /** The current plan of a prepared statement. */
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

  /**
   * Whether an execution on that way can begin: not before the catalogs are as new as the
   * statement, if they lack what it names. If not, begins what makes it so.
   *
   * @param route null at a Parse
   */
  boolean isReadFor(PlannedStatement statement, @Nullable Route route) {
    if (!statement.mayBePlannedTooEarly(route)) {
      return true;
    }
    PipelinePlace place = new PipelinePlace(dialog.pipeline(), statement.sql());
    if (place.equals(readFor)) {
      return true;
    }
    if (participants.drained()) {
      readFor = place;
      work.begin(readingCatalogs());
    }
    return false;
  }

  /** Reads what has been committed, and what the transaction itself has changed. */
  ExecutionStep readingCatalogs() {
    return SchemaSteps.reading(this, context.cluster().catalogs())
        .then(() -> ownTables.isChanged() ? readingOwnTables() : ExecutionStep.DONE);
  }

  /** A statement of the extended protocol in its pipeline. */
  private record PipelinePlace(long pipeline, String sql) {}

  /**
   * Whether a server may parse it for a description; if not, begins what must be first. In a
   * transaction block that locks the table there: of two writers, described on two shards, each
   * would hold what {@link Scatter#lockCopies} of the other waits for.
   */
  boolean isLockedFor(PlannedStatement planned) {
    List<TableName> tables = planned.lockedCopies();
    boolean apart = shardCount() == 1 || transaction.mode() == EndMode.NONE;
    if (apart || transaction.hasLockedCopies(tables)) {
      return true;
    }
    if (participants.drained()) {
      work.begin(scatter.lockCopies(tables).thenDo(() -> transaction.lockedCopies(tables)));
    }
    return false;
  }

  /** Reads the tables that the transaction has changed. */
  ExecutionStep readingOwnTables() {
    return SchemaSteps.readingOwn(this, ownTables, context.cluster().catalogs());
  }

  // ---- where its statements go ----

  @Override
  public int shardByHand() {
    return routedShard;
  }

  @Override
  public int shardOfCursor(String name) {
    return scatter.cursors().shardOf(name);
  }

  /** The shard whose server has a portal that DECLARE made; with one shard it alone knows. */
  private int shardOfDeclared(String name) {
    if (shardCount() > 1) {
      return shardOfCursor(name);
    }
    return isIdle() && !participants.isPinned() ? UNKNOWN : 0;
  }

  void routeTo(int shard) {
    routedShard = shard;
  }

  /** The shard that knows best what a statement means, before its parameters are known. */
  int describingShard(PlannedStatement statement) {
    int shard = context.router().describingShard(statement, this);
    return shard >= 0 ? shard : participants.lowestShard();
  }

  /** The route of an execution, which is the only one that it gets. */
  Route route(PlannedStatement statement, ParameterSource values) {
    return allowed(context.router().route(statement, this, values));
  }

  /** The same in the simple protocol. */
  Router.Routed route(SimpleStatement statement) {
    Router.Routed routed = context.router().route(statement, this);
    allowed(routed.route());
    return routed;
  }

  /**
   * Another client may have called nextval on the connection that the statement would get; and
   * PREPARE in SQL gives names among those of the protocol.
   */
  private Route allowed(Route route) {
    if (route instanceof Route.Forwarded forwarded
        && forwarded.use().readsSequences()
        && transaction().mode() == EndMode.NONE
        && !participants.keeps()) {
      throw new StatementException(
          ErrorFields.error(
                  SqlState.FEATURE_NOT_SUPPORTED,
                  "currval() and lastval() outside of a transaction may return another client's"
                      + " value")
              .withHint("Use RETURNING, or call nextval() in the same transaction."));
    }
    if (route instanceof Route.Forwarded forwarded && forwarded.use().prepares() != null) {
      statements.refuseTaken(forwarded.use().prepares());
    }
    return route;
  }

  // ---- what it gets ----

  /** Where answers of the proxy's own go; everything asked before has been answered. */
  ByteBuf out() {
    return output.out();
  }

  /** It does not read: what servers answer has to wait. */
  private void stopServers() {
    if (!output.isClosed()) {
      participants.setReading(false);
    }
  }

  void readyForQuery() {
    output.sendReports();
    dialog.ready();
    BackendMessages.readyForQuery(out(), transaction.status());
    if (dialog.lifetime() == Lifetime.DRAINING && isIdle() && participants.active() == null) {
      shutDown();
    }
  }

  /** Ends the session because the proxy ends. */
  void shutDown() {
    owner.refuse(ErrorFields.fatal(SqlState.ADMIN_SHUTDOWN, "the proxy is shutting down"));
  }
}
