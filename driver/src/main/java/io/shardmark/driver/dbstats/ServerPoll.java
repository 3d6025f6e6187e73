package io.shardmark.driver.dbstats;

import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.driver.measure.ObserverThread;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.jdbc.ReopenedConnection;
import java.io.Closeable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Asks the server at a fixed interval, in a daemon thread with its own connection; a lost
 * connection is opened again at the next reading. Faults after the start become notes.
 */
public final class ServerPoll<P extends ServerPoll.ServerProbe> implements AutoCloseable {
  /** What happens at a reading. */
  public enum Mark {
    /** The time for one has come. */
    TICK,
    /** The measurement interval begins. */
    BEGIN,
    /** It ends, or the poll does. */
    END
  }

  /** Who asks. Called from the poll's thread only. */
  public interface ServerProbe extends Closeable {
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

    @Override
    default void close() throws IOException {}
  }

  private final Observer observer;
  private final ReopenedConnection connection;
  private final P probe;
  private final Consumer<String> notes;
  private final ObserverThread thread;

  // Only the poll's thread touches these.
  private long due = System.nanoTime();
  private boolean lost;
  private boolean ended;

  /**
   * Which poll it is.
   *
   * @param name as people know it; is put before what it notes
   * @param restTimes how many times as long as a reading took the next one is away at least, so
   *     that a slow server is not asked all the time
   */
  record Observer(String thread, String name, Duration interval, int restTimes) {}

  private ServerPoll(
      Observer observer, ConnectionSource connections, P probe, Consumer<String> notes) {
    this.observer = observer;
    this.connection = new ReopenedConnection(connections, probe::connected);
    this.probe = probe;
    this.notes = notes;
    this.thread =
        new ObserverThread(observer.thread(), observer.name(), notes, this::tick, this::end);
  }

  static <P extends ServerProbe> ServerPoll<P> start(
      Observer observer, ConnectionSource connections, P probe, Consumer<String> notes) {
    ServerPoll<P> poll = new ServerPoll<>(observer, connections, probe, notes);
    poll.thread.start();
    return poll;
  }

  /** Who asks, for what it has found out. */
  public P probe() {
    return probe;
  }

  /** The measurement interval begins now. Only leaves word; never waits. */
  public void beginInterval() {
    thread.execute(() -> reach(Mark.BEGIN));
  }

  /** The measurement interval ends now. Only leaves word; never waits. */
  public void endInterval() {
    thread.execute(() -> reach(Mark.END));
  }

  /**
   * Ends the interval if that has not been done, with a last reading, and the poll. Waits as {@link
   * ObserverThread#close} does.
   */
  @Override
  public void close() {
    endInterval();
    thread.close();
    if (thread.isAlive()) { // the server does not answer
      try {
        connection.abort();
      } catch (SQLException e) {
        note("the connection cannot be aborted: " + e.getMessage());
      }
    }
  }

  private void note(String text) {
    notes.accept(observer.name() + ": " + text);
  }

  private void reach(Mark mark) throws IOException {
    if (!ended) {
      reading(mark);
      ended = mark == Mark.END;
      probe.reached(mark);
    }
  }

  /** Readings that are late are left out. */
  private long tick() throws IOException {
    long tookNanos = reading(Mark.TICK);
    long interval = observer.interval().toNanos();
    long now = System.nanoTime();
    long earliest = now + observer.restTimes() * tookNanos;
    due += interval * Math.max(1, (earliest - due + interval - 1) / interval);
    return due - now;
  }

  private void end() throws IOException {
    try (connection) {
      probe.close();
    }
  }

  /**
   * @return how long it took, in nanoseconds, without the time to connect, which comes once
   */
  private long reading(Mark mark) throws IOException {
    long begin = System.nanoTime();
    try {
      connection.get();
      begin = System.nanoTime();
      probe.read(mark);
      if (lost) {
        lost = false;
        note("read again");
      }
    } catch (SQLException | ConfigException e) {
      if (!lost) {
        note("none until the server answers again: " + FirstLine.of(e));
      }
      lost = true;
      connection.giveUp();
    }
    return System.nanoTime() - begin;
  }
}
