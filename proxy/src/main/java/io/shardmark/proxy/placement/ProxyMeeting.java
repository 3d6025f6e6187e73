package io.shardmark.proxy.placement;

import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.catalog.CatalogRefresher;
import io.shardmark.proxy.ddl.Hold;
import io.shardmark.proxy.ddl.Hold.Manner;
import io.shardmark.proxy.ddl.MoveAgreement;
import io.shardmark.proxy.ddl.PlacementChanges;
import io.shardmark.proxy.ddl.StatementsUnderWay;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.shards.ShardSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the proxies of a cluster agree on moves of tables. Each is present on all shards that it
 * reaches, by a lock of a connection on which it listens. Who moves tables asks all that are
 * present on any shard, itself included, so a proxy hears of each move as long as it is present on
 * one. It keeps statements off the tables then, answers, and lets them go on when the transaction
 * is over on every shard and the map has been read since. As long as it is present on none it keeps
 * statements off all tables. {@link Moves} has the rules.
 *
 * <p>That a move is not over the shards themselves show, by a lock of the moving transaction which
 * is also held while that is prepared: it does not matter who ends it, or whether its proxy lives.
 * Thread-safe.
 */
public final class ProxyMeeting implements MoveAgreement, AutoCloseable {
  /** For the answers of all proxies, and for statements that wait. */
  public static final Duration LIMIT = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(ProxyMeeting.class);
  private static final Duration RETRY = Duration.ofMillis(250);
  private static final int IDLE_MILLIS = 500;
  private static final int BUSY_MILLIS = 5;

  /** So long statements under way may end by themselves; they may wait for the mover's locks. */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  private static final Duration CANCEL_AGAIN = Duration.ofSeconds(1);

  private final List<ShardAccess> shards;
  private final PlacementChanges changes;
  private final CatalogRefresher catalog;
  private final Duration limit;
  private final ScheduledExecutorService thread;

  private final ScheduledExecutorService askers;
  private final BackgroundRunner runner;
  private final List<MeetingAsker> asking = new CopyOnWriteArrayList<>();
  private final List<MeetingWatch> watches = new CopyOnWriteArrayList<>();

  /** Guarded by this object, as are the maps. */
  private final Moves moves;

  private final Map<Integer, Closed> closed = new HashMap<>();
  private final Map<Integer, Own> own = new HashMap<>();

  /** What keeps statements off the tables of a move. */
  private record Closed(PlacementChanges.PlacementChange change, Hold hold) {
    boolean waitsFor(StatementsUnderWay statements) {
      return hold.manner() == Manner.EVERYTHING
          ? statements.isAnything()
          : statements.mention(hold.tables());
    }

    String what() {
      return hold.manner() == Manner.EVERYTHING ? "adds a shard" : "moves a table of the statement";
    }
  }

  /** A move of this proxy. */
  private record Own(@Nullable StatementsUnderWay statements, Consumer<String> answer) {}

  /**
   * @param shards all, in their order
   * @param limit usually {@link #LIMIT}
   */
  public ProxyMeeting(
      List<ShardAccess> shards,
      PlacementChanges changes,
      CatalogRefresher catalog,
      Duration limit,
      BackgroundRunner runner) {
    this.shards = shards;
    this.changes = changes;
    this.catalog = catalog;
    this.limit = limit;
    this.thread = runner.threads("placement", 1);
    this.askers = runner.threads("placement-mover", shards.size());
    this.moves = new Moves(shards.size(), new Gates());
    this.runner = runner;
    for (int shard = 0; shard < shards.size(); shard++) {
      watches.add(new MeetingWatch(shard));
      asking.add(new MeetingAsker(shards.get(shard)));
    }
  }

  /** Shards that count now as well: this proxy becomes present there. */
  public synchronized void takeShards() {
    for (int shard = watches.size(); shard < shards.size(); shard++) {
      MeetingWatch watch = new MeetingWatch(shard);
      watches.add(watch);
      asking.add(new MeetingAsker(shards.get(shard)));
      moves.takeShards(watches.size());
      watch.task.runSoon();
    }
  }

  /** Begins; until this proxy is present, statements wait. Before it serves the first one. */
  public synchronized void start() {
    moves.start();
    changes.agreeBy(this);
    watches.forEach(watch -> watch.task.runSoon());
  }

  /** Ends its presence; no task may run any more. */
  @Override
  public void close() {
    watches.forEach(MeetingWatch::leave);
    asking.forEach(MeetingAsker::close);
  }

  // ---- moves of this proxy

  @Override
  public String mark(int move) {
    return PlacementSql.mark(move);
  }

  @Override
  public void keepOff(
      int move, Hold hold, @Nullable StatementsUnderWay statements, Consumer<String> answer) {
    synchronized (this) {
      own.put(move, new Own(statements, answer));
      moves.begin(move, hold);
    }
    later(limit, () -> giveUp(move, hold.tables()));
    String text = new MoveMessage(move, hold).text();
    for (int shard = 0; shard < asking.size(); shard++) {
      int index = shard;
      askers.execute(() -> ask(move, index, text));
    }
  }

  private void ask(int move, int shard, String text) {
    boolean soon;
    synchronized (this) {
      soon = !moves.isEverywhere() && !waitsFor(move).isEmpty();
    }
    if (soon) {
      later(Duration.ofMillis(BUSY_MILLIS), () -> askers.execute(() -> ask(move, shard, text)));
      return;
    }
    try {
      Set<Integer> present = asking.get(shard).ask(text);
      synchronized (this) {
        moves.asks(move, shard, present);
      }
    } catch (SQLException e) {
      fail(move, "shard " + shards.get(shard).name() + " cannot be asked: " + e.getMessage());
    }
  }

  private String waitsFor(int move) {
    return moves.waitsFor(move, shard -> shards.get(shard).name());
  }

  private synchronized void fail(int move, String why) {
    moves.fail(move, "another proxy does not keep off them: " + why);
  }

  private synchronized void giveUp(int move, Set<String> tables) {
    if (moves.isClear(move)) {
      fail(move, "no answer within %d s from %s".formatted(limit.toSeconds(), waitsFor(move)));
    } else {
      moves.fail(
          move,
          tables.isEmpty()
              ? "transactions do not end"
              : "statements on them do not end: " + String.join(", ", tables));
    }
  }

  // ---- gates

  /** Called by the moves, with the lock of the meeting. */
  private final class Gates implements Moves.MoveGate {
    @Override
    public void close(int move, Hold hold) {
      Set<String> tables = hold.tables().isEmpty() ? allTables() : hold.tables();
      Hold named = new Hold(tables, hold.manner());
      PlacementChanges.PlacementChange change = changes.begin(named);
      Closed one = new Closed(change, named);
      closed.put(move, one);
      thread.execute(
          hold.manner() == Manner.TRANSACTIONS
              ? () -> cleared(move)
              : () -> look(move, System.nanoTime() + PATIENCE.toNanos()));
      // One of this proxy waits for the others first, and no statement longer than it does.
      if (move != Moves.NOWHERE && !own.containsKey(move)) {
        refuseLater(one);
      }
    }

    @Override
    public void open(int move) {
      own.remove(move);
      Closed one = closed.remove(move);
      if (one != null) {
        changes.end(one.change());
      }
    }

    @Override
    public void answer(int move, String whyNot) {
      Own asked = own.get(move);
      Closed one = closed.get(move);
      if (one != null) {
        refuseLater(one);
      }
      if (asked != null) {
        asked.answer().accept(whyNot);
      }
    }
  }

  private Set<String> allTables() {
    return catalog.map().tables().keySet().stream()
        .map(TableName::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  private void refuseLater(Closed one) {
    ErrorFields tooLong =
        ErrorFields.error(
                SqlState.LOCK_NOT_AVAILABLE,
                "a transaction that %s has not ended on all shards for %d s"
                    .formatted(one.what(), limit.toSeconds()))
            .withHint("See SHOW TRANSACTIONS of the admin database.");
    later(limit, () -> changes.refuse(one.change(), tooLong));
  }

  /** Asks all loops what is under way, until it is nothing or the move is over. */
  private void look(int move, long cancelAtNanos) {
    Closed what;
    StatementsUnderWay except;
    synchronized (this) {
      what = closed.get(move);
      Own mover = own.get(move);
      except = mover == null ? null : mover.statements();
    }
    if (what == null) {
      return;
    }
    boolean due = System.nanoTime() - cancelAtNanos >= 0;
    boolean cancel = due && what.hold().manner() == Manner.STATEMENTS;
    long next = due ? System.nanoTime() + CANCEL_AGAIN.toNanos() : cancelAtNanos;
    List<PlacementChanges.Loop> loops = changes.loops();
    AtomicInteger left = new AtomicInteger(loops.size());
    AtomicInteger found = new AtomicInteger();
    Runnable answered =
        () -> {
          if (left.decrementAndGet() == 0 && found.get() == 0) {
            cleared(move);
          } else if (left.get() == 0) {
            later(Duration.ofMillis(BUSY_MILLIS), () -> look(move, next));
          }
        };
    for (PlacementChanges.Loop loop : loops) {
      loop.executor()
          .execute(
              () -> {
                try {
                  found.addAndGet(underWay(loop, what, except, cancel));
                } finally {
                  thread.execute(answered);
                }
              });
    }
    if (loops.isEmpty()) {
      cleared(move);
    }
  }

  /** How many sessions of a loop have statements under way; on that loop. */
  private static int underWay(
      PlacementChanges.Loop loop,
      Closed what,
      @Nullable StatementsUnderWay except,
      boolean cancel) {
    int count = 0;
    for (StatementsUnderWay one : loop.statements()) {
      if (!one.equals(except) && what.waitsFor(one)) {
        count++;
        if (cancel) {
          one.cancel();
        }
      }
    }
    return count;
  }

  private synchronized void cleared(int move) {
    moves.clear(move);
  }

  private void later(Duration delay, Runnable work) {
    var unused = thread.schedule(work, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Reads the catalogs if gates wait for it. */
  private void readMap() {
    Moves.MapReading what;
    synchronized (this) {
      what = moves.read();
    }
    if (what != null) {
      var unused =
          catalog
              .refresh()
              .thenApply(map -> catalog.answering())
              .whenComplete(
                  (answered, failure) -> hasRead(what, failure == null ? answered : Set.of()));
    }
  }

  private void hasRead(Moves.MapReading what, Set<Integer> answered) {
    Duration pause = answered.size() == watches.size() ? Duration.ZERO : RETRY;
    later(
        pause,
        () -> {
          synchronized (this) {
            moves.hasRead(what, answered);
          }
        });
  }

  /**
   * What a shard shows.
   *
   * @param present server processes by which proxies are present
   * @param marks moves that have not ended there
   */
  private record MeetingState(Set<Integer> present, Set<Integer> marks) {
    static MeetingState of(Connection connection, String sql, Object... parameters)
        throws SQLException {
      MeetingState state = new MeetingState(new HashSet<>(), new HashSet<>());
      ShardSql.rows(
          connection,
          sql,
          row ->
              row.getLong(2) == 0
                  ? state.present.add(row.getInt(1))
                  : state.marks.add((int) row.getLong(2)),
          parameters);
      return state;
    }
  }

  /** Asks on one shard. Its connection is its own, and kept: DDL often comes in rows. */
  private static final class MeetingAsker {
    private final ShardAccess access;
    private @Nullable Connection connection;

    MeetingAsker(ShardAccess access) {
      this.access = access;
    }

    /** Who is present. Anew if the connection has been idle for so long that it is broken. */
    synchronized Set<Integer> ask(String text) throws SQLException {
      Connection kept = connection;
      if (kept != null) {
        try {
          return MeetingState.of(kept, PlacementSql.ASK, text).present();
        } catch (SQLException e) {
          close();
        }
      }
      Connection open = access.open();
      connection = open;
      return MeetingState.of(open, PlacementSql.ASK, text).present();
    }

    synchronized void close() {
      ShardSql.close(connection);
      connection = null;
    }
  }

  /** One shard. Belongs to one thread at a time. */
  private final class MeetingWatch {
    private final int shard;
    private final BackgroundTask task;
    private @Nullable Connection connection;

    MeetingWatch(int shard) {
      this.shard = shard;
      this.task = runner.task("placement " + shards.get(shard).name(), this::run);
    }

    Duration run() {
      try {
        Connection open = connection == null ? join() : connection;
        int millis = look(open);
        readMap();
        for (PGNotification one : ShardSql.heard(open, PlacementSql.MOVES, millis)) {
          heard(one);
        }
        return Duration.ZERO;
      } catch (SQLException e) {
        LOG.debug("not present on shard {}: {}", shards.get(shard).name(), e.getMessage());
        leave();
        lost(e);
        return RETRY;
      }
    }

    private Connection join() throws SQLException {
      Connection open = shards.get(shard).open();
      connection = open;
      ShardSql.execute(open, PlacementSql.LISTEN);
      ShardSql.execute(open, PlacementSql.BE_PRESENT);
      MeetingState state = MeetingState.of(open, PlacementSql.STATE);
      synchronized (ProxyMeeting.this) {
        moves.joined(shard, state.marks());
      }
      return open;
    }

    /** Returns how long to wait for something to hear, in milliseconds. */
    private int look(Connection open) throws SQLException {
      Moves.Look look;
      List<Integer> answers;
      boolean busy;
      synchronized (ProxyMeeting.this) {
        look = moves.look();
        answers = moves.toAnswer(shard);
        busy = moves.isBusy();
      }
      if (!answers.isEmpty()) {
        ShardSql.say(open, PlacementSql.KEPT_OFF, answers.stream().map(String::valueOf).toList());
      }
      if (answers.isEmpty() && !look.moves().isEmpty()) {
        MeetingState state = MeetingState.of(open, PlacementSql.STATE);
        synchronized (ProxyMeeting.this) {
          moves.shows(shard, look, state.marks(), state.present());
        }
      }
      return busy ? BUSY_MILLIS : IDLE_MILLIS;
    }

    private void heard(PGNotification one) {
      MoveMessage.read(one.getParameter())
          .ifPresent(
              message -> {
                synchronized (ProxyMeeting.this) {
                  if (one.getName().equals(PlacementSql.MOVES)) {
                    moves.heard(message.move(), shard, message.hold());
                  } else {
                    moves.answered(message.move(), shard, one.getPID());
                  }
                }
              });
    }

    private void lost(SQLException why) {
      synchronized (ProxyMeeting.this) {
        moves.lost(shard);
        Closed all = closed.get(Moves.NOWHERE);
        if (moves.isCutOff() && all != null) {
          changes.refuse(
              all.change(),
              ErrorFields.error(
                  SqlState.CONNECTION_FAILURE, "no shard can be reached: " + why.getMessage()));
        }
      }
    }

    void leave() {
      ShardSql.close(connection);
      connection = null;
    }
  }
}
