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

/** Reads the keys of a run by several drivers, and computes one driver's share of the run. */
final class DriversConfigReader {
  private static final String EMBEDDED = "embedded:";

  private static final String NOTHING = "null:";
  private static final String EXAMPLE = "2030-01-31T14:00:00Z";

  private final PropertyReader reader;

  DriversConfigReader(PropertyReader reader) {
    this.reader = reader;
  }

  DriversConfig read() {
    int count = reader.integer(DRIVERS);
    if (count == 1) {
      return DriversConfig.ALONE;
    }
    int index = reader.requiredInteger(DRIVER_INDEX, 0, count - 1);
    Optional<Instant> startAt = startAt();
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

  private Optional<Instant> startAt() {
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

  /**
   * The part of a run that falls to one driver. The keys of the file describe the whole run, so
   * that all drivers can read the same file.
   *
   * @param whole as the file has it
   */
  RunConfig share(RunConfig whole, DriversConfig drivers) {
    if (!drivers.areSeveral()) {
      return whole;
    }
    check(whole, drivers);
    int from = whole.warehouseFrom();
    int to = whole.warehouseTo();
    if (!WarehouseRange.isGiven(reader)) {
      from = part(whole.warehouses(), drivers.index(), drivers.count()) + 1;
      to = part(whole.warehouses(), drivers.index() + 1, drivers.count());
    }
    // By warehouses, not by drivers: then every warehouse has its terminals, also where the
    // drivers' ranges are unequal, and the shares of all of them add up to the whole.
    int first = part(whole.terminals(), from - 1, whole.warehouses());
    int terminals = part(whole.terminals(), to, whole.warehouses()) - first;
    if (terminals == 0) {
      throw reader.bad(
          PropertyKey.TERMINALS,
          "at least one for each of %d drivers; warehouses %d to %d get none"
              .formatted(drivers.count(), from, to));
    }
    return whole.share(from, to, first, terminals);
  }

  private void check(RunConfig whole, DriversConfig drivers) {
    if (drivers.count() > whole.warehouses()) {
      throw reader.bad(
          DRIVERS, "at most one for each of %d warehouses".formatted(whole.warehouses()));
    }
    if (whole.transactionsPerTerminal() > 0) {
      throw reader.bad(
          RUN_TXNS_PER_TERMINAL, "runMins instead: several drivers agree on a time to end");
    }
    if (!whole.pacing().stages().isEmpty()) {
      throw reader.bad(PropertyKey.STAGES, "drivers=1 beside it: stages are of one driver");
    }
    if (reader.isTrue(PropertyKey.STATEMENT_TIMES)) {
      throw reader.bad(
          PropertyKey.STATEMENT_TIMES, "drivers=1 beside it: statements are timed by one driver");
    }
    if (!reader.has(RESULT_DIRECTORY)) {
      throw reader.missing(RESULT_DIRECTORY, "one, for the result of all drivers");
    }
    if (reader.text(CONN).filter(url -> url.startsWith(EMBEDDED)).isPresent()) {
      throw reader.bad(CONN, "a server that all drivers can reach; each would start its own");
    }
  }

  /** The start of a part when {@code whole} is cut into {@code parts} as equal as possible. */
  private static int part(int whole, int index, int parts) {
    return (int) ((long) whole * index / parts);
  }
}
