package io.shardmark.config;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every key of a properties file: the one table that reading, spelling hints and {@code
 * docs/properties.md} agree with.
 */
enum PropertyKey {
  DB(
      "db",
      "name",
      "required",
      "all",
      "5.0",
      "database: postgres, oracle, mysql, mariadb, firebird"),
  DRIVER("driver", "class name", "required", "all", "5.0", "JDBC driver class"),
  CONN(
      "conn",
      "URL",
      "required",
      "all",
      "5.0",
      "JDBC URL, passed unchanged; or embedded:postgres, embedded:sharded"),
  USER("user", "text", "required", "all", "5.0", "database user"),
  PASSWORD("password", "text", "required", "all", "5.0", "password of the user, never printed"),
  CONNECT_TIMEOUT_SECS(
      "connectTimeoutSecs",
      "int 1..3600",
      "30",
      "all",
      "Shardmark",
      "seconds that opening one connection may take"),
  STATEMENT_TIMEOUT_SECS(
      "statementTimeoutSecs",
      "int 0..86400",
      "0",
      "driver",
      "Shardmark",
      "seconds that one statement may take; 0 is no limit"),
  ISOLATION(
      "isolation",
      "name",
      "default",
      "driver",
      "Shardmark",
      "default (the server's), read_committed, repeatable_read, serializable"),
  SHARD_MAP(
      "shardMap",
      "name",
      "auto",
      "all",
      "Shardmark",
      "auto: ask the endpoint which shard has which rows; none: take it for one server"),

  WAREHOUSES(
      "warehouses",
      "int from 1",
      "required",
      "loader, driver",
      "5.0",
      "warehouses to load, or those of the loaded ones that a run uses"),
  WAREHOUSE_FROM(
      "warehouseFrom",
      "int 1..warehouses",
      "1",
      "loader, driver",
      "Shardmark",
      "first warehouse of this process"),
  WAREHOUSE_TO(
      "warehouseTo",
      "int warehouseFrom..warehouses",
      "warehouses",
      "loader, driver",
      "Shardmark",
      "last warehouse of this process"),
  SEED(
      "seed",
      "int, 64 bits",
      "drawn at start",
      "loader, driver",
      "Shardmark",
      "the same seed gives the same rows and the same sequence of inputs"),
  LOAD_WORKERS(
      "loadWorkers", "int 1..1024", "4", "loader", "5.0", "loader threads, a connection each"),
  FILE_LOCATION(
      "fileLocation",
      "path prefix",
      "load into the database",
      "loader",
      "5.0",
      "write CSV files whose names begin with exactly this text"),
  CSV_NULL_VALUE(
      "csvNullValue", "text", "NULL", "loader", "5.0", "text for SQL NULL in the CSV files"),
  LOAD_DIRECT(
      "loadDirect",
      "name",
      "auto",
      "loader",
      "Shardmark",
      "rows straight to their shards: true, false, auto (if all of them can be reached)"),

  TERMINALS("terminals", "int from 1", "required", "driver", "5.0", "emulated users"),
  CONNECTIONS(
      "connections",
      "int 1..terminals",
      "terminals",
      "driver",
      "Shardmark",
      "size of the connection pool"),
  RUN_TXNS_PER_TERMINAL(
      "runTxnsPerTerminal",
      "int from 0",
      "0",
      "driver",
      "5.0",
      "transactions that each terminal does; 0 when runMins is set"),
  RUN_MINS(
      "runMins",
      "number from 0",
      "0",
      "driver",
      "5.0",
      "minutes that the run is measured; 0 when runTxnsPerTerminal is set"),
  RAMPUP_MINS(
      "rampupMins",
      "number from 0",
      "0",
      "driver",
      "Shardmark",
      "minutes that the run goes before it is measured"),
  RAMPUP_DELAY(
      "rampupDelay",
      "number 0..3600",
      "0",
      "driver",
      "5-stable",
      "seconds between the starts of two terminals"),
  LIMIT_TXNS_PER_MIN(
      "limitTxnsPerMin",
      "int",
      "0",
      "driver",
      "5.0",
      "transactions a minute of all terminals together, kept by pauses; 0 is no limit"),
  OPEN_LOOP_TXNS_PER_MIN(
      "openLoopTxnsPerMin",
      "int 0..1000000000",
      "0",
      "driver",
      "Shardmark",
      "transactions a minute of all terminals together, due on a fixed schedule however slow the answers are; 0 is off"),
  KEYING_TIME_MULTIPLIER(
      "keyingTimeMultiplier",
      "number 0..1000",
      "0",
      "driver",
      "Shardmark",
      "factor on the keying times of TPC-C 5.2.5.2; 0 is none, 1 is TPC-C"),
  THINK_TIME_MULTIPLIER(
      "thinkTimeMultiplier",
      "number 0..1000",
      "0",
      "driver",
      "Shardmark",
      "factor on the think times of TPC-C 5.2.5.4; 0 is none, 1 is TPC-C"),
  DELIVERY_THREADS(
      "deliveryThreads",
      "int 1..1000",
      "a tenth of connections",
      "driver",
      "Shardmark",
      "threads for deferred deliveries (TPC-C 2.7), used when terminals key or think"),
  TERMINAL_WAREHOUSE_FIXED(
      "terminalWarehouseFixed",
      "true/false",
      "false",
      "driver",
      "5.0",
      "true: a terminal keeps its warehouse; false: a new one for every transaction"),
  USE_STORED_PROCEDURES(
      "useStoredProcedures",
      "true/false",
      "false",
      "driver",
      "5.1",
      "true is the same as statementProfile=procedures"),
  STATEMENT_PROFILE(
      "statementProfile",
      "name",
      "benchmarksql",
      "driver",
      "Shardmark",
      "how a transaction talks to the database: benchmarksql, batched, procedures"),
  RETRIES(
      "retries",
      "int 0..1000",
      "0",
      "driver",
      "Shardmark",
      "tries more after a serialization failure or deadlock"),

  NEW_ORDER_WEIGHT("newOrderWeight", "percent", "43.47826", "driver", "5.0", "New-Orders"),
  PAYMENT_WEIGHT("paymentWeight", "percent", "43.47826", "driver", "5.0", "Payments"),
  ORDER_STATUS_WEIGHT("orderStatusWeight", "percent", "4.347827", "driver", "5.0", "Order-Status"),
  DELIVERY_WEIGHT("deliveryWeight", "percent", "4.347826", "driver", "5.0", "Deliveries"),
  STOCK_LEVEL_WEIGHT("stockLevelWeight", "percent", "4.347827", "driver", "5.0", "Stock-Levels"),
  NEW_ORDER_REMOTE_PERCENT(
      "newOrderRemotePercent",
      "number 0..100",
      "1",
      "driver",
      "Shardmark",
      "percent of order lines with a remote supplying warehouse"),
  PAYMENT_REMOTE_PERCENT(
      "paymentRemotePercent",
      "number 0..100",
      "15",
      "driver",
      "Shardmark",
      "percent of payments by a customer of a remote warehouse"),

  DRIVERS(
      "drivers",
      "int 1..1000",
      "1",
      "driver",
      "Shardmark",
      "driver processes that make this run together"),
  DRIVER_INDEX(
      "driverIndex",
      "int 0..drivers - 1",
      "the environment's JOB_COMPLETION_INDEX",
      "driver",
      "Shardmark",
      "which of them this is; 0 coordinates and merges"),
  DRIVER_COORDINATOR(
      "driverCoordinator",
      "host:port",
      "required with drivers > 1",
      "driver",
      "Shardmark",
      "where driver 0 listens and the others connect"),
  DRIVER_WAIT_SECS(
      "driverWaitSecs",
      "int 1..3600",
      "120",
      "driver",
      "Shardmark",
      "seconds that the drivers wait for each other"),

  RESULT_DIRECTORY(
      "resultDirectory",
      "pattern",
      "no result files",
      "driver",
      "5.0",
      "directory to make; %tX is a date or time part of the start"),
  RESULT_ROWS(
      "resultRows", "name", "all", "driver", "Shardmark", "rows of result.csv: all, sampled, none"),
  RESULT_SAMPLE_EVERY(
      "resultSampleEvery",
      "int from 1",
      "100",
      "driver",
      "Shardmark",
      "with resultRows=sampled, every n-th transaction has a row"),
  OS_COLLECTOR(
      "osCollector",
      "name",
      "true if osCollectorScript is set",
      "driver",
      "Shardmark",
      "true, local (this machine whatever osCollectorSSHAddr says), false"),
  OS_COLLECTOR_SCRIPT(
      "osCollectorScript",
      "path",
      "no collector",
      "driver",
      "5.0",
      "its presence switches the OS collector on; the script is not needed"),
  OS_COLLECTOR_INTERVAL(
      "osCollectorInterval", "int 1..3600", "1", "driver", "5.0", "seconds between two rows"),
  OS_COLLECTOR_SSH_ADDR(
      "osCollectorSSHAddr",
      "user@host",
      "this machine",
      "driver",
      "5.0",
      "machine to observe over ssh, login by key"),
  OS_COLLECTOR_DEVICES(
      "osCollectorDevices",
      "names",
      "none",
      "driver",
      "5.0",
      "auto, or blank-separated blk_<device> and net_<interface>"),

  CONSOLE(
      "console",
      "name",
      "auto",
      "driver",
      "Shardmark",
      "auto: the dashboard where standard output is a terminal; dashboard; plain: BenchmarkSQL's status line"),
  METRICS_PORT(
      "metricsPort",
      "[address:]port",
      "no port",
      "driver",
      "Shardmark",
      "port of the live page and of Prometheus' /metrics while a run goes on; 0 is any free one");

  private static final Map<String, PropertyKey> BY_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(k -> k.key, Function.identity()));

  private final String key;
  private final String type;
  private final String missing;
  private final String usedBy;
  private final String since;
  private final String meaning;

  /**
   * @param missing the default, or what happens without the key
   * @param since the first BenchmarkSQL version that has it, or Shardmark
   */
  PropertyKey(
      String key, String type, String missing, String usedBy, String since, String meaning) {
    this.key = key;
    this.type = type;
    this.missing = missing;
    this.usedBy = usedBy;
    this.since = since;
    this.meaning = meaning;
  }

  /** The key as written in files, upper and lower case as here. */
  String key() {
    return key;
  }

  /** The key's row in the tables of {@code docs/properties.md}. */
  String tableRow() {
    return "| `%s` | %s | %s | %s | %s | %s |"
        .formatted(key, type, missing, usedBy, since, meaning);
  }

  /**
   * True if blanks at the end are part of the value: these keys worked with them in BenchmarkSQL.
   */
  boolean keepsTrailingBlanks() {
    return this == PASSWORD || this == CSV_NULL_VALUE;
  }

  static Optional<PropertyKey> of(String key) {
    return Optional.ofNullable(BY_NAME.get(key));
  }
}
