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
 * @param firstTerminal number of this process' first terminal among those of all drivers, from 0:
 *     no two terminals of a run draw the same inputs
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
    int deliveryThreads,
    int firstTerminal) {

  /** The same run with the seed that its drivers agreed on. */
  public RunConfig withSeed(long agreed, boolean drawn) {
    return new RunConfig(
        warehouses,
        warehouseFrom,
        warehouseTo,
        terminals,
        connections,
        transactionsPerTerminal,
        runDuration,
        rampUp,
        fixedWarehouse,
        statementProfile,
        retries,
        newOrderRemotePercent,
        paymentRemotePercent,
        agreed,
        drawn,
        mix,
        pacing,
        deliveryThreads,
        firstTerminal);
  }

  /**
   * This run as its drivers together did it.
   *
   * @param opened connections of all of them
   */
  public RunConfig over(int from, int to, int opened) {
    return new RunConfig(
        warehouses,
        from,
        to,
        terminals,
        opened,
        transactionsPerTerminal,
        runDuration,
        rampUp,
        fixedWarehouse,
        statementProfile,
        retries,
        newOrderRemotePercent,
        paymentRemotePercent,
        seed,
        seedDrawn,
        mix,
        pacing,
        deliveryThreads,
        firstTerminal);
  }

  /**
   * One driver's part of this run. Connections and delivery threads follow the share of terminals,
   * at least one each; limits and starting times of a terminal stay what they are in the whole run.
   *
   * @param first number of its first terminal
   * @param own how many terminals it has, from 1
   */
  RunConfig share(int from, int to, int first, int own) {
    return new RunConfig(
        warehouses,
        from,
        to,
        own,
        scaled(connections, first, own),
        transactionsPerTerminal,
        runDuration,
        rampUp,
        fixedWarehouse,
        statementProfile,
        retries,
        newOrderRemotePercent,
        paymentRemotePercent,
        seed,
        seedDrawn,
        mix,
        pacing.share(terminals, first, own),
        scaled(deliveryThreads, first, own),
        first);
  }

  private int scaled(int total, int first, int own) {
    long share = (long) total * (first + own) / terminals - (long) total * first / terminals;
    return (int) Math.max(1, share);
  }
}
