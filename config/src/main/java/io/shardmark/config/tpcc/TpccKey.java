package io.shardmark.config.tpcc;

import static io.shardmark.config.KeyType.NO_MOST;
import static io.shardmark.config.KeyType.decimal;
import static io.shardmark.config.KeyType.oneOf;
import static io.shardmark.config.KeyType.text;
import static io.shardmark.config.KeyType.whole;
import static io.shardmark.config.KeyUse.BY_ACID;
import static io.shardmark.config.KeyUse.BY_BOTH;
import static io.shardmark.config.KeyUse.BY_DRIVER;

import io.shardmark.config.Key;
import io.shardmark.config.KeyType;
import io.shardmark.config.KeyUse;
import java.util.Set;

/** The keys of {@code workload=tpcc}. */
public enum TpccKey implements Key {
  WAREHOUSES(
      "warehouses",
      whole(1, NO_MOST),
      "required",
      BY_BOTH,
      "5.0",
      "warehouses to load, or those of the loaded ones that a run uses"),
  WAREHOUSE_FROM(
      "warehouseFrom",
      whole(1, NO_MOST, "int 1..warehouses"),
      "1",
      BY_BOTH,
      "first warehouse of this process"),
  WAREHOUSE_TO(
      "warehouseTo",
      whole(1, NO_MOST, "int warehouseFrom..warehouses"),
      "warehouses",
      BY_BOTH,
      "last warehouse of this process"),
  TERMINAL_WAREHOUSE_FIXED(
      "terminalWarehouseFixed",
      text("true/false"),
      "false",
      BY_DRIVER,
      "5.0",
      "true: a terminal keeps its warehouse; false: a new one for every transaction"),
  USE_STORED_PROCEDURES(
      "useStoredProcedures",
      text("true/false"),
      "false",
      BY_DRIVER,
      "5.1",
      "true is the same as statementProfile=procedures"),
  STATEMENT_PROFILE(
      "statementProfile",
      oneOf(StatementProfile.class),
      "benchmarksql",
      BY_DRIVER,
      "how a transaction talks to the database: benchmarksql, batched, procedures"),
  ACID_CRASH(
      "acid.crash",
      text("command"),
      "embedded servers are killed, others not",
      BY_ACID,
      "shell command that makes the system under test fail, for the test of durability"),
  ACID_RESTART(
      "acid.restart",
      text("command"),
      "required with acid.crash",
      BY_ACID,
      "shell command that starts the system again after acid.crash"),
  ACID_ORDERS(
      "acid.orders",
      whole(1, 1_000_000),
      "500",
      BY_ACID,
      "orders that the system has acknowledged before it is made to fail"),
  DELIVERY_THREADS(
      "deliveryThreads",
      whole(1, 1000),
      "a tenth of connections",
      BY_DRIVER,
      "threads for deferred deliveries (TPC-C 2.7), used when terminals key or think"),
  NEW_ORDER_WEIGHT(
      "newOrderWeight", decimal(0, 100, "percent"), "43.47826", BY_DRIVER, "5.0", "New-Orders"),
  PAYMENT_WEIGHT(
      "paymentWeight", decimal(0, 100, "percent"), "43.47826", BY_DRIVER, "5.0", "Payments"),
  ORDER_STATUS_WEIGHT(
      "orderStatusWeight",
      decimal(0, 100, "percent"),
      "4.347827",
      BY_DRIVER,
      "5.0",
      "Order-Status"),
  DELIVERY_WEIGHT(
      "deliveryWeight", decimal(0, 100, "percent"), "4.347826", BY_DRIVER, "5.0", "Deliveries"),
  STOCK_LEVEL_WEIGHT(
      "stockLevelWeight", decimal(0, 100, "percent"), "4.347827", BY_DRIVER, "5.0", "Stock-Levels"),
  NEW_ORDER_REMOTE_PERCENT(
      "newOrderRemotePercent",
      decimal(0, 100),
      "1",
      BY_DRIVER,
      "percent of order lines with a remote supplying warehouse"),
  PAYMENT_REMOTE_PERCENT(
      "paymentRemotePercent",
      decimal(0, 100),
      "15",
      BY_DRIVER,
      "percent of payments by a customer of a remote warehouse");

  @SuppressWarnings("ImmutableEnumChecker") // records of values, and what Set.of makes
  private final Traits traits;

  /** A key that BenchmarkSQL does not have. */
  TpccKey(String key, KeyType type, String missing, Set<KeyUse> uses, String meaning) {
    traits = new Traits(key, type, missing, uses, meaning);
  }

  TpccKey(
      String key, KeyType type, String missing, Set<KeyUse> uses, String since, String meaning) {
    traits = new Traits(key, type, missing, uses, since, meaning);
  }

  @Override
  public Traits traits() {
    return traits;
  }
}
