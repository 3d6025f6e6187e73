package io.shardmark.driver.dbstats;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.measure.ObserverThread;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server's figures at a fixed interval into {@code db_stats.csv}, and adds up those of
 * the measurement interval. Works in a daemon thread with a connection of its own; a lost
 * connection is opened again at the next reading. Faults after the start become notes.
 */
public final class DatabaseStats implements AutoCloseable {
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

  /** Opens a new connection, which the collector closes. */
  @FunctionalInterface
  public interface ConnectionSource {
    /**
     * @throws SQLException if the database cannot be reached
     */
    Connection open() throws SQLException;
  }

  private enum Order {
    BEGIN,
    END,
    STOP
  }

  private final ConnectionSource connections;
  private final DatabaseKind kind;
  private final Duration interval;
  private final FigureFile file;
  private final Consumer<String> listener;
  private final List<String> notes = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
  private final Thread thread =
      ObserverThread.of("db-stats", "database figures", this::note, this::collect);
  private volatile @Nullable Connection connection;
  private volatile DatabaseFigures figures = new DatabaseFigures(new TreeMap<>(), List.of());

  // Only the collector's thread touches these.
  private final FigureSum sum = new FigureSum();
  private final long startNanos = System.nanoTime();
  private @Nullable FigureReader reader;
  private @Nullable Reading previous;
  private boolean lost;
  private boolean ended;

  private DatabaseStats(
      ConnectionSource connections,
      DatabaseKind kind,
      Duration interval,
      FigureFile file,
      Consumer<String> listener) {
    this.connections = connections;
    this.kind = kind;
    this.interval = interval;
    this.file = file;
    this.listener = listener;
  }

  /**
   * Starts to read; returns at once, before the connection is made.
   *
   * @param connections opens the connection
   * @param kind decides which figures are read
   * @param interval time between two readings, above 0; 1 s is usual
   * @param runId first column of each row
   * @param dataDirectory existing directory of {@code db_stats.csv}
   * @param notes receives one line for each fault; called from the collector's thread
   * @throws IOException if the file cannot be created
   */
  public static DatabaseStats start(
      ConnectionSource connections,
      DatabaseKind kind,
      Duration interval,
      int runId,
      Path dataDirectory,
      Consumer<String> notes)
      throws IOException {
    DatabaseStats stats =
        new DatabaseStats(connections, kind, interval, new FigureFile(runId, dataDirectory), notes);
    stats.thread.start();
    return stats;
  }

  /** The measurement interval begins now. Only leaves word for the collector; never waits. */
  public void beginInterval() {
    orders.add(Order.BEGIN);
  }

  /** The measurement interval ends now. Only leaves word for the collector; never waits. */
  public void endInterval() {
    orders.add(Order.END);
  }

  /**
   * Takes a last reading if the interval has not ended yet, closes the connection and the file.
   * Waits for the thread a few seconds at most; an interruption ends the waiting and stays set.
   */
  @Override
  public void close() {
    orders.add(Order.STOP);
    try {
      thread.join(CLOSE_PATIENCE.toMillis());
      Connection open = connection;
      if (thread.isAlive() && open != null) {
        open.abort(Runnable::run); // the server does not answer
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException e) {
      note("database figures: the connection cannot be aborted: " + e.getMessage());
    }
  }

  /**
   * The figures from {@link #beginInterval} (without it, from the start) to {@link #endInterval}
   * (without it, to the end). Complete after {@link #close}.
   */
  public DatabaseFigures figures() {
    return new DatabaseFigures(figures.values(), notes);
  }

  private void note(String text) {
    notes.add(text);
    listener.accept(text);
  }

  private void collect() {
    try (file) {
      reading(true);
      long tick = 1;
      Order order = null;
      while (order != Order.STOP) {
        long wait = startNanos + tick * interval.toNanos() - System.nanoTime();
        order = orders.poll(Math.max(0, wait), TimeUnit.NANOSECONDS);
        if (order == null) {
          reading(false);
          tick = Math.max(tick, (System.nanoTime() - startNanos) / interval.toNanos()) + 1;
        } else {
          obey(order);
        }
      }
    } catch (IOException e) {
      note("database figures: stopped, cannot write db_stats.csv: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      disconnect();
    }
  }

  private void obey(Order order) throws IOException {
    if (ended) {
      return;
    }
    // What happened since the row before belongs to the interval that ends here, if one does.
    reading(true);
    switch (order) {
      case BEGIN -> {
        sum.restart();
        if (previous != null) {
          sum.add(Map.of(), previous);
        }
      }
      case END, STOP -> {
        figures = sum.figures(notes);
        ended = true;
      }
    }
  }

  private void reading(boolean withSizes) throws IOException {
    try {
      FigureReader open = reader();
      Reading now = open.read(withSizes);
      if (lost) {
        lost = false;
        note("database figures: read again");
      }
      file.header(now);
      Map<String, Long> increases = previous == null ? Map.of() : now.increaseSince(previous);
      if (previous != null) {
        long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        file.row(elapsed, increases, now);
      }
      sum.add(increases, now);
      previous = now;
    } catch (SQLException | ConfigException e) {
      if (!lost) {
        note(
            "database figures: none until the server answers again: "
                + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
      lost = true;
      disconnect();
    }
  }

  private FigureReader reader() throws SQLException {
    FigureReader open = reader;
    if (open == null) {
      Connection opened = connections.open();
      connection = opened;
      open = new FigureReader(opened, kind, this::note);
      reader = open;
    }
    return open;
  }

  private void disconnect() {
    reader = null;
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException ignored) {
        // It only read; nothing is lost with it.
      }
    }
  }
}
