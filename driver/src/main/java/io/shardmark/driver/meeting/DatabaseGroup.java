package io.shardmark.driver.meeting;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import io.shardmark.driver.meeting.MeetingRow.About;
import io.shardmark.driver.meeting.MeetingRow.State;
import java.nio.file.Path;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Drivers that meet in a table of the database under test. Each writes its own row and reads those
 * of the others; a thread of its own, {@code drivers}, does both several times a second. Driver 0
 * looks whether all fit together and sets the start.
 *
 * <p>Before the start, whatever is wrong ends the whole group with one line. Afterwards a driver
 * that is lost is reported and the others go on: their load is real.
 */
public final class DatabaseGroup implements DriverGroup {
  private static final long GATHERING_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long RUN_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** From the request to end until the end: enough for all to read it. */
  private static final long STOP_LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  /** How long a signal waits for the table before it ends this driver alone. */
  private static final long STOP_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How long driver 0 of a group that broke up is there for those who are on their way to it. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** For those who wait for driver 0, which has time-outs of its own that say more. */
  private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final DriversConfig config;
  private final Messages messages;
  private final MeetingTable table;
  private final GroupTerms terms;

  /** What stood in the table before, of runs that are under way or ended badly. */
  private final Map<String, List<MeetingTable.Text>> before;

  private final Rollcall rollcall;
  private final @Nullable Conductor conductor;
  private final Thread thread;

  // All that follows is guarded by this object.
  private MeetingRow own;
  private List<MeetingRow> seen = List.of();
  private boolean written;
  private @Nullable String ended;
  private @Nullable LongConsumer onStop;
  private @Nullable DatabaseClock clock;
  private @Nullable StartInstant start;
  private boolean stopped;
  private boolean closed;
  private long deadlineNanos;

  private DatabaseGroup(
      DriversConfig config,
      MeetingTable table,
      GroupTerms terms,
      MeetingRow own,
      Map<String, List<MeetingTable.Text>> before,
      Messages messages) {
    this.config = config;
    this.messages = messages;
    this.table = table;
    this.terms = terms;
    this.own = own;
    this.before = before;
    this.rollcall = new Rollcall(own.index());
    this.conductor =
        own.index() == 0
            ? new Conductor(
                config,
                new Roster(config.count(), terms.scale(), own.about().identity()),
                messages.info())
            : null;
    this.deadlineNanos = System.nanoTime() + config.patience().toNanos();
    this.thread = new Thread(this::meet, "drivers");
    thread.setDaemon(true);
  }

  /**
   * Waits until all drivers are there and agree.
   *
   * @param proposal what driver 0 decides; of others nobody reads it
   * @param table of the database under test; closed with the group, or if there will be none
   * @throws ConfigException if they are not all there in time, or do not agree, or the table cannot
   *     be made or reached
   */
  public static DatabaseGroup join(
      DriversConfig config,
      DriverIdentity identity,
      GroupTerms proposal,
      MeetingTable table,
      Messages messages)
      throws InterruptedException {
    DatabaseGroup made = null;
    boolean joined = false;
    try {
      messages
          .info()
          .accept(
              "Driver %d, one of %d: waiting for the others in the table %s"
                  .formatted(config.index(), config.count(), MeetingTable.NAME));
      Map<String, List<MeetingTable.Text>> before = table.texts();
      GroupTerms terms = config.isFirst() ? proposal : awaitFirst(config, table);
      MeetingRow own =
          MeetingRow.joined(
              terms.group(), new About(config.count(), identity, config.isFirst() ? terms : null));
      if (!table.insert(own)) {
        throw new ConfigException(
            "driverIndex=%d: another driver of this run has it, expected one of its own for each"
                .formatted(config.index()));
      }
      made = new DatabaseGroup(config, table, terms, own, before, messages);
      made.thread.start();
      made.awaitState(State.COMPLETE, 2 * config.patience().toNanos() + SLACK_NANOS);
      joined = true;
      return made;
    } catch (SQLException e) {
      throw new ConfigException(
          "drivers=%d: they meet in the table %s of the database, which cannot be used: %s"
              .formatted(config.count(), MeetingTable.NAME, line(e)));
    } finally {
      if (!joined && made != null) {
        made.close();
      } else if (!joined) {
        table.close();
      }
    }
  }

  /** Rows of runs that ended badly may lie there: a driver 0 that lives changes its row. */
  private static GroupTerms awaitFirst(DriversConfig config, MeetingTable table)
      throws SQLException, InterruptedException {
    Map<String, Long> beats = new HashMap<>();
    long deadline = System.nanoTime() + config.patience().toNanos();
    while (true) {
      List<MeetingRow> living = new ArrayList<>();
      for (MeetingRow row : table.firsts()) {
        if (row.about().drivers() == config.count()) {
          Long heard = beats.putIfAbsent(row.group(), row.status().beat());
          if (heard != null && heard != row.status().beat()) {
            living.add(row);
          }
        }
      }
      List<MeetingRow> waiting =
          living.stream().filter(row -> row.state() == State.JOINED).toList();
      if (waiting.size() > 1) {
        throw new ConfigException(
            "drivers=%d: %d drivers with driverIndex 0 wait in this database, expected one run of so many drivers at a time"
                .formatted(config.count(), waiting.size()));
      }
      if (waiting.size() == 1) {
        return Objects.requireNonNull(waiting.get(0).about().terms());
      }
      for (MeetingRow row : living) {
        if (row.state() == State.REFUSED) {
          throw new ConfigException(row.status().note());
        }
      }
      if (System.nanoTime() - deadline >= 0) {
        throw new ConfigException(
            "driver 0 is not in the table %s after %d s (driverWaitSecs)"
                .formatted(MeetingTable.NAME, config.patience().toSeconds()));
      }
      TimeUnit.NANOSECONDS.sleep(GATHERING_PERIOD_NANOS);
    }
  }

  private static String line(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
  }

  /** The thread {@code drivers}. */
  private void meet() {
    try {
      while (!isClosed()) {
        exchange();
        pause();
      }
    } catch (Throwable fault) { // top of a thread
      String reason = "this driver cannot meet the others any more: " + fault;
      messages.error().accept(reason);
      end(reason);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized void pause() {
    boolean gathering = !State.STARTED.equals(firstState()) && !stopped;
    try {
      await(
          () -> closed || !written,
          System.nanoTime() + (gathering ? GATHERING_PERIOD_NANOS : RUN_PERIOD_NANOS));
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  /** Waits until it is so, or that instant has come; what is asked may also change by itself. */
  private synchronized void await(BooleanSupplier isSo, long deadlineNanos)
      throws InterruptedException {
    long left = deadlineNanos - System.nanoTime();
    while (!isSo.getAsBoolean() && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, GATHERING_PERIOD_NANOS));
      left = deadlineNanos - System.nanoTime();
    }
  }

  private void exchange() {
    MeetingRow row;
    synchronized (this) {
      own = own.beating();
      row = own;
      written = true;
    }
    try {
      table.update(row);
      look(table.of(terms.group()), row);
    } catch (SQLException e) {
      synchronized (this) {
        written = row.equals(own); // to be tried again at the next turn, without haste
        rollcall.blind();
      }
      if (!hasStarted() && e instanceof SQLDataException) {
        end(line(e));
      } else if (!hasStarted() && isOverdue()) {
        end("the table %s cannot be reached: %s".formatted(MeetingTable.NAME, line(e)));
      }
    }
  }

  private synchronized boolean isOverdue() {
    return System.nanoTime() - deadlineNanos > 0;
  }

  /** Takes in what the others say. */
  private synchronized void look(List<MeetingRow> rows, MeetingRow justWritten) {
    seen = rows;
    List<MeetingRow> silent = rollcall.call(rows, System.nanoTime());
    if (hasStarted()) {
      silent.forEach(this::tellOfLost);
    } else if (conductor != null) {
      conduct(conductor, silent);
    }
    MeetingRow first = first();
    if (first != null && first.state() == State.REFUSED) {
      end(first.status().note());
      stop(System.nanoTime()); // if it was too late to be heard before the start
    }
    if (own.index() != 0 && !hasStarted() && silent.stream().anyMatch(row -> row.index() == 0)) {
      end("driver 0 was lost before the start");
    }
    Optional<Long> endMicros =
        rows.stream()
            .map(row -> row.status().endMicros())
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder());
    if (endMicros.isPresent() && clock != null) {
      stop(clock.toNanos(endMicros.get()));
    }
    if (justWritten.equals(own)) {
      notifyAll();
    }
  }

  private void tellOfLost(MeetingRow row) {
    messages
        .error()
        .accept(
            "%s was lost: not heard of for %d s. The others go on; the result will be incomplete."
                .formatted(row.name(), Rollcall.LOST_AFTER_SECONDS));
  }

  /** Driver 0, before the start. */
  private void conduct(Conductor decides, List<MeetingRow> silent) {
    MeetingRow next =
        decides.next(
            own,
            seen,
            silent,
            isOverdue(),
            () ->
                Objects.requireNonNull(clock)
                    .toMicros(System.nanoTime() + Conductor.START_LEAD_NANOS));
    if (next.equals(own)) {
      return;
    }
    if (next.state() == State.COMPLETE) {
      deadlineNanos = System.nanoTime() + config.patience().toNanos();
    }
    say(next);
  }

  private synchronized void say(MeetingRow row) {
    own = row;
    written = false;
    notifyAll();
  }

  private synchronized void become(State state, String note) {
    say(own.with(state, note));
  }

  private @Nullable MeetingRow find(int index) {
    return seen.stream().filter(row -> row.index() == index).findFirst().orElse(null);
  }

  private synchronized @Nullable MeetingRow first() {
    return own.index() == 0 ? own : find(0);
  }

  private synchronized @Nullable State firstState() {
    MeetingRow first = first();
    return first == null ? null : first.state();
  }

  /** By the clock, and not by when a thread woke up. */
  private synchronized boolean hasStarted() {
    StartInstant agreed = start;
    return agreed != null && System.nanoTime() - agreed.nanos() >= 0;
  }

  private synchronized void end(String reason) {
    if (ended == null) {
      ended = reason;
    }
    notifyAll();
  }

  private synchronized void stop(long nanos) {
    if (stopped || start == null) {
      return;
    }
    stopped = true;
    if (onStop != null) {
      onStop.accept(nanos);
    }
    notifyAll();
  }

  @Override
  public GroupTerms terms() {
    return terms;
  }

  @Override
  public void refuse(String reason) {
    become(State.REFUSED, reason);
  }

  @Override
  public synchronized void onStop(LongConsumer end) {
    onStop = end;
  }

  @Override
  public StartInstant awaitStart() throws InterruptedException {
    DatabaseClock measured = measureClock();
    synchronized (this) {
      clock = measured;
    }
    become(State.READY, "");
    awaitState(State.STARTED, 2 * config.patience().toNanos() + SLACK_NANOS);
    StartInstant agreed;
    synchronized (this) {
      DatabaseClock known = Objects.requireNonNull(clock);
      agreed =
          new StartInstant(
              known.toNanos(
                  Objects.requireNonNull(Objects.requireNonNull(first()).status().startMicros())),
              known.uncertaintyNanos());
      start = agreed;
    }
    long late = System.nanoTime() - agreed.nanos();
    if (late >= 0) {
      throw failed("the start was read %d ms too late".formatted(late / 1_000_000));
    }
    return agreed;
  }

  /** Tries until it is late: as elsewhere, a connection that is lost ends nothing. */
  private DatabaseClock measureClock() throws InterruptedException {
    while (true) {
      try {
        return DatabaseClock.measure(table);
      } catch (SQLException e) {
        if (isOverdue()) {
          throw failed("the database's clock cannot be read: " + line(e));
        }
        awaitInstant(System.nanoTime() + GATHERING_PERIOD_NANOS);
      }
    }
  }

  private ConfigException failed(String reason) {
    refuse(reason);
    return new ConfigException(reason);
  }

  private synchronized void awaitState(State state, long patienceNanos)
      throws InterruptedException {
    await(() -> ended != null || isFirst(state), System.nanoTime() + patienceNanos);
    if (!isFirst(state)) {
      throw new ConfigException(
          Objects.requireNonNullElse(
              ended, "drivers=%d: driver 0 does not answer".formatted(config.count())));
    }
  }

  /** Whether driver 0 is that far. */
  private boolean isFirst(State state) {
    State first = firstState();
    return first != null && first != State.REFUSED && first.isAtLeast(state);
  }

  @Override
  public void awaitInstant(StartInstant instant) throws InterruptedException {
    awaitInstant(instant.nanos());
  }

  private synchronized void awaitInstant(long nanos) throws InterruptedException {
    await(() -> ended != null, nanos);
    if (ended != null) {
      throw new ConfigException(ended);
    }
  }

  @Override
  public synchronized void requestStop(String reason) {
    if (clock == null || start == null) {
      become(State.REFUSED, reason + " before the start");
      return;
    }
    if (own.status().endMicros() == null) {
      say(own.ending(clock.toMicros(System.nanoTime() + STOP_LEAD_NANOS), reason));
    }
    Thread alone = new Thread(this::stopAlone, "stop");
    alone.setDaemon(true);
    alone.start();
  }

  /** If the table cannot be reached. */
  private void stopAlone() {
    try {
      await(() -> stopped, System.nanoTime() + STOP_PATIENCE_NANOS);
    } catch (InterruptedException e) {
      // It ends at once, then.
    }
    stop(System.nanoTime());
  }

  @Override
  public synchronized boolean isStopped() {
    return stopped;
  }

  @Override
  public OptionalLong driftNanos() {
    DatabaseClock before;
    synchronized (this) {
      before = clock;
    }
    if (before == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(DatabaseClock.measure(table).offsetNanos() - before.offsetNanos());
    } catch (SQLException e) {
      return OptionalLong.empty(); // not known, and nothing depends on it
    }
  }

  @Override
  public List<Other> finish(Path directory) throws InterruptedException {
    become(State.DONE, directory.toAbsolutePath().toString());
    synchronized (this) {
      await(this::isSettled, System.nanoTime() + config.patience().toNanos());
      List<Other> others = new ArrayList<>();
      for (MeetingRow row : seen) {
        if (row.index() != own.index()) {
          others.add(new Other(row.about().identity(), fate(row), row.status().note()));
        }
      }
      return others;
    }
  }

  private Fate fate(MeetingRow row) {
    if (row.state() == State.DONE) {
      return Fate.DONE;
    }
    return row.state().isAtLeast(State.LEFT) || rollcall.isSilent(row) ? Fate.LOST : Fate.GOING_ON;
  }

  /** What this driver has to say is in the table; of driver 0: and all that others have to say. */
  private boolean isSettled() {
    MeetingRow mine = find(own.index());
    if (mine == null || mine.state() != State.DONE) {
      return false;
    }
    return own.index() != 0 || seen.stream().allMatch(row -> fate(row) != Fate.GOING_ON);
  }

  @Override
  public void close() {
    synchronized (this) {
      if (!own.state().isAtLeast(State.DONE)) {
        // Before the start this ends all; afterwards the others go on.
        become(hasStarted() ? State.LEFT : State.REFUSED, "it left");
      }
      // What was said last is to be heard, also by those who are on their way.
      boolean late =
          own.index() == 0 && !hasStarted() && !isOverdue() && seen.size() < config.count();
      try {
        await(
            () -> !thread.isAlive() || (hasSaidAll() && (!late || seen.size() >= config.count())),
            System.nanoTime() + (late ? LINGER_NANOS : STOP_PATIENCE_NANOS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      closed = true;
      notifyAll();
    }
    if (own.index() == 0 && own.state() == State.DONE) {
      try {
        tidy();
      } catch (SQLException e) {
        // Rows that are left behind harm nobody.
      }
    }
    table.close();
  }

  /** Takes this run's rows away, and those of runs that nobody has changed since it began. */
  private void tidy() throws SQLException {
    table.delete(terms.group());
    Map<String, List<MeetingTable.Text>> now = table.texts();
    for (Map.Entry<String, List<MeetingTable.Text>> group : before.entrySet()) {
      if (group.getValue().equals(now.get(group.getKey()))) {
        table.delete(group.getKey());
      }
    }
  }

  private boolean hasSaidAll() {
    MeetingRow mine = find(own.index());
    return mine == null || mine.state() == own.state();
  }
}
