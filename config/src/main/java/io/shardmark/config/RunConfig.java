package io.shardmark.config;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the driver is told about a run, whatever its benchmark. Exactly one of {@code runDuration}
 * and {@code transactionsPerTerminal} is not zero.
 *
 * @param terminals key {@code terminals}: emulated users, from 1
 * @param connections key {@code connections}: size of the connection pool, 1 .. terminals; the
 *     default is a connection for each terminal
 * @param transactionsPerTerminal key {@code runTxnsPerTerminal}
 * @param runDuration key {@code runMins}: length of the measurement interval
 * @param rampUp key {@code rampupMins}: runs before the measurement interval and counts for nothing
 * @param retries key {@code retries}: how often a transaction that ended in a serialization failure
 *     or deadlock is tried again, from 0
 * @param seed key {@code seed}: the same seed gives each terminal the same sequence of inputs
 * @param seedDrawn true if no seed was given and this one was drawn at start
 * @param pacing when transactions are due
 * @param firstTerminal number of this process' first terminal among those of all drivers, from 0:
 *     no two terminals of a run draw the same inputs
 * @param allTerminals terminals of all drivers
 * @param own what is in effect of the benchmark's own settings, by name; a value is a text, a
 *     number, a truth value or a map of such
 */
public record RunConfig(
    int terminals,
    int connections,
    int transactionsPerTerminal,
    Duration runDuration,
    Duration rampUp,
    int retries,
    long seed,
    boolean seedDrawn,
    PacingConfig pacing,
    int firstTerminal,
    int allTerminals,
    Map<String, Object> own) {
  public RunConfig {
    own = Collections.unmodifiableMap(new LinkedHashMap<>(own));
  }

  /** The same run with the seed that its drivers agreed on. */
  public RunConfig withSeed(long agreed, boolean drawn) {
    return with(terminals, connections, agreed, drawn, pacing, firstTerminal, own);
  }

  /** The same with what is in effect of the benchmark's own settings. */
  public RunConfig with(Map<String, Object> settings) {
    return with(terminals, connections, seed, seedDrawn, pacing, firstTerminal, settings);
  }

  /** The same with as many connections as its drivers opened together. */
  public RunConfig withConnections(int opened) {
    return with(terminals, opened, seed, seedDrawn, pacing, firstTerminal, own);
  }

  /**
   * One driver's part of this run. Connections follow the share of terminals, at least one each;
   * limits and starting times of a terminal stay what they are in the whole run.
   *
   * @param first number of its first terminal
   * @param count how many terminals it has, from 1
   */
  public RunConfig share(int first, int count) {
    int opened = scaled(connections, first, count);
    PacingConfig shared = pacing.share(allTerminals, first, count);
    return with(count, opened, seed, seedDrawn, shared, first, own);
  }

  private RunConfig with(
      int ownTerminals,
      int opened,
      long seedInForce,
      boolean drawn,
      PacingConfig paced,
      int first,
      Map<String, Object> settings) {
    return new RunConfig(
        ownTerminals,
        opened,
        transactionsPerTerminal,
        runDuration,
        rampUp,
        retries,
        seedInForce,
        drawn,
        paced,
        first,
        allTerminals,
        settings);
  }

  /** This driver's part of something that all drivers have so many of, at least one. */
  public int partOf(int total) {
    return scaled(total, firstTerminal, terminals);
  }

  private int scaled(int total, int first, int count) {
    long share =
        (long) total * (first + count) / allTerminals - (long) total * first / allTerminals;
    return (int) Math.max(1, share);
  }
}
