package io.shardmark.config;

import static io.shardmark.config.PropertyKey.CONN;
import static io.shardmark.config.PropertyKey.DB;
import static io.shardmark.config.PropertyKey.DRIVERS;
import static io.shardmark.config.PropertyKey.IDLE_QUIET_SECS;
import static io.shardmark.config.PropertyKey.IDLE_SESSIONS;
import static io.shardmark.config.PropertyKey.IDLE_SOURCES;
import static io.shardmark.config.PropertyKey.RUN_TXNS_PER_TERMINAL;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Sessions that are logged in in addition to those of the terminals and hardly used.
 *
 * @param sessions key {@code idleSessions}: how many; 0: no sessions
 * @param sources key {@code idleSources}: addresses of this machine that they come from; empty
 *     leaves it to the system
 * @param quiet key {@code idleQuietSecs}: how long the run is measured without them before they are
 *     opened, and again after they are closed
 */
public record IdleConfig(int sessions, List<String> sources, Duration quiet) {
  /** As digits: a name would have to be looked up, and may have several addresses. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9A-Fa-f:]+");

  static final IdleConfig NONE = new IdleConfig(0, List.of(), Duration.ZERO);

  public IdleConfig {
    sources = List.copyOf(sources);
  }

  /** True if the run has any. */
  public boolean isAsked() {
    return sessions > 0;
  }

  /** Reads the keys of idle sessions and what they cannot be combined with. */
  static IdleConfig read(PropertyReader reader, ConnectionConfig connection, RunConfig run) {
    int sessions = reader.integer(IDLE_SESSIONS);
    if (sessions == 0) {
      return NONE;
    }
    if (connection.database() != DatabaseKind.POSTGRES) {
      throw reader.bad(DB, "postgres with idleSessions, which speak PostgreSQL's protocol");
    }
    if (connection.isNothing()) {
      throw reader.bad(CONN, "a server with idleSessions: they have nowhere to log in");
    }
    if (reader.integer(DRIVERS) > 1) {
      throw reader.bad(IDLE_SESSIONS, "drivers=1 with it: one driver opens the idle sessions");
    }
    if (run.transactionsPerTerminal() > 0) {
      throw reader.bad(
          RUN_TXNS_PER_TERMINAL, "runMins with idleSessions: they follow the run's time");
    }
    Duration quiet = RunConfig.seconds(reader.decimal(IDLE_QUIET_SECS));
    if (run.runDuration().compareTo(quiet.multipliedBy(2)) <= 0) {
      throw reader.problem(
          "idleQuietSecs=%s: expected less than half of the %s s that the run is measured"
              .formatted(
                  reader.decimal(IDLE_QUIET_SECS).toPlainString(), run.runDuration().toSeconds()),
          List.of(IDLE_QUIET_SECS, IDLE_SESSIONS));
    }
    return new IdleConfig(sessions, sources(reader), quiet);
  }

  private static List<String> sources(PropertyReader reader) {
    List<String> addresses =
        reader
            .text(IDLE_SOURCES)
            .filter(text -> !text.isBlank())
            .map(text -> Arrays.stream(text.split(",", -1)).map(String::strip).toList())
            .orElse(List.of());
    if (!addresses.stream().allMatch(address -> ADDRESS.matcher(address).matches())) {
      throw reader.bad(
          IDLE_SOURCES, "addresses of this machine, such as 127.0.0.2, 127.0.0.3, 127.0.0.4");
    }
    return addresses;
  }
}
