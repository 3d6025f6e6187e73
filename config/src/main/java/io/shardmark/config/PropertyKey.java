package io.shardmark.config;

import static io.shardmark.config.KeyType.NO_LEAST;
import static io.shardmark.config.KeyType.NO_MOST;
import static io.shardmark.config.KeyType.decimal;
import static io.shardmark.config.KeyType.flag;
import static io.shardmark.config.KeyType.oneOf;
import static io.shardmark.config.KeyType.text;
import static io.shardmark.config.KeyType.whole;
import static io.shardmark.config.KeyUse.BY_ALL;
import static io.shardmark.config.KeyUse.BY_BOTH;
import static io.shardmark.config.KeyUse.BY_DRIVER;
import static io.shardmark.config.KeyUse.BY_LOADER;

import java.util.Set;

/** The keys that a properties file may have whatever its workload. */
public enum PropertyKey implements Key {
  DB(
      "db",
      oneOf(DatabaseKind.class),
      "required",
      BY_ALL,
      "5.0",
      "database: postgres, oracle, mysql, mariadb, firebird"),
  DRIVER("driver", text("class name"), "required", BY_ALL, "5.0", "JDBC driver class"),
  CONN(
      "conn",
      text("URL"),
      "required",
      BY_ALL,
      "5.0",
      "JDBC URL, passed unchanged; or embedded:postgres, embedded:replicated, embedded:sharded"),
  USER("user", text("text"), "required", BY_ALL, "5.0", "database user"),
  PASSWORD(
      "password", text("text"), "required", BY_ALL, "5.0", "password of the user, never printed"),
  CONNECT_TIMEOUT_SECS(
      "connectTimeoutSecs",
      whole(1, 3600),
      "30",
      BY_ALL,
      "seconds that opening one connection may take"),
  STATEMENT_TIMEOUT_SECS(
      "statementTimeoutSecs",
      whole(0, 86_400),
      "0",
      BY_DRIVER,
      "seconds that one statement may take; 0 is no limit"),
  ISOLATION(
      "isolation",
      oneOf(IsolationLevel.class),
      "default",
      BY_DRIVER,
      "default (the server's), read_committed, repeatable_read, serializable"),
  SHARD_MAP(
      "shardMap",
      oneOf(ShardMapUse.class),
      "auto",
      BY_ALL,
      "auto: ask the endpoint which shard has which rows; none: take it for one server"),
  WORKLOAD(
      "workload",
      text("name"),
      "tpcc",
      BY_BOTH,
      "the benchmark that is loaded and run, such as tpcc"),
  SEED(
      "seed",
      text("int, 64 bits"),
      "drawn at start",
      BY_BOTH,
      "the same seed gives the same rows and the same sequence of inputs"),
  LOAD_WORKERS(
      "loadWorkers", whole(1, 1024), "4", BY_LOADER, "5.0", "loader threads, a connection each"),
  FILE_LOCATION(
      "fileLocation",
      text("path prefix"),
      "load into the database",
      BY_LOADER,
      "5.0",
      "write CSV files whose names begin with exactly this text"),
  CSV_NULL_VALUE(
      "csvNullValue", text("text"), "NULL", BY_LOADER, "5.0", "text for SQL NULL in the CSV files"),
  LOAD_DIRECT(
      "loadDirect",
      oneOf(LoadDirect.class),
      "auto",
      BY_LOADER,
      "rows straight to their shards: true, false, auto (if all of them can be reached)"),
  EVEN_SHARDS(
      "evenShards",
      flag(),
      "true",
      BY_LOADER,
      "on Citus: build moves shards before the load until every node has its share"),
  PARTITIONS(
      "partitions",
      whole(1, 1024),
      "16",
      BY_LOADER,
      "with the proxy and several shards: hash partitions of each table that build makes, at"
          + " least, so that some can move when shards are added"),
  TERMINALS("terminals", whole(1, NO_MOST), "required", BY_DRIVER, "5.0", "emulated users"),
  CONNECTIONS(
      "connections",
      whole(1, NO_MOST, "int 1..terminals"),
      "terminals",
      BY_DRIVER,
      "size of the connection pool"),
  CPUS(
      "cpus",
      text("list of processors"),
      "any",
      BY_DRIVER,
      "processors that the workers are bound to, each to one, in turns: 2,4-7; Linux only"),
  RUN_TXNS_PER_TERMINAL(
      "runTxnsPerTerminal",
      whole(0, NO_MOST),
      "0",
      BY_DRIVER,
      "5.0",
      "transactions that each terminal does; 0 when runMins is set"),
  RUN_MINS(
      "runMins",
      decimal(0, 52_560_000, "number from 0"),
      "0",
      BY_DRIVER,
      "5.0",
      "minutes that the run is measured; 0 when runTxnsPerTerminal is set"),
  RAMPUP_MINS(
      "rampupMins",
      decimal(0, 52_560_000, "number from 0, or auto:MOST"),
      "0",
      BY_DRIVER,
      "minutes that the run goes before it is measured; auto:10 until the throughput is steady, 10 at"
          + " most"),
  RAMPUP_DELAY(
      "rampupDelay",
      decimal(0, 3600),
      "0",
      BY_DRIVER,
      "5-stable",
      "seconds between the starts of two terminals"),
  LIMIT_TXNS_PER_MIN(
      "limitTxnsPerMin",
      whole(NO_LEAST, NO_MOST),
      "0",
      BY_DRIVER,
      "5.0",
      "transactions a minute of all terminals together, as limitPacing spaces them; 0 is no limit"),
  LIMIT_PACING(
      "limitPacing",
      oneOf(LimitPacing.class),
      "schedule",
      BY_DRIVER,
      "schedule (what limitTxnsPerMin allows is due on a fixed schedule, a stall does not hide it),"
          + " benchmarksql (a pause counted from the last start, as BenchmarkSQL does it)"),
  OPEN_LOOP_TXNS_PER_MIN(
      "openLoopTxnsPerMin",
      whole(0, 1_000_000_000),
      "0",
      BY_DRIVER,
      "transactions a minute of all terminals together, due on a fixed schedule however slow the"
          + " answers are; 0 is off"),
  STAGES(
      "stages",
      text("DURATION:RATE, ..."),
      "none",
      BY_DRIVER,
      "parts of the run, each with its own rate as by openLoopTxnsPerMin, such as 10m:5000,"
          + " 10m:20000, 5m:0; 0 is a pause; their lengths take the place of runMins"),
  KEYING_TIME_MULTIPLIER(
      "keyingTimeMultiplier",
      decimal(0, 1000),
      "0",
      BY_DRIVER,
      "factor on the keying times of TPC-C 5.2.5.2; 0: no pause, 1: TPC-C's"),
  THINK_TIME_MULTIPLIER(
      "thinkTimeMultiplier",
      decimal(0, 1000),
      "0",
      BY_DRIVER,
      "factor on the think times of TPC-C 5.2.5.4; 0: no pause, 1: TPC-C's"),
  RETRIES(
      "retries",
      whole(0, 1000),
      "0",
      BY_DRIVER,
      "tries more after a serialization failure or deadlock"),
  IDLE_SESSIONS(
      "idleSessions",
      whole(0, 10_000_000),
      "0",
      BY_DRIVER,
      "PostgreSQL sessions that are opened in addition to the terminals' and hardly used; 0: no sessions"),
  IDLE_SOURCES(
      "idleSources",
      text("addresses"),
      "the system's choice",
      BY_DRIVER,
      "addresses of this machine that idle sessions come from, such as 127.0.0.2, 127.0.0.3"),
  IDLE_QUIET_SECS(
      "idleQuietSecs",
      decimal(0, 86_400),
      "30",
      BY_DRIVER,
      "seconds that are measured before idle sessions are opened, and after they are closed"),
  EVENTS(
      "events",
      text("TIME LABEL: COMMAND; ..."),
      "none",
      BY_DRIVER,
      "what is done to the system during the run, such as 60s crash: ./crash.sh; 2m load: @backup"),
  CHECK_EVERY(
      "checkEvery",
      text("time"),
      "never",
      BY_DRIVER,
      "how often the consistency conditions are checked during the run, such as 30s"),
  ACID(
      "acid",
      flag(),
      "false",
      BY_DRIVER,
      "true: TPC-C clause 3 is tested after the measurement interval, as the verb acid does"),
  SYSTEM_PRICE(
      "systemPrice",
      text("price"),
      "no price",
      BY_DRIVER,
      "what the system under test costs, such as 12500 USD: the result has its price per tpmC"),
  PRICE_PER_HOUR(
      "pricePerHour",
      text("price"),
      "no price",
      BY_DRIVER,
      "what an hour of it costs, such as 3.20 USD: the result has the price of a million New-Orders"),
  DRIVERS(
      "drivers", whole(1, 1000), "1", BY_DRIVER, "driver processes that make this run together"),
  DRIVER_INDEX(
      "driverIndex",
      whole(0, 999, "int 0..drivers - 1"),
      "the environment's JOB_COMPLETION_INDEX",
      BY_DRIVER,
      "which of them this is; 0 opens the meeting and merges"),
  DRIVER_WAIT_SECS(
      "driverWaitSecs",
      whole(1, 3600),
      "120",
      BY_DRIVER,
      "seconds that the drivers wait for each other"),
  START_AT(
      "startAt",
      text("date, time and zone"),
      "drivers meet in the database",
      BY_DRIVER,
      "when several drivers start without meeting, such as 2030-01-31T14:00:00Z"),
  RESULT_DIRECTORY(
      "resultDirectory",
      text("pattern"),
      "no result files",
      BY_DRIVER,
      "5.0",
      "directory to make; %tX is a date or time part of the start"),
  RESULT_ROWS(
      "resultRows",
      oneOf(ResultRows.class),
      "all",
      BY_DRIVER,
      "rows of result.csv: all, sampled, none"),
  RESULT_SAMPLE_EVERY(
      "resultSampleEvery",
      whole(1, NO_MOST),
      "100",
      BY_DRIVER,
      "with resultRows=sampled, every n-th transaction has a row"),
  STATEMENT_TIMES(
      "statementTimes",
      text("true/false"),
      "false",
      BY_DRIVER,
      "true: count, mean and percentiles of each statement by type of transaction"),
  FAIL_ON(
      "failOn",
      text("conditions"),
      "errors>1%, outageAtEnd>=2s",
      BY_DRIVER,
      "conditions under which a run ends with exit status 4, or none"),
  OS_COLLECTOR(
      "osCollector",
      text("name"),
      "true if osCollectorScript is set",
      BY_DRIVER,
      "true, local (this machine whatever osCollectorSSHAddr says), false"),
  OS_COLLECTOR_SCRIPT(
      "osCollectorScript",
      text("path"),
      "no collector",
      BY_DRIVER,
      "5.0",
      "its presence switches the OS collector on; the script is not needed"),
  OS_COLLECTOR_INTERVAL(
      "osCollectorInterval", whole(1, 3600), "1", BY_DRIVER, "5.0", "seconds between two rows"),
  OS_COLLECTOR_SSH_ADDR(
      "osCollectorSSHAddr",
      text("user@host"),
      "this machine",
      BY_DRIVER,
      "5.0",
      "machine to observe over ssh, login by key; several with blanks between them are shown each"),
  OS_COLLECTOR_DEVICES(
      "osCollectorDevices",
      text("names"),
      "none",
      BY_DRIVER,
      "5.0",
      "auto, or blank-separated blk_<device> and net_<interface>"),
  METRICS_PORT(
      "metricsPort",
      text("[address:]port"),
      "no port",
      BY_DRIVER,
      "port of the live page and of Prometheus' /metrics while a run goes on; 0 is any free one");

  @SuppressWarnings("ImmutableEnumChecker") // records of values, and what Set.of makes
  private final Traits traits;

  /** A key that BenchmarkSQL does not have. */
  PropertyKey(String key, KeyType type, String missing, Set<KeyUse> uses, String meaning) {
    traits = new Traits(key, type, missing, uses, meaning);
  }

  PropertyKey(
      String key, KeyType type, String missing, Set<KeyUse> uses, String since, String meaning) {
    traits = new Traits(key, type, missing, uses, since, meaning);
  }

  @Override
  public Traits traits() {
    return traits;
  }

  /** These two keys worked with blanks at the end in BenchmarkSQL. */
  @Override
  public boolean keepsTrailingBlanks() {
    return this == PASSWORD || this == CSV_NULL_VALUE;
  }
}
