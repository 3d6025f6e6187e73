package io.shardmark.config;

import static io.shardmark.config.PropertyKey.CONN;
import static io.shardmark.config.PropertyKey.DB;
import static io.shardmark.config.PropertyKey.DRIVERS;
import static io.shardmark.config.PropertyKey.IDLE_QUIET_SECS;
import static io.shardmark.config.PropertyKey.IDLE_SESSIONS;
import static io.shardmark.config.PropertyKey.IDLE_SOURCES;
import static io.shardmark.config.PropertyKey.RUN_TXNS_PER_TERMINAL;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the keys of idle sessions and what they cannot be combined with. */
final class IdleConfigReader {
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000L);

  /** As digits: a name would have to be looked up, and may stand for several addresses. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9A-Fa-f:]+");

  private final PropertyReader reader;

  IdleConfigReader(PropertyReader reader) {
    this.reader = reader;
  }

  IdleConfig read(ConnectionConfig connection, RunConfig run) {
    int sessions = reader.integer(IDLE_SESSIONS);
    if (sessions == 0) {
      return IdleConfig.NONE;
    }
    if (connection.database() != DatabaseKind.POSTGRES) {
      throw reader.bad(DB, "postgres with idleSessions, which speak PostgreSQL's protocol");
    }
    if (connection.isNothing()) {
      throw reader.bad(CONN, "a server with idleSessions: they have nowhere to log in");
    }
    if (reader.integer(DRIVERS) > 1) {
      throw reader.bad(IDLE_SESSIONS, "drivers=1 beside it: one driver opens the idle sessions");
    }
    if (run.transactionsPerTerminal() > 0) {
      throw reader.bad(
          RUN_TXNS_PER_TERMINAL, "runMins with idleSessions: they follow the run's time");
    }
    Duration quiet =
        Duration.ofNanos(
            reader
                .decimal(IDLE_QUIET_SECS)
                .multiply(NANOS_PER_SECOND)
                .setScale(0, RoundingMode.UP)
                .longValueExact());
    if (run.runDuration().compareTo(quiet.multipliedBy(2)) <= 0) {
      throw reader.problem(
          "idleQuietSecs=%s: expected less than half of the %s s that the run is measured"
              .formatted(
                  reader.decimal(IDLE_QUIET_SECS).toPlainString(), run.runDuration().toSeconds()),
          List.of(IDLE_QUIET_SECS, IDLE_SESSIONS));
    }
    return new IdleConfig(sessions, sources(), quiet);
  }

  private List<String> sources() {
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
