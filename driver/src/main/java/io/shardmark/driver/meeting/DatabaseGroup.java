package io.shardmark.driver.meeting;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.meeting.MeetingRow.About;
import java.nio.file.Path;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Drivers that meet in a table of the database under test. Each writes its own row and reads those
 * of the others. Driver 0 looks whether all fit together and sets the start.
 *
 * <p>Before the start, whatever is wrong ends the whole group with one line. Afterwards a driver
 * that is lost is reported and the others go on: their load is real.
 */
public final class DatabaseGroup implements DriverGroup {
  /** From the request to end until the end: enough for all to read it. */
  private static final long STOP_LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

  /** How long a signal waits for the table before it ends this driver alone. */
  private static final long STOP_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** How long driver 0 of a group that broke up is there for those who are on their way to it. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** For those who wait for driver 0, whose time-outs say more. */
  private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final DriversConfig config;
  private final Messages messages;
  private final MeetingTable table;
  private final GroupTerms terms;

  /** What stood in the table before, of runs that are under way or ended badly. */
  private final List<MeetingTable.TextColumn> before;

  private final RowExchange exchange;
  private final @Nullable Conductor conductor;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private volatile @Nullable String ended;
  private volatile @Nullable LongConsumer onStop;
  private volatile @Nullable DatabaseClock clock;
  private volatile @Nullable StartInstant start;
  private volatile long deadlineNanos;

  private DatabaseGroup(
      DriversConfig config,
      MeetingTable table,
      GroupTerms terms,
      MeetingRow own,
      List<MeetingTable.TextColumn> before,
      Messages messages) {
    this.config = config;
    this.messages = messages;
    this.table = table;
    this.terms = terms;
    this.before = before;
    this.exchange = new RowExchange(table, own, this::look, this::failed);
    this.conductor =
        own.index() == 0
            ? new Conductor(
                config,
                new Roster(config.count(), terms.scale(), own.about().identity()),
                messages.info())
            : null;
    this.deadlineNanos = System.nanoTime() + config.patience().toNanos();
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
    Runnable leave = table::close;
    try {
      messages
          .info()
          .accept(
              "Driver %d, one of %d: waiting for the others in the table %s"
                  .formatted(config.index(), config.count(), MeetingTable.NAME));
      List<MeetingTable.TextColumn> before = table.texts();
      GroupTerms terms = config.isFirst() ? proposal : awaitFirst(config, table);
      MeetingRow own =
          MeetingRow.joined(
              terms.group(), new About(config.count(), identity, config.isFirst() ? terms : null));
      if (!table.insert(own)) {
        throw new ConfigException(
            "driverIndex=%d: another driver of this run has it, expected different ones"
                .formatted(config.index()));
      }
      DatabaseGroup made = new DatabaseGroup(config, table, terms, own, before, messages);
      leave = made::close;
      made.exchange.start();
      made.awaitState(
          MeetingRow.MeetingState.COMPLETE, 2 * config.patience().toNanos() + SLACK_NANOS);
      leave = () -> {};
      return made;
    } catch (SQLException e) {
      throw new ConfigException(
          "drivers=%d: they meet in the table %s of the database, which cannot be used: %s"
              .formatted(config.count(), MeetingTable.NAME, FirstLine.of(e)));
    } finally {
      leave.run();
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
          living.stream().filter(row -> row.state() == MeetingRow.MeetingState.JOINED).toList();
      if (waiting.size() > 1) {
        throw new ConfigException(
            "drivers=%d: %d drivers with driverIndex 0 wait in this database, expected one run of so many drivers at a time"
                .formatted(config.count(), waiting.size()));
      }
      if (waiting.size() == 1) {
        return Objects.requireNonNull(waiting.get(0).about().terms());
      }
      for (MeetingRow row : living) {
        if (row.state() == MeetingRow.MeetingState.REFUSED) {
          throw new ConfigException(row.status().note());
        }
      }
      if (System.nanoTime() - deadline >= 0) {
        throw new ConfigException(
            "driver 0 is not in the table %s after %d s (driverWaitSecs)"
                .formatted(MeetingTable.NAME, config.patience().toSeconds()));
      }
      TimeUnit.NANOSECONDS.sleep(RowExchange.GATHERING_PERIOD_NANOS);
    }
  }

  /** The thread of the rows has ended, or will try again. */
  private void failed(Throwable fault) {
    if (!(fault instanceof SQLException e)) {
      String reason = "this driver cannot meet the others any more: " + fault;
      messages.error().accept(reason);
      end(reason);
    } else if (!hasStarted() && e instanceof SQLDataException) {
      end(FirstLine.of(e));
    } else if (!hasStarted() && isOverdue()) {
      end("the table %s cannot be reached: %s".formatted(MeetingTable.NAME, FirstLine.of(e)));
    }
  }

  private boolean isOverdue() {
    return System.nanoTime() - deadlineNanos > 0;
  }

  /** Takes in what the others say. */
  private void look(List<MeetingRow> silent) {
    Conductor decides = conductor;
    if (hasStarted()) {
      silent.forEach(this::tellOfLost);
    } else if (decides != null) {
      exchange.say(own -> conduct(decides, own, silent));
    }
    if (exchange.isFirst(MeetingRow.MeetingState.REFUSED::equals)) {
      end(exchange.first().orElseThrow().status().note());
      stop(System.nanoTime()); // if it was too late to be heard before the start
    }
    if (!hasStarted() && silent.stream().anyMatch(row -> row.index() == 0)) {
      end("driver 0 was lost before the start");
    }
    DatabaseClock known = clock;
    if (known != null) {
      exchange.endMicros().ifPresent(micros -> stop(known.toNanos(micros)));
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
  private MeetingRow conduct(Conductor decides, MeetingRow own, List<MeetingRow> silent) {
    MeetingRow next =
        decides.next(
            own,
            exchange.seen(),
            silent,
            isOverdue(),
            () ->
                Objects.requireNonNull(clock)
                    .toMicros(System.nanoTime() + Conductor.START_LEAD_NANOS));
    if (next.state() == MeetingRow.MeetingState.COMPLETE
        && own.state() != MeetingRow.MeetingState.COMPLETE) {
      deadlineNanos = System.nanoTime() + config.patience().toNanos();
    }
    return next;
  }

  /** By the clock, and not by when a thread woke up. */
  private boolean hasStarted() {
    StartInstant agreed = start;
    return agreed != null && System.nanoTime() - agreed.nanos() >= 0;
  }

  /** The first reason counts. Only the thread of the rows comes here. */
  private void end(String reason) {
    if (ended == null) {
      ended = reason;
    }
  }

  private void stop(long nanos) {
    if (start != null && stopped.compareAndSet(false, true)) {
      LongConsumer end = onStop;
      if (end != null) {
        end.accept(nanos);
      }
    }
  }

  @Override
  public GroupTerms terms() {
    return terms;
  }

  @Override
  public void refuse(String reason) {
    exchange.say(MeetingRow.MeetingState.REFUSED, reason);
  }

  @Override
  public void onStop(LongConsumer end) {
    onStop = end;
  }

  @Override
  public StartInstant awaitStart() throws InterruptedException {
    DatabaseClock known = measureClock();
    clock = known;
    exchange.say(MeetingRow.MeetingState.READY, "");
    awaitState(MeetingRow.MeetingState.STARTED, 2 * config.patience().toNanos() + SLACK_NANOS);
    Long startMicros = exchange.first().orElseThrow().status().startMicros();
    StartInstant agreed =
        new StartInstant(
            known.toNanos(Objects.requireNonNull(startMicros)), known.uncertaintyNanos());
    start = agreed;
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
          throw failed("the database's clock cannot be read: " + FirstLine.of(e));
        }
        awaitInstant(System.nanoTime() + RowExchange.GATHERING_PERIOD_NANOS);
      }
    }
  }

  private ConfigException failed(String reason) {
    refuse(reason);
    return new ConfigException(reason);
  }

  private void awaitState(MeetingRow.MeetingState state, long patienceNanos)
      throws InterruptedException {
    exchange.await(() -> ended != null || isFirst(state), System.nanoTime() + patienceNanos);
    if (!isFirst(state)) {
      throw new ConfigException(
          Objects.requireNonNullElse(
              ended, "drivers=%d: driver 0 does not answer".formatted(config.count())));
    }
  }

  /** Whether driver 0 is that far. */
  private boolean isFirst(MeetingRow.MeetingState state) {
    return exchange.isFirst(
        first -> first != MeetingRow.MeetingState.REFUSED && first.isAtLeast(state));
  }

  @Override
  public void awaitInstant(StartInstant instant) throws InterruptedException {
    awaitInstant(instant.nanos());
  }

  private void awaitInstant(long nanos) throws InterruptedException {
    exchange.await(() -> ended != null, nanos);
    String why = ended;
    if (why != null) {
      throw new ConfigException(why);
    }
  }

  @Override
  public void requestStop(String reason) {
    DatabaseClock known = clock;
    if (known == null || start == null) {
      refuse(reason + " before the start");
      return;
    }
    long end = known.toMicros(System.nanoTime() + STOP_LEAD_NANOS);
    exchange.say(own -> own.status().endMicros() == null ? own.ending(end, reason) : own);
    Thread alone = new Thread(this::stopAlone, "stop");
    alone.setDaemon(true);
    alone.start();
  }

  /** If the table cannot be reached. */
  private void stopAlone() {
    try {
      exchange.await(stopped::get, System.nanoTime() + STOP_PATIENCE_NANOS);
    } catch (InterruptedException e) {
      // It ends at once, then.
    }
    stop(System.nanoTime());
  }

  @Override
  public boolean isStopped() {
    return stopped.get();
  }

  @Override
  public OptionalLong driftNanos() {
    DatabaseClock atStart = clock;
    if (atStart == null) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(DatabaseClock.measure(table).offsetNanos() - atStart.offsetNanos());
    } catch (SQLException e) {
      return OptionalLong.empty(); // not known, and nothing depends on it
    }
  }

  @Override
  public List<Other> finish(Path directory) throws InterruptedException {
    exchange.say(MeetingRow.MeetingState.DONE, directory.toAbsolutePath().toString());
    exchange.await(this::isSettled, System.nanoTime() + config.patience().toNanos());
    return exchange.seen().stream()
        .filter(row -> row.index() != config.index())
        .map(row -> new Other(row.about().identity(), fate(row), row.status().note()))
        .toList();
  }

  private Fate fate(MeetingRow row) {
    if (row.state() == MeetingRow.MeetingState.DONE) {
      return Fate.DONE;
    }
    return row.state().isAtLeast(MeetingRow.MeetingState.LEFT) || exchange.isSilent(row)
        ? Fate.LOST
        : Fate.GOING_ON;
  }

  /** What this driver has to say is in the table; of driver 0: and all that others have to say. */
  private boolean isSettled() {
    List<MeetingRow> rows = exchange.seen();
    return rows.stream()
            .anyMatch(
                row -> row.index() == config.index() && row.state() == MeetingRow.MeetingState.DONE)
        && (!config.isFirst() || rows.stream().allMatch(row -> fate(row) != Fate.GOING_ON));
  }

  @Override
  public void close() {
    if (!exchange.state().isAtLeast(MeetingRow.MeetingState.DONE)) {
      // Before the start this ends all; afterwards the others go on.
      exchange.say(
          hasStarted() ? MeetingRow.MeetingState.LEFT : MeetingRow.MeetingState.REFUSED, "it left");
    }
    // What was said last is to be heard, also by those who are on their way.
    boolean late = config.isFirst() && !hasStarted() && !isOverdue() && !isComplete();
    try {
      exchange.await(
          () -> !exchange.isAlive() || (exchange.isHeard() && (!late || isComplete())),
          System.nanoTime() + (late ? LINGER_NANOS : STOP_PATIENCE_NANOS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exchange.close();
    if (config.isFirst() && exchange.state() == MeetingRow.MeetingState.DONE) {
      try {
        table.delete(terms.group());
        table.deleteUnchanged(before);
      } catch (SQLException e) {
        // Rows that are left harm nobody.
      }
    }
    table.close();
  }

  private boolean isComplete() {
    return exchange.seen().size() >= config.count();
  }
}
