package io.shardmark.config;

import java.time.Duration;

/**
 * What the driver is told about the run itself. Exactly one of {@code runDuration} and {@code
 * transactionsPerTerminal} is not zero.
 *
 * @param warehouses key {@code warehouses}: warehouses the run uses, 1 .. loaded
 * @param warehouseFrom key {@code warehouseFrom}: first home warehouse of this process
 * @param warehouseTo key {@code warehouseTo}: last home warehouse of this process
 * @param terminals key {@code terminals}: emulated users, from 1
 * @param connections key {@code connections}: size of the connection pool, 1 .. terminals; the
 *     default is a connection for each terminal
 * @param transactionsPerTerminal key {@code runTxnsPerTerminal}
 * @param runDuration key {@code runMins}: length of the measurement interval
 * @param rampUp key {@code rampupMins}: runs before the measurement interval and counts for nothing
 * @param fixedWarehouse key {@code terminalWarehouseFixed}: a terminal keeps the home warehouse it
 *     got at start
 * @param statementProfile key {@code statementProfile}, or {@code useStoredProcedures=true} for
 *     {@code procedures}
 * @param retries key {@code retries}: how often a transaction that ended in a serialization failure
 *     or deadlock is tried again, from 0
 * @param newOrderRemotePercent key {@code newOrderRemotePercent}: share of order lines with a
 *     remote supplying warehouse, 0 .. 100, TPC-C: 1
 * @param paymentRemotePercent key {@code paymentRemotePercent}: share of payments by a customer of
 *     a remote warehouse, 0 .. 100, TPC-C: 15
 * @param seed key {@code seed}: the same seed gives each terminal the same sequence of inputs
 * @param seedDrawn true if no seed was given and this one was drawn at start
 * @param mix the five weights
 * @param pacing when transactions are due
 * @param deliveryThreads key {@code deliveryThreads}: threads that execute deferred deliveries
 *     (TPC-C 2.7), used when {@link PacingConfig#isPaced}, from 1
 */
public record RunConfig(
    int warehouses,
    int warehouseFrom,
    int warehouseTo,
    int terminals,
    int connections,
    int transactionsPerTerminal,
    Duration runDuration,
    Duration rampUp,
    boolean fixedWarehouse,
    StatementProfile statementProfile,
    int retries,
    double newOrderRemotePercent,
    double paymentRemotePercent,
    long seed,
    boolean seedDrawn,
    TransactionMix mix,
    PacingConfig pacing,
    int deliveryThreads) {}
