package io.shardmark.config.tpcc;

import static io.shardmark.config.tpcc.TpccKey.DELIVERY_THREADS;
import static io.shardmark.config.tpcc.TpccKey.NEW_ORDER_REMOTE_PERCENT;
import static io.shardmark.config.tpcc.TpccKey.PAYMENT_REMOTE_PERCENT;
import static io.shardmark.config.tpcc.TpccKey.STATEMENT_PROFILE;
import static io.shardmark.config.tpcc.TpccKey.TERMINAL_WAREHOUSE_FIXED;
import static io.shardmark.config.tpcc.TpccKey.USE_STORED_PROCEDURES;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.PropertyKey;
import io.shardmark.config.PropertyReader;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of a run of TPC-C beyond those of every run.
 *
 * @param fixedWarehouse key {@code terminalWarehouseFixed}: a terminal keeps the home warehouse it
 *     got at start
 * @param statementProfile key {@code statementProfile}, or {@code useStoredProcedures=true} for
 *     {@code procedures}
 * @param newOrderRemotePercent key {@code newOrderRemotePercent}: share of order lines with a
 *     remote supplying warehouse, 0 .. 100, TPC-C: 1
 * @param paymentRemotePercent key {@code paymentRemotePercent}: share of payments by a customer of
 *     a remote warehouse, 0 .. 100, TPC-C: 15
 * @param mix the five weights
 * @param deliveryThreads key {@code deliveryThreads}: threads of all drivers that execute deferred
 *     deliveries (TPC-C 2.7) when terminals key or think, from 1
 */
public record TpccConfig(
    boolean fixedWarehouse,
    StatementProfile statementProfile,
    double newOrderRemotePercent,
    double paymentRemotePercent,
    TransactionMix mix,
    int deliveryThreads) {
  private static final int MOST_DELIVERY_THREADS = 1000;
  private static final int CONNECTIONS_PER_DELIVERY_THREAD = 10;

  /**
   * Reads the keys and the rules between them.
   *
   * @param connections of all drivers
   * @throws io.shardmark.config.ConfigException if one cannot be used
   */
  public static TpccConfig read(PropertyReader reader, int connections) {
    int threads =
        Math.min(
            MOST_DELIVERY_THREADS,
            (connections + CONNECTIONS_PER_DELIVERY_THREAD - 1) / CONNECTIONS_PER_DELIVERY_THREAD);
    return new TpccConfig(
        reader.isTrue(TERMINAL_WAREHOUSE_FIXED),
        statementProfile(reader),
        reader.decimal(NEW_ORDER_REMOTE_PERCENT).doubleValue(),
        reader.decimal(PAYMENT_REMOTE_PERCENT).doubleValue(),
        TransactionMix.read(reader),
        reader.integer(DELIVERY_THREADS, threads));
  }

  /** What is accepted but may not be meant, one line each. */
  public static List<String> warnings(PropertyReader reader) {
    List<String> warnings = new ArrayList<>();
    reader.oddBooleans(TERMINAL_WAREHOUSE_FIXED, USE_STORED_PROCEDURES).forEach(warnings::add);
    warnings.addAll(TransactionMix.warnings(reader));
    return warnings;
  }

  private static StatementProfile statementProfile(PropertyReader reader) {
    boolean procedures = reader.isTrue(USE_STORED_PROCEDURES);
    StatementProfile missing =
        procedures ? StatementProfile.PROCEDURES : StatementProfile.BENCHMARKSQL;
    StatementProfile profile = reader.constant(STATEMENT_PROFILE, missing);
    if (procedures && profile != StatementProfile.PROCEDURES) {
      throw reader.bad(STATEMENT_PROFILE, "procedures, or useStoredProcedures=false");
    }
    if (profile == StatementProfile.PROCEDURES) {
      checkHasProcedures(reader);
    }
    return profile;
  }

  private static void checkHasProcedures(PropertyReader reader) {
    DatabaseKind database = reader.constant(PropertyKey.DB, DatabaseKind.POSTGRES);
    if (database != DatabaseKind.POSTGRES && database != DatabaseKind.ORACLE) {
      throw reader.bad(
          reader.has(STATEMENT_PROFILE) ? STATEMENT_PROFILE : USE_STORED_PROCEDURES,
          "another profile with db=%s: only postgres and oracle have the procedures"
              .formatted(database.propertyName()));
    }
  }
}
