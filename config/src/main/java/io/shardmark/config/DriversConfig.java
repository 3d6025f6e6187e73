package io.shardmark.config;

import static io.shardmark.config.PropertyKey.CONN;
import static io.shardmark.config.PropertyKey.DRIVERS;
import static io.shardmark.config.PropertyKey.DRIVER_INDEX;
import static io.shardmark.config.PropertyKey.DRIVER_WAIT_SECS;
import static io.shardmark.config.PropertyKey.RESULT_DIRECTORY;
import static io.shardmark.config.PropertyKey.RUN_TXNS_PER_TERMINAL;
import static io.shardmark.config.PropertyKey.SEED;
import static io.shardmark.config.PropertyKey.START_AT;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * Which of several driver processes this is, and how they start together. They make one run: its
 * terminals and warehouses are divided among them.
 *
 * @param count key {@code drivers}: processes of the run, from 1; 1 is a run of one process, which
 *     meets nobody
 * @param index key {@code driverIndex}: 0 .. count - 1; driver 0 decides what all need to have
 *     alike
 * @param patience key {@code driverWaitSecs}: how long the drivers wait for each other
 * @param startAt key {@code startAt}: when all start without meeting; empty if they meet in the
 *     database
 */
public record DriversConfig(int count, int index, Duration patience, Optional<Instant> startAt) {
  private static final String EMBEDDED = "embedded:";
  private static final String NOTHING = "null:";
  private static final String EXAMPLE = "2030-01-31T14:00:00Z";

  /** A run of one process. */
  static final DriversConfig ALONE = new DriversConfig(1, 0, Duration.ZERO, Optional.empty());

  /** True if there is anyone to agree with. */
  public boolean areSeveral() {
    return count > 1;
  }

  /** True for the driver that opens the meeting, observes the server and merges the results. */
  public boolean isFirst() {
    return index == 0;
  }

  /** Reads the keys of a run by several drivers. */
  static DriversConfig read(PropertyReader reader) {
    int count = reader.integer(DRIVERS);
    if (count == 1) {
      return ALONE;
    }
    int index = reader.requiredInteger(DRIVER_INDEX, 0, count - 1);
    Optional<Instant> startAt = startAt(reader);
    if (startAt.isEmpty() && reader.text(CONN).filter(NOTHING::equals).isPresent()) {
      throw reader.missing(
          START_AT, "an instant such as " + EXAMPLE + ": there is no database to meet in");
    }
    if (startAt.isPresent() && !reader.has(SEED)) {
      throw reader.missing(
          SEED, "one for all drivers, as with startAt none can draw it for the others");
    }
    return new DriversConfig(
        count, index, Duration.ofSeconds(reader.integer(DRIVER_WAIT_SECS)), startAt);
  }

  private static Optional<Instant> startAt(PropertyReader reader) {
    Optional<String> text = reader.text(START_AT).map(String::strip).filter(t -> !t.isEmpty());
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(OffsetDateTime.parse(text.get()).toInstant());
    } catch (DateTimeParseException e) {
      throw reader.bad(START_AT, "a date and time with its zone, such as " + EXAMPLE);
    }
  }

  /** What several drivers cannot do. */
  static void check(PropertyReader reader, RunConfig whole) {
    if (whole.transactionsPerTerminal() > 0) {
      throw reader.bad(
          RUN_TXNS_PER_TERMINAL, "runMins instead: several drivers agree on a time to end");
    }
    if (!whole.pacing().stages().isEmpty()) {
      throw reader.bad(PropertyKey.STAGES, "drivers=1 with it: stages are of one driver");
    }
    if (reader.isTrue(PropertyKey.STATEMENT_TIMES)) {
      throw reader.bad(
          PropertyKey.STATEMENT_TIMES, "drivers=1 with it: statements are timed by one driver");
    }
    if (RunConfig.isSteadyRampUp(reader)) {
      throw reader.bad(
          PropertyKey.RAMPUP_MINS, "a number of minutes: several drivers begin at one instant");
    }
    if (reader.flag(PropertyKey.ACID)) {
      throw reader.bad(PropertyKey.ACID, "drivers=1 with it: one driver tests after its run");
    }
    if (!reader.has(RESULT_DIRECTORY)) {
      throw reader.missing(RESULT_DIRECTORY, "one, for the result of all drivers");
    }
    if (reader.text(CONN).filter(url -> url.startsWith(EMBEDDED)).isPresent()) {
      throw reader.bad(CONN, "a server that all drivers can reach; each would start its own");
    }
  }
}
