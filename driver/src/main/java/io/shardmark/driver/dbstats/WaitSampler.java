package io.shardmark.driver.dbstats;

import io.shardmark.config.DatabaseKind;
import io.shardmark.driver.dbstats.ServerPoll.Mark;
import io.shardmark.driver.dbstats.WaitTally.What;
import io.shardmark.driver.results.ServerWaits;
import io.shardmark.sql.jdbc.ConnectionSource;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Looks several times a second at what the run's sessions do at a PostgreSQL server: those of the
 * same user, database and application name. A server that is slow to answer is asked less often, so
 * that a sample takes at most a twentieth of the time of one session. What could not be sampled is
 * a note and is missing from {@link ServerWaits#coveredSeconds}.
 */
public final class WaitSampler implements ServerPoll.ServerProbe {
  /** Often enough for a run of a minute: 300 looks at all sessions. */
  public static final Duration PERIOD = Duration.ofMillis(200);

  private static final int REST_TIMES = 20;
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final double RECENT_SECONDS = 1;

  /**
   * Waits for the server no longer than this, lest samples represent what is long past. Not as a
   * setting of the session: a pooler would lend that out to others.
   */
  private static final int TIMEOUT_SECONDS = 2;

  private static final String SESSIONS =
      """
      SELECT CASE WHEN state = 'active' THEN coalesce(wait_event_type, '%s') ELSE state END,
             CASE WHEN state = 'active' THEN wait_event END,
             count(*),
             array_agg(pid) FILTER (WHERE state = 'active' AND wait_event_type = 'Lock')
        FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND application_name = ?
         AND pid <> pg_backend_pid()
       GROUP BY 1, 2
      """
          .formatted(ServerWaits.RUNNING);

  /**
   * Who waits for a row waits for the transaction that holds it, and holds the lock of the row
   * meanwhile, or waits for that.
   */
  private static final String LOCKED_TABLES =
      """
      WITH locks AS MATERIALIZED (
        SELECT pid, relation, granted, locktype FROM pg_locks WHERE pid = ANY (?))
      SELECT coalesce(max(relation) FILTER (WHERE NOT granted),
                      max(relation) FILTER (WHERE locktype = 'tuple'))::regclass::text
        FROM locks GROUP BY pid HAVING bool_or(NOT granted)
      """;

  private volatile ServerWaits waits =
      ServerWaits.none("the sampler did not come to the end of the run");
  private volatile ServerWaits recent = ServerWaits.none("no sample yet");

  // Only the poll's thread touches these, once it is started.
  private WaitTally tally = new WaitTally(MOST_NANOS, System.nanoTime());
  private WaitTally recentTally = new WaitTally(MOST_NANOS, System.nanoTime());
  private @Nullable PreparedStatement sessions;
  private @Nullable PreparedStatement lockedTables;

  private WaitSampler() {}

  /** Why the waits of such a server are not known; empty if they are. */
  public static String unknown(DatabaseKind kind) {
    return kind == DatabaseKind.POSTGRES
        ? ""
        : "what sessions of %s wait for is not sampled".formatted(kind.propertyName());
  }

  /**
   * Starts to look; returns at once, before the connection is made.
   *
   * @param notes receives one line for each fault; called from the poll's thread
   */
  public static ServerPoll<WaitSampler> start(
      ConnectionSource connections, Duration period, Consumer<String> notes) {
    return ServerPoll.start(
        new ServerPoll.Observer("server-waits", "server waits", period, REST_TIMES),
        connections,
        new WaitSampler(),
        notes);
  }

  /** Of the last second or two. */
  public ServerWaits recent() {
    return recent;
  }

  /** Of the measurement interval. Complete when the poll is closed. */
  public ServerWaits waits() {
    return waits;
  }

  @Override
  public void connected(Connection connection) throws SQLException {
    String application = connection.getClientInfo("ApplicationName");
    connection.setClientInfo("ApplicationName", "shardmark observer");
    // A pooler may lend another server connection, which has no such statement.
    connection.unwrap(PGConnection.class).setPrepareThreshold(0);
    PreparedStatement ask = connection.prepareStatement(SESSIONS);
    ask.setQueryTimeout(TIMEOUT_SECONDS);
    ask.setString(1, application);
    sessions = ask;
    PreparedStatement locked = connection.prepareStatement(LOCKED_TABLES);
    locked.setQueryTimeout(TIMEOUT_SECONDS);
    lockedTables = locked;
  }

  @Override
  public void read(Mark mark) throws SQLException {
    long begin = System.nanoTime();
    WaitTally.WaitSample sample = sample();
    long end = System.nanoTime();
    tally.add(begin, end - begin, sample);
    recentTally.add(begin, end - begin, sample);
    ServerWaits lately = recentTally.waits();
    if (lately.coveredSeconds() >= RECENT_SECONDS) {
      recent = lately;
      recentTally = new WaitTally(MOST_NANOS, begin);
    }
  }

  private WaitTally.WaitSample sample() throws SQLException {
    Map<What, Integer> did = new HashMap<>();
    Map<String, Integer> locked = new HashMap<>();
    try (ResultSet rows = Objects.requireNonNull(sessions, "connected").executeQuery()) {
      while (rows.next()) {
        did.put(new What(text(rows, 1), text(rows, 2)), rows.getInt(3));
        Array waiting = rows.getArray(4);
        if (waiting != null) {
          tables(waiting).forEach((table, n) -> locked.merge(table, n, Integer::sum));
        }
      }
    }
    return new WaitTally.WaitSample(did, locked);
  }

  private Map<String, Integer> tables(Array pids) throws SQLException {
    PreparedStatement ask = Objects.requireNonNull(lockedTables, "connected");
    Map<String, Integer> tables = new HashMap<>();
    ask.setArray(1, pids);
    try (ResultSet rows = ask.executeQuery()) {
      while (rows.next()) {
        tables.merge(text(rows, 1), 1, Integer::sum);
      }
    }
    return tables;
  }

  private static String text(ResultSet row, int column) throws SQLException {
    return Objects.requireNonNullElse(row.getString(column), "");
  }

  @Override
  public void reached(Mark mark) {
    if (mark == Mark.BEGIN) {
      tally = new WaitTally(MOST_NANOS, System.nanoTime());
    } else {
      waits = tally.waits();
    }
  }
}
