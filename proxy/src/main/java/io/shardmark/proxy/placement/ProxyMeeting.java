package io.shardmark.proxy.placement;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.ddl.OtherProxies;
import io.shardmark.proxy.ddl.PlacementBarrier;
import io.shardmark.proxy.ddl.PlacementChanges;
import io.shardmark.proxy.ddl.PlacementChanges.Change;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.recovery.ShardAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the proxies of a cluster agree on moves of tables. Each is present on all shards that it
 * reaches, by a lock of a connection on which it listens. Who moves tables asks all that are
 * present on any shard, so a proxy hears of each move as long as it is present on one. It keeps
 * statements off the tables then, answers, and lets them go on when the transaction is over on
 * every shard and the map has been read since. As long as it is present on none it keeps statements
 * off all tables.
 *
 * <p>That a move is not over the shards themselves show, by a lock of the moving transaction which
 * is also held while that is prepared: it does not matter who ends it, or whether its proxy lives.
 * Thread-safe.
 */
public final class ProxyMeeting implements OtherProxies, AutoCloseable {
  /** For the answers of other proxies, and for statements that wait. */
  public static final Duration LIMIT = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(ProxyMeeting.class);
  private static final Duration RETRY = Duration.ofMillis(250);
  private static final int IDLE_MILLIS = 500;
  private static final int BUSY_MILLIS = 5;
  private static final int MOVERS = 4;

  private final PlacementChanges changes;
  private final MapReader map;
  private final Duration limit;
  private final MoverQuestion question;

  /** That of all barriers. */
  private final ScheduledExecutorService thread;

  private final ScheduledExecutorService movers;
  private final List<Watch> watches = new ArrayList<>();
  private final List<BackgroundTask> tasks = new ArrayList<>();
  private final Map<Integer, FollowedMove> moves = new HashMap<>();
  private final Presence presence;

  /** What keeps statements off all tables; null while the proxy is present. */
  private @Nullable Change everything;

  private boolean closed;
  private boolean reading;

  /**
   * @param shards all, in their order
   * @param limit usually {@link #LIMIT}
   */
  public ProxyMeeting(
      List<ShardAccess> shards,
      PlacementChanges changes,
      MapReader map,
      Duration limit,
      BackgroundRunner runner) {
    this.changes = changes;
    this.map = map;
    this.limit = limit;
    this.question = new MoverQuestion(shards, limit);
    this.thread = runner.threads("placement", 1);
    this.movers = runner.threads("placement-mover", MOVERS);
    this.presence = new Presence(shards.size());
    for (int shard = 0; shard < shards.size(); shard++) {
      Watch watch = new Watch(shard, shards.get(shard));
      watches.add(watch);
      tasks.add(runner.task("placement " + shards.get(shard).name(), watch::run));
    }
  }

  /** Begins; until this proxy is present, statements wait. Before it serves the first one. */
  public synchronized void start() {
    closed = true;
    everything = changes.begin(map.tables());
    changes.agreeWith(this);
    tasks.forEach(BackgroundTask::runSoon);
  }

  /** Ends its presence; no task may run any more. */
  @Override
  public void close() {
    watches.forEach(Watch::leave);
    question.close();
  }

  // ---- moves of this proxy ----

  @Override
  public boolean mayBeThere() {
    return true;
  }

  @Override
  public String mark(int move) {
    return PlacementSql.mark(move);
  }

  @Override
  public void keepOff(int move, Set<String> tables, Consumer<String> answer) {
    synchronized (this) {
      moves.computeIfAbsent(move, FollowedMove::new).setOwn();
    }
    movers.execute(
        () -> {
          String said = "they could not be asked";
          try {
            said = question.ask(move, tables);
          } finally {
            answer.accept(said);
          }
        });
  }

  @Override
  public synchronized void whenOver(int move, Change change) {
    FollowedMove followed = moves.computeIfAbsent(move, FollowedMove::new);
    followed.setOwn();
    holdsBy(followed, change);
  }

  // ---- moves of all proxies ----

  private synchronized void heard(int shard, MoveMessage message) {
    FollowedMove move = moves.computeIfAbsent(message.move(), FollowedMove::new);
    move.hear(shard, message);
    if (move.takeBeginning()) {
      Change held = keepOff(move.tables(), move);
      if (held != null) {
        holdsBy(move, held);
      }
    }
  }

  /** Lets no statement begin from now on; those under way end soon. */
  private @Nullable Change keepOff(Set<String> tables, @Nullable FollowedMove move) {
    PlacementBarrier[] barrier = new PlacementBarrier[1];
    Runnable looked = () -> looked(barrier[0], move);
    barrier[0] =
        new PlacementBarrier(changes, tables, new PlacementBarrier.Waiting(thread, null, looked));
    barrier[0].begin();
    thread.execute(looked);
    return barrier[0].change();
  }

  private void looked(PlacementBarrier barrier, @Nullable FollowedMove move) {
    try {
      if (barrier.isClear() && move != null) {
        synchronized (this) {
          move.setKeptOff();
        }
      }
    } catch (StatementException e) {
      LOG.warn("another proxy moves tables, but {}", e.getMessage());
    }
  }

  private void holdsBy(FollowedMove move, Change change) {
    move.holdsBy(change);
    finish(move);
    var unused =
        thread.schedule(
            () ->
                changes.refuse(
                    change,
                    ErrorFields.error(
                            SqlState.LOCK_NOT_AVAILABLE,
                            "a transaction that moves a table of the statement has not ended on"
                                + " all shards for "
                                + limit.toSeconds()
                                + " s")
                        .withHint("See SHOW TRANSACTIONS of the admin database.")),
            limit.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private void finish(FollowedMove move) {
    Change change = move.change();
    if (move.isDone()) {
      moves.remove(move.number());
      if (change != null) {
        changes.end(change);
      }
    }
  }

  private synchronized List<FollowedMove> moves() {
    return List.copyOf(moves.values());
  }

  private synchronized boolean takeAnswer(FollowedMove move, int shard) {
    return move.takeAnswer(shard);
  }

  private synchronized boolean isOverOn(FollowedMove move, int shard) {
    return move.isOverOn(shard);
  }

  /** It has ended on that shard; reads the map when it has on all. */
  private void overOn(FollowedMove move, int shard) {
    synchronized (this) {
      move.setOverOn(shard);
      if (!move.takeReading(watches.size())) {
        return;
      }
    }
    var unused =
        map.read()
            .whenComplete(
                (answered, failure) -> {
                  if (failure == null && answered.size() == watches.size()) {
                    shown(move);
                  } else {
                    retry(move::readAgain);
                  }
                });
  }

  private synchronized void shown(FollowedMove move) {
    move.setShown();
    finish(move);
  }

  private void retry(Runnable again) {
    var unused =
        thread.schedule(
            () -> {
              synchronized (this) {
                again.run();
              }
            },
            RETRY.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  // ---- presence ----

  private synchronized void joined(int shard, Set<Integer> underWay) {
    presence.join(shard, closed ? underWay : Set.of());
  }

  private synchronized void lost(int shard, SQLException why) {
    if (presence.lose(shard)) {
      LOG.warn("present on no shard, statements wait: {}", why.getMessage());
      if (!closed) {
        closed = true;
        everything = keepOff(map.tables(), null);
      }
    }
    Change held = everything;
    if (closed && held != null && presence.isNowhere()) {
      changes.refuse(
          held,
          ErrorFields.error(
              SqlState.CONNECTION_FAILURE, "no shard can be reached: " + why.getMessage()));
    }
  }

  private synchronized boolean hasUnheard(int shard) {
    return closed && presence.hasUnheard(shard);
  }

  private synchronized void stillUnderWay(int shard, Set<Integer> underWay) {
    presence.stillUnderWay(shard, underWay);
  }

  /** Lets statements begin as soon as the map shows the tables as they are. */
  private void openWhenSettled() {
    int losses = beginReading();
    if (losses < 0) {
      return;
    }
    var unused =
        map.read()
            .whenComplete(
                (answered, failure) -> {
                  if (failure != null || !open(answered, losses)) {
                    retry(() -> reading = false);
                  }
                });
  }

  /** How many shards have been lost so far; -1: it is not to be read. */
  private synchronized int beginReading() {
    if (!closed || reading || !presence.isSettled()) {
      return -1;
    }
    reading = true;
    return presence.losses();
  }

  private synchronized boolean open(Set<Integer> answered, int losses) {
    if (losses != presence.losses() || !presence.isCoveredBy(answered)) {
      return false;
    }
    reading = false;
    closed = false;
    Change held = everything;
    everything = null;
    if (held != null) {
      changes.end(held);
    }
    return true;
  }

  private synchronized boolean isBusy() {
    return closed || !moves.isEmpty();
  }

  /** One shard. Belongs to one thread at a time. */
  private final class Watch {
    private final int shard;
    private final ShardAccess access;
    private @Nullable ShardPost post;

    Watch(int shard, ShardAccess access) {
      this.shard = shard;
      this.access = access;
    }

    Duration run() {
      try {
        ShardPost open = post;
        if (open == null) {
          open = ShardPost.join(access);
          post = open;
          joined(shard, open.underWay());
        }
        look(open);
        openWhenSettled();
        for (String text : open.heardFromProxies(isBusy() ? BUSY_MILLIS : IDLE_MILLIS)) {
          MoveMessage.read(text).ifPresent(message -> heard(shard, message));
        }
        return Duration.ZERO;
      } catch (SQLException e) {
        LOG.debug("not present on shard {}: {}", access.name(), e.getMessage());
        leave();
        lost(shard, e);
        return RETRY;
      }
    }

    private void look(ShardPost open) throws SQLException {
      if (hasUnheard(shard)) {
        stillUnderWay(shard, open.underWay());
      }
      for (FollowedMove move : moves()) {
        if (takeAnswer(move, shard)) {
          open.say(PlacementSql.KEPT_OFF, List.of(String.valueOf(move.number())));
        }
        if (isOverOn(move, shard) || open.isOver(move.number())) {
          overOn(move, shard);
        }
      }
    }

    void leave() {
      ShardPost open = post;
      post = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
