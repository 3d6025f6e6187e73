package io.shardmark.driver.dbstats;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.dbstats.ServerPoll.Mark;
import io.shardmark.driver.recorder.RowFile;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the server's figures at a fixed interval into {@code db_stats.csv}, and adds up those of
 * the measurement interval. A row has each counter's increase since the row before and the levels
 * as they are. The first reading decides the columns; what is missing later is an empty field.
 */
public final class DatabaseStats implements ServerPoll.ServerProbe {
  private final DatabaseKind kind;
  private final int run;
  private final Path path;
  private final Optional<String> sizes;
  private final Consumer<String> notes;
  private volatile Map<String, Double> recent = Map.of();
  private volatile Map<String, Long> figures = Map.of();

  // Only the poll's thread touches these.
  private FigureSum sum = new FigureSum();
  private final long startNanos = System.nanoTime();
  private List<String> columns = List.of();
  private @Nullable RowFile file;
  private @Nullable FigureReader reader;
  private @Nullable Reading previous;
  private long lastMillis;

  private DatabaseStats(
      DatabaseKind kind, int run, Path directory, Optional<String> sizes, Consumer<String> notes) {
    this.kind = kind;
    this.sizes = sizes;
    this.run = run;
    this.path = directory.resolve("db_stats.csv");
    this.notes = notes;
  }

  /**
   * Starts to read; returns at once, before the connection is made.
   *
   * @param sizes one more query for sizes, whose column labels name them
   * @param notes receives one line for each fault; called from the poll's thread
   */
  public static ServerPoll<DatabaseStats> start(
      ConnectionSource connections,
      DatabaseKind kind,
      Duration interval,
      int runId,
      Path dataDirectory,
      Optional<String> sizes,
      Consumer<String> notes) {
    return ServerPoll.start(
        new ServerPoll.Observer("db-stats", "database figures", interval, 0),
        connections,
        new DatabaseStats(kind, runId, dataDirectory, sizes, notes),
        notes);
  }

  /**
   * What the server counted from the begin of the interval (without it, from the start) to its end
   * (without it, to that of the poll), by name; empty if the server offers nothing. Complete when
   * the poll is closed.
   *
   * <p>Counters such as {@code xact_commit} or {@code wal_bytes} are the increase, over a restart
   * of the server too; levels such as {@code lock_waiters_max} the greatest value seen at a
   * reading; {@code relation_bytes} the size at the end and {@code relation_bytes_increase} its
   * growth (negative if it shrank). The figures hold the whole server or database, so also what
   * others did there, and the readings' own few statements.
   */
  public Map<String, Long> figures() {
    return figures;
  }

  /** Counters per second and levels, of the time between the last two readings. */
  public Map<String, Double> recent() {
    return recent;
  }

  @Override
  public void connected(Connection connection) throws SQLException {
    reader = new FigureReader(connection, kind, sizes, notes);
  }

  /** What happened since the row before belongs to the interval that ends here, if one does. */
  @Override
  public void read(Mark mark) throws SQLException, IOException {
    Reading now =
        Objects.requireNonNull(reader, "connected").read(mark != Mark.TICK || previous == null);
    RowFile out = file == null ? create(now) : file;
    file = out;
    Map<String, Long> increases = previous == null ? Map.of() : now.increaseSince(previous);
    if (previous != null) {
      long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
      out.number(run).comma().number(elapsed);
      for (String column : columns) {
        Long value = increases.getOrDefault(column, now.levels().get(column));
        out.comma().text(value == null ? "" : value.toString());
      }
      out.endRow();
      out.flush();
      recent = perSecond(increases, now, elapsed - lastMillis);
      lastMillis = elapsed;
    }
    sum.add(increases, now);
    previous = now;
  }

  private RowFile create(Reading first) throws IOException {
    columns =
        Stream.of(first.counters(), first.levels()).flatMap(all -> all.keySet().stream()).toList();
    return RowFile.create(
        path,
        Stream.concat(Stream.of("run", "elapsed"), columns.stream())
            .collect(Collectors.joining(",")));
  }

  private static Map<String, Double> perSecond(
      Map<String, Long> increases, Reading now, long millis) {
    Map<String, Double> figures = new TreeMap<>();
    increases.forEach((name, value) -> figures.put(name, 1000.0 * value / Math.max(1, millis)));
    now.levels().forEach((name, value) -> figures.put(name, value.doubleValue()));
    return Collections.unmodifiableMap(figures);
  }

  @Override
  public void reached(Mark mark) {
    if (mark == Mark.END) {
      figures = sum.figures();
      return;
    }
    sum = new FigureSum();
    if (previous != null) {
      sum.add(Map.of(), previous);
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
