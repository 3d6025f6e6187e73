package io.shardmark.proxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.LoopTimer;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.metrics.ShardGauge;
import io.shardmark.proxy.pool.login.LoggedInServer;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one shard as one user. Free ones are handed out last in,
 * first out, so that some stay warm and others grow old; waiting clients are served first come,
 * first served.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the loop ends with the process
public final class ShardPool {
  private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long SWEEP_MILLIS = 50;

  private final EventLoop loop;
  private final int shard;
  private final String shardName;
  private final String user;
  private final ServerConnector connector;
  private final LoopCounters counters;
  private PoolLimits limits;

  private final ArrayDeque<ServerConnection> idle = new ArrayDeque<>();
  private final Set<ServerConnection> open = new LinkedHashSet<>();
  private final Map<PoolWaiter, Long> waiters = new LinkedHashMap<>();
  private int connecting;
  private boolean paused;
  private boolean closed;
  private boolean sweeping;
  private int shownIdle;
  private int shownActive;
  private int shownConnecting;
  private int shownWaiting;
  private long backoffNanos;
  private long notBeforeNanos;
  private @Nullable ErrorFields lastFailure;

  ShardPool(LoopPools.Place place, int shard, String user, PoolLimits limits) {
    this.loop = place.loop();
    this.connector = place.connector();
    this.counters = place.counters();
    this.shardName = place.shardNames().get(shard);
    this.shard = shard;
    this.user = user;
    this.limits = limits;
  }

  public int shard() {
    return shard;
  }

  public String user() {
    return user;
  }

  public int idleCount() {
    return idle.size();
  }

  public int openCount() {
    return open.size();
  }

  public int connectingCount() {
    return connecting;
  }

  public int waitingCount() {
    return waiters.size();
  }

  /** All connections; a copy. */
  public List<ServerConnection> servers() {
    return List.copyOf(open);
  }

  int preparedLimit() {
    return limits.preparedStatements();
  }

  ServerConnector connector() {
    return connector;
  }

  void countBytes(ShardCounter direction, int bytes) {
    counters.add(shard, direction, bytes);
  }

  void countPrepare() {
    counters.count(shard, ShardCounter.SERVER_PREPARES);
  }

  void setLimits(PoolLimits limits) {
    this.limits = limits;
  }

  /**
   * A connection at once, or null: the waiter is told later.
   *
   * @param wanted settings that it should have if there is a choice
   */
  public @Nullable ServerConnection acquire(
      PoolWaiter waiter, ServerUser holder, SessionSettings wanted) {
    if (waiters.isEmpty() && !paused) {
      ServerConnection server = takeIdle(wanted);
      if (server != null) {
        server.take(holder);
        showGauges();
        return server;
      }
    }
    enqueue(waiter);
    return null;
  }

  private @Nullable ServerConnection takeIdle(SessionSettings wanted) {
    ServerConnection latest = idle.peekLast();
    if (latest == null || latest.settings().is(wanted)) {
      return idle.pollLast();
    }
    for (Iterator<ServerConnection> i = idle.descendingIterator(); i.hasNext(); ) {
      ServerConnection server = i.next();
      if (server.settings().is(wanted)) {
        i.remove();
        return server;
      }
    }
    return idle.pollLast();
  }

  private void enqueue(PoolWaiter waiter) {
    if (waiters.size() >= limits.queue()) {
      loop.execute(
          () ->
              waiter.refused(
                  ErrorFields.error(
                      SqlState.TOO_MANY_CONNECTIONS,
                      "too many clients wait for a connection to shard " + shardName)));
      return;
    }
    counters.count(shard, ShardCounter.POOL_WAITS);
    waiters.put(waiter, System.nanoTime());
    connectIfNeeded();
    startSweep();
    showGauges();
  }

  /** The waiter gives up; it will not be told anything. False if it does not wait. */
  public boolean giveUp(PoolWaiter waiter) {
    boolean waited = waiters.remove(waiter) != null;
    showGauges();
    return waited;
  }

  private void connectIfNeeded() {
    int wanted = Math.min(waiters.size() - idle.size(), limits.size());
    while (!closed
        && connecting < wanted
        && open.size() + connecting < limits.size()
        && mayConnect()) {
      connecting++;
      connector.connect(loop, shard, user, new Connecting());
    }
  }

  /** While a shard is down, one attempt at a time, each later than the one before. */
  private boolean mayConnect() {
    if (lastFailure == null) {
      return true;
    }
    if (connecting > 0) {
      return false;
    }
    long wait = notBeforeNanos - System.nanoTime();
    if (wait <= 0) {
      return true;
    }
    if (open.isEmpty()) {
      ErrorFields failure = lastFailure;
      loop.execute(() -> refuseAll(failure));
    }
    return false;
  }

  private void refuseAll(ErrorFields failure) {
    if (!open.isEmpty() || connecting > 0) {
      return;
    }
    List<PoolWaiter> all = new ArrayList<>(waiters.keySet());
    List<Long> since = List.copyOf(waiters.values());
    waiters.clear();
    long now = System.nanoTime();
    since.forEach(begin -> countWait(now - begin));
    all.forEach(waiter -> waiter.refused(failure));
    showGauges();
  }

  private final class Connecting implements ServerConnector.Listener {
    @Override
    public void connected(Channel channel, LoggedInServer login) {
      connecting--;
      if (closed) {
        channel.close();
        return;
      }
      lastFailure = null;
      backoffNanos = 0;
      counters.count(shard, ShardCounter.SERVER_LOGINS);
      ServerConnection server = new ServerConnection(channel, ShardPool.this, login);
      open.add(server);
      channel.pipeline().addLast(server);
      makeAvailable(server);
    }

    @Override
    public void failed(ErrorFields error) {
      connecting--;
      counters.count(shard, ShardCounter.SERVER_LOGIN_FAILURES);
      lastFailure =
          ErrorFields.error(
                  SqlState.CONNECTION_FAILURE,
                  "no connection to shard " + shardName + ": " + error.message())
              .withDetail("SQLSTATE " + error.sqlState());
      backoffNanos =
          backoffNanos == 0
              ? FIRST_BACKOFF_NANOS
              : Math.min(2 * backoffNanos, LONGEST_BACKOFF_NANOS);
      notBeforeNanos = System.nanoTime() + backoffNanos;
      refuseAll(lastFailure);
      showGauges();
    }
  }

  private void makeAvailable(ServerConnection server) {
    Iterator<Map.Entry<PoolWaiter, Long>> first = waiters.entrySet().iterator();
    if (paused || !first.hasNext()) {
      idle.addLast(server);
      showGauges();
      return;
    }
    Map.Entry<PoolWaiter, Long> next = first.next();
    PoolWaiter waiter = next.getKey();
    long waited = System.nanoTime() - next.getValue();
    first.remove();
    countWait(waited);
    showGauges();
    waiter.granted(server);
  }

  /**
   * Takes back a connection that its holder is through with. One that still owes answers, is in a
   * transaction or has been spoiled is closed instead.
   */
  public void release(ServerConnection server) {
    if (server.isClosed()) {
      return;
    }
    server.leave();
    if (server.isSpoiled()
        || closed
        || !server.isQuiet()
        || server.status() != TransactionStatus.IDLE
        || isTooOld(server)
        || open.size() > limits.size()) {
      server.terminate();
      return;
    }
    if (server.isBeingCancelled()) {
      return;
    }
    makeAvailable(server);
  }

  /** A held-back connection may go on when no cancel can hit its next holder any more. */
  void cancelDelivered(ServerConnection server) {
    if (!server.isClosed()
        && server.user() == null
        && !server.isBeingCancelled()
        && !idle.contains(server)) {
      makeAvailable(server);
    }
  }

  private boolean isTooOld(ServerConnection server) {
    long lifetime = limits.lifetime().toNanos();
    return lifetime > 0 && System.nanoTime() - server.openedNanos() > lifetime;
  }

  void closed(ServerConnection server) {
    open.remove(server);
    idle.remove(server);
    if (server.user() != null) {
      counters.count(shard, ShardCounter.SERVER_LOSSES);
    }
    connectIfNeeded();
    showGauges();
  }

  /** Closes what has been idle too long; called now and then by the loop. */
  void closeAged() {
    long now = System.nanoTime();
    long idleLimit = limits.idleTimeout().toNanos();
    for (ServerConnection server : List.copyOf(idle)) {
      boolean unused = idleLimit > 0 && now - server.idleSinceNanos() > idleLimit;
      if (unused || isTooOld(server)) {
        server.terminate();
      }
    }
  }

  /** Hands out nothing until {@link #resume}; clients wait. */
  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    while (!waiters.isEmpty() && !idle.isEmpty()) {
      makeAvailable(idle.pollLast());
    }
    connectIfNeeded();
  }

  void close() {
    closed = true;
    List.copyOf(open).forEach(ServerConnection::terminate);
    refuseAll(ErrorFields.error(SqlState.ADMIN_SHUTDOWN, "the proxy is shutting down"));
  }

  /** Hands a granted connection over; for the waiter's {@code granted}. */
  public void take(ServerConnection server, ServerUser holder) {
    server.take(holder);
    showGauges();
  }

  private void startSweep() {
    if (!sweeping) {
      sweeping = true;
      loop.schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** A time-out says that there are too few connections, nothing about the shard's health. */
  private void sweep() {
    sweeping = false;
    long now = System.nanoTime();
    long limit = limits.waitTimeout().toNanos();
    List<PoolWaiter> late = new ArrayList<>();
    for (Iterator<Map.Entry<PoolWaiter, Long>> i = waiters.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<PoolWaiter, Long> oldest = i.next();
      if (now - oldest.getValue() < limit) {
        break;
      }
      i.remove();
      countWait(now - oldest.getValue());
      late.add(oldest.getKey());
    }
    ErrorFields error =
        ErrorFields.error(
            SqlState.TOO_MANY_CONNECTIONS,
            "no connection to shard " + shardName + " became free within pool_wait_timeout");
    for (PoolWaiter waiter : late) {
      counters.count(shard, ShardCounter.POOL_TIMEOUTS);
      waiter.refused(error);
    }
    connectIfNeeded();
    showGauges();
    if (!waiters.isEmpty()) {
      startSweep();
    }
  }

  /** However the wait ended, except that the client gave it up. */
  private void countWait(long nanos) {
    counters.add(shard, ShardCounter.POOL_WAIT_NANOS, nanos);
    counters.record(LoopTimer.POOL_WAIT, nanos);
  }

  /** Brings this pool's part of the loop's numbers up to date; other users have pools beside it. */
  private void showGauges() {
    shownIdle = show(ShardGauge.SERVERS_IDLE, shownIdle, idle.size());
    shownActive = show(ShardGauge.SERVERS_ACTIVE, shownActive, open.size() - idle.size());
    shownConnecting = show(ShardGauge.SERVERS_CONNECTING, shownConnecting, connecting);
    shownWaiting = show(ShardGauge.CLIENTS_WAITING, shownWaiting, waiters.size());
  }

  private int show(ShardGauge gauge, int shown, int now) {
    if (now != shown) {
      counters.add(shard, gauge, (long) now - shown);
    }
    return now;
  }
}
