package io.shardmark.config;

import static io.shardmark.config.PropertyKey.CONN;
import static io.shardmark.config.PropertyKey.DRIVERS;
import static io.shardmark.config.PropertyKey.DRIVER_COORDINATOR;
import static io.shardmark.config.PropertyKey.DRIVER_INDEX;
import static io.shardmark.config.PropertyKey.DRIVER_WAIT_SECS;
import static io.shardmark.config.PropertyKey.RESULT_DIRECTORY;
import static io.shardmark.config.PropertyKey.RUN_TXNS_PER_TERMINAL;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the keys of a run by several drivers, and computes one driver's share of the run. */
final class DriversConfigReader {
  private static final String EMBEDDED = "embedded:";

  /** {@code host:port} or {@code [address]:port}. */
  private static final Pattern ADDRESS =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.%]+)]|([^\\s:\\[\\]/@]+)):(\\d{1,5})");

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
    String expected = "host:port of driver 0";
    Matcher address = ADDRESS.matcher(reader.required(DRIVER_COORDINATOR, expected).strip());
    if (!address.matches() || port(address) < 1 || port(address) > 65_535) {
      throw reader.bad(DRIVER_COORDINATOR, expected);
    }
    String host = address.group(1) == null ? address.group(2) : address.group(1);
    int wait = reader.integer(DRIVER_WAIT_SECS);
    return new DriversConfig(count, index, host, port(address), Duration.ofSeconds(wait));
  }

  private static int port(Matcher address) {
    return Integer.parseInt(address.group(3));
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
