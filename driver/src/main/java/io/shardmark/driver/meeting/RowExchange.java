package io.shardmark.driver.meeting;

import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Writes this driver's row and reads those of its run, several times a second, in a thread of its
 * own, {@code drivers}. Knows nothing of what they mean. Safe on any thread.
 */
final class RowExchange implements AutoCloseable {
  static final long GATHERING_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long RUN_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final MeetingTable table;
  private final Consumer<List<MeetingRow>> onRead;
  private final Consumer<Throwable> onFault;
  private final Thread thread = new Thread(this::meet, "drivers");

  // All that follows is guarded by this object.
  private final Rollcall rollcall;
  private MeetingRow own;
  private List<MeetingRow> seen = List.of();
  private boolean written;
  private boolean closed;

  /**
   * @param own this driver's row, which is in the table
   * @param onRead receives the drivers that have just been found to be lost, after each reading; on
   *     the thread, which then holds this object's lock
   * @param onFault receives why the rows could not be written or read, which is tried again, or why
   *     the thread ended; on the thread
   */
  RowExchange(
      MeetingTable table,
      MeetingRow own,
      Consumer<List<MeetingRow>> onRead,
      Consumer<Throwable> onFault) {
    this.table = table;
    this.own = own;
    this.onRead = onRead;
    this.onFault = onFault;
    this.rollcall = new Rollcall(own.index());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void meet() {
    try {
      while (!isClosed()) {
        exchange();
        pause();
      }
    } catch (Throwable fault) { // top of a thread
      onFault.accept(fault);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
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
      read(table.of(row.group()));
    } catch (SQLException e) {
      synchronized (this) {
        written = row.equals(own); // to be tried again at the next turn, without haste
        rollcall.blind();
      }
      onFault.accept(e);
    }
  }

  private synchronized void read(List<MeetingRow> rows) {
    seen = rows;
    onRead.accept(rollcall.call(rows, System.nanoTime()));
    notifyAll();
  }

  private synchronized void pause() {
    long period =
        isFirst(MeetingRow.MeetingState.STARTED::equals)
            ? RUN_PERIOD_NANOS
            : GATHERING_PERIOD_NANOS;
    try {
      await(() -> closed || !written, System.nanoTime() + period);
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  /** Waits until it is so, or that instant has come; what is asked may also change meanwhile. */
  synchronized void await(BooleanSupplier isSo, long deadlineNanos) throws InterruptedException {
    long left = deadlineNanos - System.nanoTime();
    while (!isSo.getAsBoolean() && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, GATHERING_PERIOD_NANOS));
      left = deadlineNanos - System.nanoTime();
    }
  }

  /** Changes this driver's row, which is written without delay. */
  synchronized void say(UnaryOperator<MeetingRow> change) {
    MeetingRow next = change.apply(own);
    if (!next.equals(own)) {
      own = next;
      written = false;
      notifyAll();
    }
  }

  void say(MeetingRow.MeetingState state, String note) {
    say(row -> row.with(state, note));
  }

  synchronized MeetingRow.MeetingState state() {
    return own.state();
  }

  /** The rows of the run as they were read last. */
  synchronized List<MeetingRow> seen() {
    return seen;
  }

  /** Driver 0's row; empty if it was not read. */
  synchronized Optional<MeetingRow> first() {
    return own.index() == 0 ? Optional.of(own) : find(0);
  }

  boolean isFirst(Predicate<MeetingRow.MeetingState> so) {
    return first().map(MeetingRow::state).filter(so).isPresent();
  }

  private Optional<MeetingRow> find(int index) {
    return seen.stream().filter(row -> row.index() == index).findFirst();
  }

  /** When all end, by the database's clock; empty if no driver says so. */
  synchronized Optional<Long> endMicros() {
    return seen.stream()
        .map(row -> row.status().endMicros())
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder());
  }

  synchronized boolean isSilent(MeetingRow row) {
    return rollcall.isSilent(row);
  }

  boolean isAlive() {
    return thread.isAlive();
  }

  /** Whether others can read what this driver says. */
  synchronized boolean isHeard() {
    return find(own.index()).map(row -> row.state() == own.state()).orElse(true);
  }

  /** Says nothing more. */
  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
