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
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
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
  private final Map<Integer, Move> moves = new HashMap<>();

  /** Shards on which this proxy is present. */
  private final BitSet joined = new BitSet();

  /** Where it has been tried since the proxy was last present nowhere. */
  private final BitSet tried = new BitSet();

  /** Moves that were under way before the proxy could hear of them, by shard. */
  private final Map<Integer, Set<Integer>> unheard = new HashMap<>();

  /** Grows whenever a shard is lost. */
  private int losses;

  /** What keeps statements off all tables; null while the proxy is present. */
  private @Nullable Change everything;

  private boolean closed;
  private boolean reading;

  /**
   * A move of tables from when this proxy knows of it until the map shows how it has ended. Guarded
   * by the meeting.
   */
  private static final class Move {
    final int number;

    /** Shards on which the mover has asked, has been answered, and is over. */
    final BitSet asked = new BitSet();

    final BitSet answered = new BitSet();
    final BitSet over = new BitSet();

    /** It is of this proxy, whose session keeps the other clients off by itself. */
    boolean own;

    boolean begun;
    boolean keptOff;
    boolean reading;

    /** The map shows how it has ended. */
    boolean shown;

    /** What holds statements back until it is over. */
    @Nullable Change change;

    Move(int number) {
      this.number = number;
    }

    /** Whether the mover waits on that shard for the answer, which may be given; once. */
    boolean takeAnswer(int shard) {
      boolean take = keptOff && asked.get(shard) && !answered.get(shard);
      if (take) {
        answered.set(shard);
      }
      return take;
    }

    /** Whether the map must be read now; once, unless that fails. */
    boolean takeReading(int shards) {
      boolean take = !reading && !shown && over.cardinality() == shards;
      reading |= take;
      return take;
    }
  }

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
  public String mark(int move) {
    return PlacementSql.mark(move);
  }

  @Override
  public void keepOff(int move, Set<String> tables, Consumer<String> answer) {
    synchronized (this) {
      own(move);
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
    holdsBy(own(move), change);
  }

  private Move own(int number) {
    Move move = moves.computeIfAbsent(number, Move::new);
    move.own = true;
    move.keptOff = true;
    return move;
  }

  // ---- moves of all proxies ----

  private synchronized void heard(int shard, MoveMessage message) {
    Move move = moves.computeIfAbsent(message.move(), Move::new);
    move.asked.set(shard);
    if (!move.own && !move.begun) {
      move.begun = true;
      Change held = keepOff(message.tables().isEmpty() ? map.tables() : message.tables(), move);
      if (held != null) {
        holdsBy(move, held);
      }
    }
  }

  /** Lets no statement begin from now on; those under way end soon. */
  private @Nullable Change keepOff(Set<String> tables, @Nullable Move move) {
    PlacementBarrier[] barrier = new PlacementBarrier[1];
    Runnable looked = () -> looked(barrier[0], move);
    barrier[0] =
        new PlacementBarrier(changes, tables, new PlacementBarrier.Waiting(thread, null, looked));
    barrier[0].begin();
    thread.execute(looked);
    return barrier[0].change();
  }

  private void looked(PlacementBarrier barrier, @Nullable Move move) {
    try {
      if (barrier.isClear() && move != null) {
        synchronized (this) {
          move.keptOff = true;
        }
      }
    } catch (StatementException e) {
      LOG.warn("another proxy moves tables, but {}", e.getMessage());
    }
  }

  private void holdsBy(Move move, Change change) {
    move.change = change;
    finish(move);
    ErrorFields tooLong =
        ErrorFields.error(
                SqlState.LOCK_NOT_AVAILABLE,
                "a transaction that moves a table of the statement has not ended on all shards for "
                    + limit.toSeconds()
                    + " s")
            .withHint("See SHOW TRANSACTIONS of the admin database.");
    later(limit, () -> changes.refuse(change, tooLong));
  }

  private void finish(Move move) {
    Change change = move.change;
    if (move.shown && (change != null || !move.own)) {
      moves.remove(move.number);
      if (change != null) {
        changes.end(change);
      }
    }
  }

  private synchronized List<Move> moves() {
    return List.copyOf(moves.values());
  }

  /** It has ended on that shard; reads the map when it has on all. */
  private void overOn(Move move, int shard) {
    synchronized (this) {
      move.over.set(shard);
      if (!move.takeReading(watches.size())) {
        return;
      }
    }
    readMap(
        answered -> answered.size() == watches.size() && shown(move), () -> move.reading = false);
  }

  private synchronized boolean shown(Move move) {
    move.shown = true;
    finish(move);
    return true;
  }

  /**
   * Reads the catalogs of all shards.
   *
   * @param use of the map, by the indexes of the shards that have answered; false: that will not do
   * @param again what makes it be read again, a little later
   */
  private void readMap(Predicate<Set<Integer>> use, Runnable again) {
    var unused =
        map.read()
            .whenComplete(
                (answered, failure) -> {
                  if (failure != null || !use.test(answered)) {
                    later(RETRY, () -> locked(again));
                  }
                });
  }

  private synchronized void locked(Runnable change) {
    change.run();
  }

  private void later(Duration delay, Runnable work) {
    var unused = thread.schedule(work, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  // ---- presence ----

  private synchronized void joined(int shard, Set<Integer> underWay) {
    joined.set(shard);
    tried.set(shard);
    unheard.put(shard, closed ? new HashSet<>(underWay) : Set.of());
  }

  private synchronized void lost(int shard, SQLException why) {
    boolean was = joined.get(shard);
    joined.clear(shard);
    unheard.remove(shard);
    losses++;
    boolean nowhere = was && joined.isEmpty();
    if (nowhere) {
      tried.clear();
    }
    tried.set(shard);
    if (nowhere) {
      LOG.warn("present on no shard, statements wait: {}", why.getMessage());
      if (!closed) {
        closed = true;
        everything = keepOff(map.tables(), null);
      }
    }
    Change held = everything;
    if (closed && held != null && joined.isEmpty() && tried.cardinality() == watches.size()) {
      changes.refuse(
          held,
          ErrorFields.error(
              SqlState.CONNECTION_FAILURE, "no shard can be reached: " + why.getMessage()));
    }
  }

  private synchronized boolean hasUnheard(int shard) {
    return closed && !unheard.getOrDefault(shard, Set.of()).isEmpty();
  }

  private synchronized void stillUnderWay(int shard, Set<Integer> underWay) {
    unheard.getOrDefault(shard, new HashSet<>()).retainAll(underWay);
  }

  /** Lets statements begin as soon as the map shows the tables as they are. */
  private void openWhenSettled() {
    int lossesBefore = beginReading();
    if (lossesBefore < 0) {
      return;
    }
    readMap(answered -> open(answered, lossesBefore), () -> reading = false);
  }

  /** How many shards have been lost so far; -1: it is not to be read. */
  private synchronized int beginReading() {
    // No shard that could be asked may be silent about moves.
    boolean settled =
        !joined.isEmpty()
            && tried.cardinality() == watches.size()
            && unheard.values().stream().allMatch(Set::isEmpty);
    if (!closed || reading || !settled) {
      return -1;
    }
    reading = true;
    return losses;
  }

  private synchronized boolean open(Set<Integer> answered, int lossesBefore) {
    if (lossesBefore != losses || !joined.stream().allMatch(answered::contains)) {
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
      for (Move move : moves()) {
        boolean answer;
        boolean over;
        synchronized (ProxyMeeting.this) {
          answer = move.takeAnswer(shard);
          over = move.over.get(shard);
        }
        if (answer) {
          open.say(PlacementSql.KEPT_OFF, String.valueOf(move.number));
        }
        if (over || open.isOver(move.number)) {
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
