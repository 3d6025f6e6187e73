package io.shardmark.proxy.session;

import io.shardmark.config.proxy.CrossShardIsolation;
import io.shardmark.config.proxy.PoolConfig.PoolMode;
import io.shardmark.config.proxy.StandbyReads;
import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.execution.Participants;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.Acquire;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.PoolWaiter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.pool.ShardPool;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.shardmap.Schemas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server connections of one client: borrowed when a statement needs them, given back when
 * nothing of the client is left on them.
 */
final class SessionParticipants implements Participants {
  private final Client client;

  /** By shard, as in {@code standbyPools}: they grow when one more counts. */
  private final List<ShardPool> pools;

  private final List<ShardPool> standbyPools;

  /** Where messages go at present; also in {@code held}. */
  private @Nullable ServerConnection active;

  /** By shard; made when first needed. */
  private @Nullable ServerConnection @Nullable [] held;

  /** How many of them there are. */
  private int holding;

  /** For one at a time: those who need several ask for one after the other. */
  private @Nullable Wait waiting;

  private final Refusal refusal = new Refusal();
  private final Joining joining;
  private final CommonSnapshot snapshot;

  private Tie tie = Tie.NONE;

  /**
   * The shard whose pause holds a statement that needs no other connection, or {@link #NO_SHARD}.
   */
  private int pausedShard = NO_SHARD;

  /** When the client's last write may have been committed. */
  private long wroteNanos;

  /**
   * Number of the transaction that reads several shards as of one time, or that got a standby too
   * late, or 0.
   */
  private long readsPrimaries;

  /** Of the shard map: the standbys that the transaction has begun on show its tables. */
  private long mapShown;

  /**
   * @param standbyPools by shard; none if no shard has standbys
   */
  SessionParticipants(Client client, List<ShardPool> pools, List<ShardPool> standbyPools) {
    this.client = client;
    this.joining = new Joining(client.clientSettings(), client.transaction(), refusal);
    this.snapshot = new CommonSnapshot(client.context().gate(), joining, client::proceed);
    this.pools = pools;
    this.standbyPools = standbyPools;
    this.wroteNanos = client.context().startNanos();
  }

  private static final int NO_SHARD = -1;

  /** Whether the client keeps its connections because of what is left on one of them. */
  private enum Tie {
    NONE,
    /** Until its transaction is rolled back: that undoes it. */
    UNLESS_ROLLED_BACK,
    /** Until the client leaves. */
    LASTING
  }

  private final class Wait implements PoolWaiter {
    private final int shard;
    private final ShardPool pool;

    Wait(ShardPool pool) {
      this.shard = pool.shard();
      this.pool = pool;
    }

    @Override
    public void granted(ServerConnection server) {
      waiting = null;
      pool.take(server, client.owner().answers());
      hold(server);
      client.proceedLater();
    }

    @Override
    public @Nullable Object holder() {
      // One that keeps its connections may do so for ever.
      return held == null || keeps() || all().isEmpty() ? null : client;
    }

    @Override
    public boolean suits(ServerConnection server) {
      Set<String> custom = server.dialog().customParameters();
      return custom.isEmpty() || client.clientSettings().custom().containsAll(custom);
    }

    @Override
    public void refused(ErrorFields error) {
      if (!equals(waiting)) {
        return; // given up meanwhile
      }
      waiting = null;
      if (pool == pools.get(shard) || !pool.isBackingOff()) {
        refusal.by(shard, error);
      } // else the primary is asked instead of its standby
      client.proceedLater();
    }
  }

  @Nullable ServerConnection active() {
    return active;
  }

  @Override
  public @Nullable ServerConnection held(int shard) {
    return held == null || shard >= held.length ? null : held[shard];
  }

  /** All that are held, by shard. */
  @Override
  public List<ServerConnection> all() {
    List<ServerConnection> all = new ArrayList<>(pools.size());
    if (held != null) {
      for (ServerConnection server : held) {
        if (server != null) {
          all.add(server);
        }
      }
    }
    return all;
  }

  /** Those that the transaction has begun on. */
  @Override
  public List<ServerConnection> enlisted() {
    List<ServerConnection> all = all();
    all.removeIf(server -> !server.dialog().isEnlisted());
    return all;
  }

  boolean isWaiting() {
    return isHeldByPause() || waiting != null || snapshot.isAwaited();
  }

  /** The shard that a connection to is waited for, or -1. */
  int waitsFor() {
    return waiting == null ? NO_SHARD : waiting.shard;
  }

  /** Whether it keeps what it needs, and waits for the end of a pause. */
  boolean isHeldByPause() {
    return pausedShard != NO_SHARD;
  }

  /** Whether nothing that it sent is under way; it may keep its connections. */
  boolean isQuiet() {
    return active == null || active.isQuiet();
  }

  /**
   * Something is left on that connection which it alone knows: neither outlives the other. All are
   * kept until the client leaves.
   */
  void pin(ServerConnection server) {
    server.dialog().keep();
    pinLastingly();
  }

  /** The same, but for a rollback of the transaction. */
  void pinUnlessRolledBack(ServerConnection server) {
    server.dialog().keep();
    if (tie == Tie.NONE) {
      tie = Tie.UNLESS_ROLLED_BACK;
    }
  }

  private void pinLastingly() {
    if (tie != Tie.LASTING) {
      tie = Tie.LASTING;
      client.context().counters().count(LoopCounter.SESSIONS_PINNED);
    }
  }

  /** Whether that connection is kept whatever becomes of the transaction. */
  boolean isPinnedBy(ServerConnection server) {
    return tie == Tie.LASTING && server.dialog().isKept();
  }

  /** The transaction is over, or what stood for one up to ReadyForQuery. */
  void transactionOver(boolean committed) {
    if (tie != Tie.UNLESS_ROLLED_BACK) {
      return;
    }
    if (committed) {
      pinLastingly();
    } else {
      tie = Tie.NONE;
      all().forEach(server -> server.dialog().keepNothing());
    }
  }

  @Override
  public boolean isPinned() {
    return tie != Tie.NONE;
  }

  /** Whether all that was asked has been answered; asks for what a server may hold back. */
  boolean drained() {
    return active == null || hasAnswered(active);
  }

  /** Whether it has answered all; if not, it is asked for what it may hold back. */
  private static boolean hasAnswered(ServerConnection server) {
    if (server.hasAnswered()) {
      return true;
    }
    if (server.dialog().isUnsynced()) {
      FrontendMessages.flush(server.out());
    }
    server.flush();
    return false;
  }

  /**
   * The connection to that shard, ready for the next message: logged in, with the client's
   * settings, inside the transaction.
   *
   * @return null if it is not there yet; the session goes on when it may be
   * @throws StatementException if there will be none
   */
  @Override
  public @Nullable ServerConnection require(int shard) {
    pausedShard = NO_SHARD;
    refusal.forgetUnless(shard); // what any shard can answer is asked of another one now
    ServerConnection now = active;
    if (now != null && now.shard() == shard) {
      return mayBegin(now) ? prepared(now) : null;
    }
    if (now != null && !leave(now)) {
      return null;
    }
    ServerConnection other = borrowed(shard);
    if (other == null) {
      return null;
    }
    active = other;
    return prepared(other);
  }

  /**
   * A shard for what any can answer, instead of the next in turn: not one that cannot be reached if
   * there are others.
   */
  int reachable(int next) {
    int shard = next;
    for (int tried = 0; tried < pools.size() && pools.get(shard).isFailing(); tried++) {
      shard = shard + 1 == pools.size() ? 0 : shard + 1;
    }
    return pools.get(shard).isFailing() ? refusal.shardOr(shard) : shard;
  }

  /** A shard for what any can answer: where the client already is, else each in turn. */
  @Override
  public int anyShard() {
    int near = nearShard();
    return near < 0 ? reachable(client.context().anyShard()) : near;
  }

  @Override
  public int firstShard() {
    return reachable(0);
  }

  /**
   * The same for a statement that may need others after it: those are waited for in ascending
   * order, so it begins with the first.
   */
  int lowestShard() {
    int near = nearShard();
    return near < 0 ? reachable(0) : near;
  }

  /** Where the client already is, waits to be, or has chosen to be; or -1. */
  private int nearShard() {
    ServerConnection now = active;
    if (now != null) {
      return now.shard();
    }
    for (int shard = 0; held != null && shard < held.length; shard++) {
      if (held[shard] != null) {
        return shard;
      }
    }
    int waited = waitsFor();
    int busy = waited >= 0 ? waited : refusedByBusyShard();
    return busy >= 0 ? busy : client.shardByHand();
  }

  /** The shard that has no connection for the statement in time, or -1: that is its answer. */
  private int refusedByBusyShard() {
    int shard = refusal.shardOr(-1);
    return shard >= 0 && !pools.get(shard).isFailing() ? shard : -1;
  }

  /**
   * Several at once, for what runs on them in parallel; none of them is active afterwards. Waits
   * for one after the other in their order, so that those who do the same never wait in a circle.
   *
   * @param shards ascending
   */
  @Override
  public boolean requireAll(List<Integer> shards) {
    pausedShard = NO_SHARD;
    ServerConnection now = active;
    if (now != null && !leave(now)) {
      return false;
    }
    boolean all = true;
    for (int shard : shards) {
      ServerConnection server = borrowed(shard);
      if (server == null) {
        return false;
      }
      all &= prepared(server) != null;
      if (snapshot.isBeingTaken()) {
        return false; // whose waits are the ones that count
      }
    }
    return all;
  }

  /** Lets go of the active one, if everything has been answered; else hurries that up. */
  private boolean leave(ServerConnection now) {
    Transaction transaction = client.transaction();
    if (transaction.mode() == Transaction.EndMode.NONE) {
      if (now.dialog().isUnsynced()) {
        if (now.dialog().isSkippingToSync()) {
          return false;
        }
        if (client.dialog().holdsNothing()) {
          now.sync(AnswerHandler.SWALLOW);
        } else {
          if (drained()) {
            joining.beginForPipeline(now);
          }
          return false;
        }
      }
      if (!now.hasAnswered()) {
        now.flush();
        return false;
      }
      active = null;
      if (!keeps()) {
        giveBack(now);
      }
      return true;
    }
    if (now.dialog().isUnsynced()) {
      now.sync(AnswerHandler.SWALLOW);
    }
    if (!now.hasAnswered()) {
      now.flush();
      return false;
    }
    active = null;
    return true;
  }

  /**
   * Whether there is a transaction; makes one, if there is none, of what a pipeline has executed
   * and of what follows until its Sync.
   *
   * @return false if the server has to answer first
   */
  @Override
  public boolean inTransaction() {
    if (client.transaction().mode() != Transaction.EndMode.NONE) {
      return true;
    }
    if (!drained()) {
      return false;
    }
    ServerConnection server = active;
    if (server == null || !server.dialog().isUnsynced()) {
      client.transaction().begin(Transaction.EndMode.IMPLICIT, List.of());
      return true;
    }
    if (server.dialog().isSkippingToSync()) {
      return false;
    }
    if (client.dialog().holdsNothing()) {
      // It has parsed and described only: the transaction begins after that, with its own snapshot.
      server.sync(AnswerHandler.SWALLOW);
      server.flush();
    } else {
      joining.beginForPipeline(server);
    }
    return false;
  }

  /** A pause stops those too who need not ask the pool, until it is over or they are cancelled. */
  private boolean mayBegin(ServerConnection server) {
    boolean holds =
        pools.get(server.shard()).isPaused() && keeps() && server.isQuiet() && enlisted().isEmpty();
    pausedShard = holds ? server.shard() : NO_SHARD;
    if (holds) {
      refusal.throwTo(server.shard());
    }
    return !holds;
  }

  /** Whether it has the server connections for itself. */
  boolean keeps() {
    return isPinned() || client.context().config().pool().mode() == PoolMode.SESSION;
  }

  private @Nullable ServerConnection borrowed(int shard) {
    ServerConnection other = held(shard);
    if (other == null) {
      other = acquired(shard);
    } else if (!mayBegin(other)) {
      return null;
    }
    if (other == null || !isTooFarBack(other)) {
      return other;
    }
    giveBack(other);
    readsPrimaries = client.transaction().number();
    return acquired(shard);
  }

  /**
   * Whether nothing can begin on a standby: its age passed the limit while the client waited for
   * it, or another is read from.
   */
  private boolean isTooFarBack(ServerConnection server) {
    return server.isStandby() && !server.dialog().isEnlisted() && !standbyShows(server, lagLimit());
  }

  private long lagLimit() {
    return client.context().config().standbyReads().lagLimit().toNanos();
  }

  private boolean standbyShows(ServerConnection server, long limitNanos) {
    return client
        .context()
        .cluster()
        .standbys()
        .show(server.shard(), server.host(), wroteNanos, limitNanos);
  }

  /**
   * Rows may have moved since the transaction has begun on standbys: one that has not replayed that
   * would show those that are elsewhere by now, or lack those that are there.
   *
   * @throws StatementException if one has not
   */
  private void requireMapOnStandbys() {
    long version = client.context().planner().version();
    if (standbyPools.isEmpty() || version == mapShown) {
      return;
    }
    for (ServerConnection server : enlisted()) {
      if (server.isStandby() && !standbyShows(server, Long.MAX_VALUE)) {
        throw new StatementException(StatementsUnderWay.MOVED);
      }
    }
    mapShown = version;
  }

  private @Nullable ServerConnection acquired(int shard) {
    refusal.throwTo(shard);
    if (waitsFor() == shard) {
      return null;
    }
    giveUpWaits(); // only the last one that a statement asks for is of use to it
    ShardPool pool = readsStandby(shard) ? standbyPools.get(shard) : pools.get(shard);
    Wait wait = new Wait(pool);
    Acquire answer = pool.acquire(wait, client.owner().answers(), client.clientSettings().base());
    if (answer instanceof Acquire.Ready ready) {
      hold(ready.server());
      return ready.server();
    }
    if (answer instanceof Acquire.Refused refused) {
      throw new StatementException(refused.error());
    }
    waiting = wait;
    return null;
  }

  /**
   * Whether the transaction can begin on a standby of the shard: it only reads, and the standby
   * shows what the client has written, and the tables of the present shard map.
   */
  private boolean readsStandby(int shard) {
    StandbyReads.ReadSource source = client.context().config().standbyReads().source();
    return source != StandbyReads.ReadSource.PRIMARY
        && !standbyPools.isEmpty()
        && !keeps()
        && readsPrimaries != client.transaction().number()
        && client.transaction().mayReadElsewhere(client.clientSettings().base())
        && (source == StandbyReads.ReadSource.STANDBY || client.context().isStandbysTurn())
        && client.context().cluster().standbys().show(shard, null, wroteNanos, lagLimit())
        && !standbyPools.get(shard).isBackingOff();
  }

  /**
   * The transaction reads several shards as of one time, which standbys cannot.
   *
   * @throws StatementException if it has begun on one
   */
  void readPrimaries() {
    if (standbyPools.isEmpty()) {
      return;
    }
    if (enlisted().stream().anyMatch(ServerConnection::isStandby)) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a transaction that reads from a standby cannot read several shards as of one time",
          "Begin the transaction with this statement, or set scatter_reads: fast.");
    }
    readsPrimaries = client.transaction().number();
  }

  /** The transaction is over on all servers, or what stood for one up to ReadyForQuery. */
  void leaveTransaction() {
    all().forEach(this::leaveTransaction);
  }

  private void leaveTransaction(ServerConnection server) {
    if (server.dialog().hasWritten()) {
      wroteNanos = System.nanoTime();
    }
    server.dialog().released();
  }

  /** The client's commit has ended later than its connections were given back. */
  void hasWrittenNow() {
    wroteNanos = System.nanoTime();
  }

  private void hold(ServerConnection server) {
    if (held == null) {
      held = new ServerConnection[pools.size()];
    } else if (held.length < pools.size()) {
      held = Arrays.copyOf(held, pools.size());
    }
    held[server.shard()] = server;
    if (holding++ == 0) {
      client.context().counters().add(LoopCounter.CLIENTS_ACTIVE, 1);
    }
  }

  private void drop(ServerConnection server) {
    if (held != null && held(server.shard()) == server) {
      held[server.shard()] = null;
      if (--holding == 0) {
        client.context().counters().add(LoopCounter.CLIENTS_ACTIVE, -1);
      }
    }
    if (active == server) {
      active = null;
    }
  }

  private @Nullable ServerConnection prepared(ServerConnection server) {
    requireMapOnStandbys();
    if (!server.dialog().isEnlisted()
        && !server.dialog().isUnsynced()
        && !joining.hasSettings(server)) {
      return null;
    }
    if (server.dialog().awaitsBegin()) {
      server.flush();
      return null;
    }
    if (snapshot.isAsked() && !snapshot.isTaken()) {
      return null;
    }
    refusal.throwTo(server.shard());
    Transaction transaction = client.transaction();
    // One that has failed for good has nothing to begin anew: servers are asked apart from it.
    if (transaction.mode() != Transaction.EndMode.NONE
        && !server.dialog().isEnlisted()
        && !transaction.isFailedForGood()) {
      if (!hasAnswered(server)) {
        return null; // what it answered to a Sync before the BEGIN would pass for an end of it
      }
      CrossShardIsolation configured = client.context().config().crossShardIsolation();
      if (configured == CrossShardIsolation.SNAPSHOT && !takeSnapshot(server.shard())) {
        return null;
      }
      if (server.dialog().isEnlisted()) {
        return server;
      }
      boolean refuses =
          configured != CrossShardIsolation.PER_SHARD && transaction.snapshot().isEmpty();
      if (refuses && holding > 1 && joining.needsOneSnapshot() && !enlisted().isEmpty()) {
        throw joining.noSecondShard(configured);
      }
      return joining.begin(server) ? server : null;
    }
    return server;
  }

  /**
   * Takes the snapshot of the transaction on all shards that can be reached, if it is to have one
   * in common and has none yet.
   *
   * @param wanted the shard that is needed now
   * @return false if something has to be there first
   */
  private boolean takeSnapshot(int wanted) {
    if (!joining.mayShareSnapshot() || client.shardByHand() >= 0) {
      return true;
    }
    if (!snapshot.isBeingTaken()) {
      if (!enlisted().isEmpty()) {
        return true; // it has one already, or has begun where there was none to be shared
      }
      joining.refuseDump();
      snapshot.begin();
    }
    if (!snapshot.isAsked()) {
      List<ServerConnection> servers = new ArrayList<>();
      for (int shard = 0; shard < pools.size(); shard++) {
        if (shard != wanted && held(shard) == null && pools.get(shard).isFailing()) {
          continue;
        }
        ServerConnection server = borrowed(shard);
        if (server == null || !joining.hasSettings(server) || !hasAnswered(server)) {
          return false;
        }
        servers.add(server);
      }
      snapshot.takeOn(servers);
    }
    return snapshot.isTaken();
  }

  /** The transaction is over everywhere: gives everything back. */
  void releaseAll() {
    active = null;
    release(false);
  }

  /** The same of those that nothing is under way on: no transaction is open. */
  void releaseQuiet() {
    release(true);
  }

  private void release(boolean onlyQuiet) {
    boolean keeps = keeps();
    for (int shard = 0; held != null && holding > 0 && shard < held.length; shard++) {
      ServerConnection server = held[shard];
      if (server == null || (onlyQuiet && !server.isQuiet())) {
        continue;
      }
      if (keeps) {
        leaveTransaction(server);
      } else {
        giveBack(server);
      }
    }
  }

  private ShardPool poolOf(ServerConnection server) {
    boolean standby = !standbyPools.isEmpty() && server.isStandby();
    return (standby ? standbyPools : pools).get(server.shard());
  }

  private void giveBack(ServerConnection server) {
    Schemas schemas = client.planner().schemas();
    if (schemas.mayHaveSet(server.dialog().hasWritten())) {
      server.dialog().mayHaveSet(schemas.parametersSet());
    }
    drop(server);
    leaveTransaction(server);
    poolOf(server).release(server, client.clientSettings()::mayExist);
  }

  /** The connection is gone. */
  void lost(ServerConnection server) {
    drop(server);
  }

  /** Gives up waiting; the statement that waits fails with this. */
  void cancelWaits(ErrorFields error) {
    if (!isWaiting()) {
      return;
    }
    snapshot.giveUp();
    giveUpWaits();
    refusal.byAll(error);
  }

  /** The statement that waited has failed: nothing is waited for any more. */
  void forgetWaits() {
    snapshot.giveUp();
    giveUpWaits();
    pausedShard = NO_SHARD;
    refusal.forget();
  }

  private void giveUpWaits() {
    Wait given = waiting;
    if (given != null) {
      waiting = null;
      given.pool.giveUp(given);
    }
  }

  /** The client is gone. */
  void close() {
    forgetWaits();
    for (ServerConnection server : all()) {
      if (!server.hasAnswered()) {
        server.cancelQuery();
      }
      if (isPinned() || server.dialog().isEnlisted() || !server.isQuiet()) {
        server.dialog().spoil();
      }
      giveBack(server);
    }
    client.context().allPools().forEach(pools -> pools.leave(client.user()));
  }

  void setReading(boolean reading) {
    if (held != null) {
      for (ServerConnection server : held) {
        if (server != null) {
          server.setReading(reading);
        }
      }
    }
  }

  /** Whether the server that messages go to at present takes more of them. */
  boolean takesMore() {
    return active == null || active.takesMore();
  }

  void flush() {
    if (active != null) {
      active.flush();
    }
  }
}
