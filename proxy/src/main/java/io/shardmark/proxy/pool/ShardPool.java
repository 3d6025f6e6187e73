package io.shardmark.proxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.shardmark.config.proxy.PoolConfig;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.LoopTimer;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.ConnectionBudget.Want;
import io.shardmark.proxy.pool.login.LoggedInServer;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.settings.Settings;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to one shard as one user. Free ones are handed out last in,
 * first out, so that some stay warm and others grow old; waiting clients are served in the order of
 * a {@link WaitQueue}. The pools of all loops share a {@link ConnectionBudget}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the loop ends with the process
public final class ShardPool implements ConnectionBudget.Member, ServerConnection.Home {
  /** More are turned away at once. */
  private static final int MOST_WAITERS = 100_000;

  private static final ErrorFields SHUTTING_DOWN =
      ErrorFields.error(SqlState.ADMIN_SHUTDOWN, "the proxy is shutting down");

  private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long SWEEP_MILLIS = 50;
  private static final long RESERVE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  private final PoolPlace place;
  private final EventLoop loop;
  private final LoopCounters counters;
  private final int shard;
  private final String user;
  private final ConnectionBudget budget;
  private final Reserve reserve;
  private final ReportedParameters parameters;
  private PoolConfig limits;

  private final ArrayDeque<ServerConnection> idle = new ArrayDeque<>();
  private final Set<ServerConnection> open = new LinkedHashSet<>();
  private final Set<ServerConnection> reserved = new HashSet<>();
  private final WaitQueue waiters = new WaitQueue();
  private Want want = Want.NOTHING;
  private int connecting;
  private @Nullable ConnectingReserve connectingReserve;
  private long reserveNotBeforeNanos;
  private PoolPhase phase = PoolPhase.OPEN;

  /** Counts the ends of its user's role: a login that began before one may be of the old role. */
  private int rolesEnded;

  /** The next look at those who wait; null while nobody does. */
  private @Nullable Future<?> sweep;

  /** How often the shard has let this user in. */
  private long logins;

  private int shownIdle;
  private int shownActive;
  private int shownConnecting;
  private int shownWaiting;
  private long backoffNanos;
  private long notBeforeNanos;
  private @Nullable ErrorFields lastFailure;

  /** How long clients wait in spite of it: a shard with standbys may get another primary. */
  private long patienceNanos;

  ShardPool(
      PoolPlace place, int shard, String user, Budgets.BudgetOfUser shared, PoolConfig limits) {
    this.place = place;
    this.loop = place.loop();
    this.counters = place.counters();
    this.shard = shard;
    this.user = user;
    this.limits = limits;
    this.reserve = shared.reserve();
    this.parameters = shared.parameters();
    this.budget = place.budgets().of(shared, shard);
    this.reserveNotBeforeNanos = place.nanoTime();
    budget.join(this);
  }

  @Override
  public PoolPlace place() {
    return place;
  }

  @Override
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

  public int waitingCount() {
    return waiters.size();
  }

  /** Whether its clients wait although it has less than its share of the connections. */
  public boolean wantsShare() {
    return want == Want.SHARE;
  }

  /** What a server of any shard reported at the user's last login to one. */
  ReportedParameters reported() {
    return parameters;
  }

  /** All connections; a copy. */
  public List<ServerConnection> servers() {
    return List.copyOf(open);
  }

  @Override
  public int preparedLimit() {
    return limits.preparedStatementsPerServer();
  }

  void setLimits(PoolConfig limits) {
    this.limits = limits;
  }

  /**
   * Asks for a connection.
   *
   * @param waiter called later if the answer is {@link Acquire.Waiting}, and only then
   * @param wanted settings that it should have if there is a choice
   */
  public Acquire acquire(PoolWaiter waiter, ServerUser holder, Settings wanted) {
    if (isNext(waiter)) {
      ServerConnection server = takeIdle(wanted, waiter);
      if (server != null) {
        server.take(holder);
        showGauges();
        return server.ready();
      }
    }
    return enqueue(waiter);
  }

  private String shardName() {
    return place.shardNames().get(shard);
  }

  /** Whether nobody is served before it; in a pause those who hold nothing yet are not served. */
  private boolean isNext(PoolWaiter waiter) {
    return phase == PoolPhase.PAUSED
        ? waiter.holder() != null && !waiters.hasHolder()
        : waiters.isEmpty();
  }

  /** The one used last of those that have the settings, else of those that can be given them. */
  private @Nullable ServerConnection takeIdle(Settings wanted, PoolWaiter waiter) {
    ServerConnection latest = idle.peekLast();
    if (latest != null && latest.dialog().settings().base().is(wanted) && waiter.suits(latest)) {
      return idle.pollLast();
    }
    ServerConnection found = null;
    for (Iterator<ServerConnection> i = idle.descendingIterator(); i.hasNext(); ) {
      ServerConnection server = i.next();
      if (waiter.suits(server)) {
        if (server.dialog().settings().base().is(wanted)) {
          i.remove();
          return server;
        }
        found = found == null ? server : found;
      }
    }
    if (found != null) {
      idle.removeLastOccurrence(found);
    }
    return found;
  }

  private Acquire enqueue(PoolWaiter waiter) {
    if (phase == PoolPhase.CLOSED) {
      return new Acquire.Refused(SHUTTING_DOWN);
    }
    if (waiters.size() >= MOST_WAITERS) {
      return new Acquire.Refused(
          ErrorFields.error(
              SqlState.TOO_MANY_CONNECTIONS,
              "too many clients wait for a connection to shard " + shardName()));
    }
    counters.count(shard, ShardCounter.POOL_WAITS);
    waiters.add(waiter, place.nanoTime());
    connectIfNeeded();
    startSweep();
    showGauges();
    return Acquire.Waiting.INSTANCE;
  }

  /** The waiter gives up; it will not be called. False if it does not wait. */
  public boolean giveUp(PoolWaiter waiter) {
    boolean waited = waiters.remove(waiter);
    showGauges();
    return waited;
  }

  private void connectIfNeeded() {
    int wanted = unserved();
    while (phase != PoolPhase.CLOSED && connecting < wanted && mayConnect()) {
      if (!budget.tryTake(held(), limits.size())) {
        makeRoom();
        return;
      }
      connecting++;
      place.connector().connect(loop, shard, user, new Connecting());
    }
  }

  /** Clients that wait and that no free connection is for; in a pause each has one. */
  private int unserved() {
    return waiters.size() - (phase == PoolPhase.PAUSED ? idle.size() : 0);
  }

  /** Closes a free connection that is of no use to the one who waits. */
  private void makeRoom() {
    ServerConnection oldest = phase == PoolPhase.OPEN ? idle.peekFirst() : null;
    if (oldest != null) {
      oldest.terminate(); // and connects
    }
  }

  /** How many of the budget are this pool's. */
  private int held() {
    return open.size() - reserved.size() + connecting;
  }

  /** Who may be in a circle of clients that wait for each other gets one more. */
  private void connectReserve() {
    PoolWaiter waiter = waiters.firstHolder(place.nanoTime() - RESERVE_AFTER_NANOS);
    Object client = waiter == null ? null : waiter.holder();
    if (waiter == null
        || client == null
        || phase == PoolPhase.CLOSED
        || connectingReserve != null
        || connecting > 0
        || lastFailure != null
        || place.nanoTime() - reserveNotBeforeNanos < 0
        || !reserve.tryTake(client)) {
      return;
    }
    ConnectingReserve login = new ConnectingReserve(waiter);
    connectingReserve = login;
    place.connector().connect(loop, shard, user, login);
  }

  /** Whether there is no connection and the last attempt to open one has failed. */
  public boolean isFailing() {
    return lastFailure != null && open.isEmpty();
  }

  /** Whether the last attempt has failed, and it is too early for another. */
  public boolean isBackingOff() {
    return isFailing() && notBeforeNanos - place.nanoTime() > 0;
  }

  /** While a shard is down, one attempt at a time, each later than the one before. */
  private boolean mayConnect() {
    if (lastFailure == null) {
      return true;
    }
    if (connecting > 0) {
      return false;
    }
    long wait = notBeforeNanos - place.nanoTime();
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
    long now = place.nanoTime();
    for (WaitQueue.WaitingClient each : waiters.pollSince(now - patienceNanos)) {
      countWait(now - each.sinceNanos());
      each.waiter().refused(failure);
    }
    showGauges();
  }

  private final class Connecting implements ServerConnector.ConnectorListener {
    private final int begun = rolesEnded;

    @Override
    public void connected(Channel channel, LoggedInServer login) {
      connecting--;
      if (phase == PoolPhase.CLOSED || begun != rolesEnded) {
        budget.giveBack();
        channel.close();
        connectIfNeeded();
        return;
      }
      makeAvailable(opened(channel, login));
    }

    @Override
    public void failed(ErrorFields error) {
      connecting--;
      budget.giveBack();
      connectingFailed(error);
    }
  }

  private ServerConnection opened(Channel channel, LoggedInServer login) {
    lastFailure = null;
    backoffNanos = 0;
    logins++;
    parameters.keep(login.parameters());
    counters.count(shard, ShardCounter.SERVER_LOGINS);
    ServerConnection server = new ServerConnection(channel, this, login);
    open.add(server);
    channel.pipeline().addLast(server);
    return server;
  }

  private void connectingFailed(ErrorFields error) {
    counters.count(shard, ShardCounter.SERVER_LOGIN_FAILURES);
    ErrorFields failure =
        ErrorFields.error(
                SqlState.CONNECTION_FAILURE,
                "no connection to shard " + shardName() + ": " + error.message())
            .withDetail("SQLSTATE " + error.sqlState());
    lastFailure = failure;
    boolean mayPass = place.replicated().contains(shard) && error.sqlState().isUnreachable();
    patienceNanos = mayPass ? limits.failoverWait().toNanos() : 0;
    backoffNanos =
        backoffNanos == 0 || patienceNanos > 0
            ? FIRST_BACKOFF_NANOS
            : Math.min(2 * backoffNanos, LONGEST_BACKOFF_NANOS);
    notBeforeNanos = place.nanoTime() + backoffNanos;
    refuseAll(failure);
    showGauges();
  }

  /** The reserve's: for one waiter only, and closed after it. */
  private final class ConnectingReserve implements ServerConnector.ConnectorListener {
    private final PoolWaiter waiter;
    private final int begun = rolesEnded;

    ConnectingReserve(PoolWaiter waiter) {
      this.waiter = waiter;
    }

    @Override
    public void connected(Channel channel, LoggedInServer login) {
      connectingReserve = null;
      if (phase == PoolPhase.CLOSED || begun != rolesEnded || !waiters.remove(waiter)) {
        reserve.giveBack();
        channel.close();
        return;
      }
      ServerConnection server = opened(channel, login);
      reserved.add(server);
      server.dialog().spoil();
      counters.count(shard, ShardCounter.RESERVE_USES);
      showGauges();
      waiter.granted(server);
    }

    @Override
    public void failed(ErrorFields error) {
      connectingReserve = null;
      reserve.giveBack();
      // The waiter waits on: a server without room for one more can still be well.
      reserveNotBeforeNanos = place.nanoTime() + LONGEST_BACKOFF_NANOS;
      counters.count(shard, ShardCounter.SERVER_LOGIN_FAILURES);
    }
  }

  private void makeAvailable(ServerConnection server) {
    Set<String> unknown = server.dialog().parametersToAsk();
    if (!unknown.isEmpty()) {
      server.askParameters(unknown, () -> makeAvailable(server));
      return;
    }
    if (phase == PoolPhase.PAUSED ? !waiters.hasHolder() : waiters.isEmpty()) {
      idle.addLast(server);
      showGauges();
      return;
    }
    if (!waiters.first().suits(server)) {
      server.terminate(); // another is opened for the one who waits
      return;
    }
    WaitQueue.WaitingClient next = waiters.poll();
    countWait(place.nanoTime() - next.sinceNanos());
    showGauges();
    next.waiter().granted(server);
  }

  /**
   * Takes back a connection that its holder is through with. One that still owes answers, is in a
   * transaction or has been spoiled is closed instead.
   *
   * @param parameters is given names of custom parameters that the holder turns out to have made
   */
  public void release(ServerConnection server, Consumer<Set<String>> parameters) {
    if (server.isClosed()) {
      return;
    }
    server.leave(parameters);
    if (!server.dialog().isReusable()
        || phase == PoolPhase.CLOSED
        || isTooOld(server)
        || budget.isOver(limits.size())
        || isWantedElsewhere()) {
      server.terminate();
      return;
    }
    if (server.dialog().isBeingCancelled()) {
      return;
    }
    makeAvailable(server);
  }

  /** Whether a connection that has become free should make room for one of another loop. */
  private boolean isWantedElsewhere() {
    if (!budget.isWanted()) {
      return false;
    }
    return waiters.isEmpty() || (budget.isShareWanted() && held() > budget.share(limits.size()));
  }

  @Override
  public void cancelDelivered(ServerConnection server) {
    if (!server.isClosed()
        && server.user() == null
        && !server.dialog().isBeingCancelled()
        && server.isQuiet()
        && !idle.contains(server)) {
      makeAvailable(server);
    }
  }

  /** The present connections lead to another server than those opened from now on. */
  void moved() {
    retire(server -> true);
    backoffNanos = 0;
    notBeforeNanos = place.nanoTime();
    connectIfNeeded();
  }

  /** The present connections lead to a server that must not be used any more. */
  void cut() {
    servers().forEach(server -> server.abandon("its host is no longer the shard's primary"));
  }

  /**
   * These names are of no role of the shard any more, of other roles, or of ones that may do more
   * or less.
   */
  void rolesEnded(Set<String> roles) {
    boolean own = roles.contains(user);
    if (own) {
      rolesEnded++;
      parameters.forgetLatest();
    }
    retire(server -> own || server.actsAs(roles));
  }

  /** None of these is handed out again. */
  private void retire(Predicate<ServerConnection> which) {
    for (ServerConnection server : servers()) {
      if (which.test(server)) {
        server.dialog().spoil();
        if (server.user() == null) {
          server.terminate();
        }
      }
    }
  }

  private boolean isTooOld(ServerConnection server) {
    long lifetime = limits.serverLifetime().toNanos();
    return lifetime > 0 && server.ageNanos() > lifetime;
  }

  @Override
  public void closed(ServerConnection server) {
    open.remove(server);
    idle.remove(server);
    if (reserved.remove(server)) {
      reserve.giveBack();
    } else {
      budget.giveBack();
    }
    if (server.user() != null) {
      counters.count(shard, ShardCounter.SERVER_LOSSES);
    }
    connectIfNeeded();
    showGauges();
  }

  /** Closes what has been idle too long; called now and then by the loop. */
  void closeAged() {
    long now = place.nanoTime();
    long idleLimit = limits.serverIdleTimeout().toNanos();
    for (ServerConnection server : List.copyOf(idle)) {
      boolean unused = idleLimit > 0 && now - server.idleSinceNanos() > idleLimit;
      if (unused || isTooOld(server)) {
        server.terminate();
      }
    }
  }

  /** Whether no server has ever let the user in, and nothing is under way. */
  boolean isOfStranger() {
    return logins == 0 && connecting == 0 && connectingReserve == null && waiters.isEmpty();
  }

  /** Nobody will use it any more. */
  void discard() {
    showGauges();
    budget.leave(this);
  }

  /** Lets no transaction begin until {@link #resume}; those that have begun can go on. */
  void pause() {
    phase = phase.paused();
  }

  /** Whether no transaction may begin. */
  public boolean isPaused() {
    return phase == PoolPhase.PAUSED;
  }

  void resume() {
    phase = phase.resumed();
    while (!waiters.isEmpty() && !idle.isEmpty()) {
      makeAvailable(idle.pollLast());
    }
    connectIfNeeded();
  }

  void close() {
    phase = PoolPhase.CLOSED;
    List.copyOf(open).forEach(ServerConnection::terminate);
    refuseAll(SHUTTING_DOWN);
  }

  /** Hands a granted connection over; for the waiter's {@code granted}. */
  public void take(ServerConnection server, ServerUser holder) {
    server.take(holder);
    showGauges();
  }

  private void startSweep() {
    if (sweep == null) {
      sweep = loop.schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** A time-out says that there are too few connections, nothing about the shard's health. */
  private void sweep() {
    sweep = null;
    long now = place.nanoTime();
    ErrorFields failure = isFailing() && patienceNanos > 0 ? lastFailure : null;
    long limit = failure == null ? limits.waitTimeout().toNanos() : patienceNanos;
    List<WaitQueue.WaitingClient> late = waiters.pollSince(now - limit);
    ErrorFields error =
        failure != null
            ? failure
            : ErrorFields.error(
                SqlState.TOO_MANY_CONNECTIONS,
                "no connection to shard " + shardName() + " became free within pool_wait_timeout");
    for (WaitQueue.WaitingClient each : late) {
      counters.count(shard, ShardCounter.POOL_TIMEOUTS);
      countWait(now - each.sinceNanos());
      each.waiter().refused(error);
    }
    connectIfNeeded();
    connectReserve();
    updateWant();
    showGauges();
    if (!waiters.isEmpty()) {
      startSweep();
    }
    if (want != Want.NOTHING) {
      budget.askFor(this);
    }
  }

  // ---- the budget that all loops share ----

  private void updateWant() {
    Want now =
        unserved() <= connecting
            ? Want.NOTHING
            : held() < budget.share(limits.size()) ? Want.SHARE : Want.MORE;
    if (now != want) {
      budget.change(want, now);
      want = now;
    }
  }

  @Override
  public void budgetChanged() {
    later(this::connectIfNeeded);
  }

  @Override
  public void askedForUnused() {
    later(this::closeUnused);
  }

  private void later(Runnable task) {
    if (!loop.isShuttingDown()) {
      loop.execute(task);
    }
  }

  private void closeUnused() {
    if (waiters.isEmpty() && budget.isWanted()) {
      for (int count = (idle.size() + 1) / 2; count > 0; count--) {
        ServerConnection oldest = idle.peekFirst();
        if (oldest != null) {
          oldest.terminate();
        }
      }
    }
  }

  /** However the wait ended, except that the client gave it up. */
  private void countWait(long nanos) {
    counters.add(shard, ShardCounter.POOL_WAIT_NANOS, nanos);
    counters.record(LoopTimer.POOL_WAIT, nanos);
  }

  /** Brings this pool's part of the loop's numbers up to date; other users have other pools. */
  private void showGauges() {
    if (want != Want.NOTHING) {
      updateWant();
    }
    shownIdle = show(ShardCounter.SERVERS_IDLE, shownIdle, idle.size());
    shownActive = show(ShardCounter.SERVERS_ACTIVE, shownActive, open.size() - idle.size());
    shownConnecting = show(ShardCounter.SERVERS_CONNECTING, shownConnecting, connecting);
    shownWaiting = show(ShardCounter.CLIENTS_WAITING, shownWaiting, waiters.size());
  }

  private int show(ShardCounter gauge, int shown, int now) {
    if (now != shown) {
      counters.add(shard, gauge, (long) now - shown);
    }
    return now;
  }
}
