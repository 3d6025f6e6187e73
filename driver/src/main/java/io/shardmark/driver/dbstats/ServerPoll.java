package io.shardmark.driver.dbstats;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.measure.ObserverThread;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.jdbc.ReopenedConnection;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks the server at a fixed interval, in a daemon thread with a connection of its own; a lost
 * connection is opened again at the next reading. Faults after the start become notes.
 */
final class ServerPoll implements AutoCloseable {
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

  /** What happens at a reading. */
  enum Mark {
    /** The time for one has come. */
    TICK,
    /** The measurement interval begins. */
    BEGIN,
    /** It ends, or the poll does. */
    END
  }

  /** Who asks. Called from the poll's thread only. */
  interface Probe extends Closeable {
    /** A new connection, which the poll closes. */
    void connected(Connection connection) throws SQLException;

    /**
     * Asks on the connection.
     *
     * @throws SQLException if the connection cannot be used any more
     * @throws IOException if nothing can be written any more: ends the poll
     */
    void read(Mark mark) throws SQLException, IOException;

    /** What a mark asks for after its reading, which may have failed. Never called for a tick. */
    void reached(Mark mark);

    /** The last call. */
    @Override
    default void close() throws IOException {}
  }

  private final ReopenedConnection connection;
  private final Probe probe;
  private final String observer;
  private final Pace pace;
  private final Consumer<String> notes;
  private final BlockingQueue<Mark> marks = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closing;

  // Only the poll's thread touches these.
  private boolean lost;
  private boolean ended;

  /**
   * @param interval between two readings
   * @param restTimes how many times as long as a reading took the next one is away at least, so
   *     that a slow server is not asked all the time
   */
  record Pace(Duration interval, int restTimes) {}

  /**
   * @param name of the thread
   * @param observer as people know it; stands in front of what it notes
   */
  ServerPoll(
      String name,
      String observer,
      Pace pace,
      ConnectionSource connections,
      Probe probe,
      Consumer<String> notes) {
    this.observer = observer;
    this.pace = pace;
    this.connection = new ReopenedConnection(connections, probe::connected);
    this.probe = probe;
    this.notes = notes;
    this.thread = ObserverThread.of(name, observer, notes, this::poll);
  }

  void start() {
    thread.start();
  }

  /** The measurement interval begins or ends now. Only leaves word; never waits. */
  void mark(Mark mark) {
    marks.add(mark);
  }

  /** Ends the interval if that has not been done, and the poll. Waits a few seconds at most. */
  @Override
  public void close() {
    closing = true;
    marks.add(Mark.END);
    try {
      thread.join(CLOSE_PATIENCE.toMillis());
      if (thread.isAlive()) {
        connection.abort(); // the server does not answer
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException e) {
      notes.accept(observer + ": the connection cannot be aborted: " + e.getMessage());
    }
  }

  private void poll() {
    try (probe) {
      long next = System.nanoTime();
      while (!(closing && marks.isEmpty())) {
        Mark mark = marks.poll(Math.max(0, next - System.nanoTime()), TimeUnit.NANOSECONDS);
        long begin = System.nanoTime();
        if (mark == null) {
          reading(Mark.TICK);
          next = next(next, begin, System.nanoTime());
        } else if (!ended) {
          reading(mark);
          ended = mark == Mark.END;
          probe.reached(mark);
        }
      }
    } catch (IOException e) {
      notes.accept(observer + ": stopped, cannot write its file: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connection.close();
    }
  }

  /** Readings that are late are left out. */
  private long next(long due, long begin, long now) {
    long interval = pace.interval().toNanos();
    long earliest = now + pace.restTimes() * (now - begin);
    return due + interval * Math.max(1, (earliest - due + interval - 1) / interval);
  }

  private void reading(Mark mark) throws IOException {
    try {
      connection.get();
      probe.read(mark);
      if (lost) {
        lost = false;
        notes.accept(observer + ": read again");
      }
    } catch (SQLException | ConfigException e) {
      if (!lost) {
        notes.accept(
            observer
                + ": none until the server answers again: "
                + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
      lost = true;
      connection.giveUp();
    }
  }
}
