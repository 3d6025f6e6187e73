package io.shardmark.config;

import static io.shardmark.config.PropertyKey.CONNECTIONS;
import static io.shardmark.config.PropertyKey.KEYING_TIME_MULTIPLIER;
import static io.shardmark.config.PropertyKey.LIMIT_TXNS_PER_MIN;
import static io.shardmark.config.PropertyKey.OPEN_LOOP_TXNS_PER_MIN;
import static io.shardmark.config.PropertyKey.RAMPUP_DELAY;
import static io.shardmark.config.PropertyKey.RAMPUP_MINS;
import static io.shardmark.config.PropertyKey.RETRIES;
import static io.shardmark.config.PropertyKey.RUN_MINS;
import static io.shardmark.config.PropertyKey.RUN_TXNS_PER_TERMINAL;
import static io.shardmark.config.PropertyKey.SEED;
import static io.shardmark.config.PropertyKey.STAGES;
import static io.shardmark.config.PropertyKey.TERMINALS;
import static io.shardmark.config.PropertyKey.THINK_TIME_MULTIPLIER;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the driver knows of a run, whatever its benchmark. Exactly one of {@code runDuration} and
 * {@code transactionsPerTerminal} is not zero.
 *
 * @param terminals key {@code terminals}: emulated users, from 1
 * @param connections key {@code connections}: size of the connection pool, 1 .. terminals; the
 *     default is a connection for each terminal
 * @param transactionsPerTerminal key {@code runTxnsPerTerminal}
 * @param runDuration key {@code runMins}: length of the measurement interval
 * @param rampUp key {@code rampupMins}: runs before the measurement interval and counts for
 *     nothing; the most that it may take if it ends when the throughput is steady
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
  private static final String AUTO = "auto";
  private static final long DEFAULT_MOST_MINUTES = 10;
  private static final BigDecimal NANOS_PER_MINUTE = BigDecimal.valueOf(60_000_000_000L);
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000L);

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

  /**
   * Reads the keys of the run itself and the rules between them: the run of all drivers together.
   *
   * @param seed that the file names, or that was drawn
   */
  static RunConfig read(PropertyReader reader, long seed) {
    int terminals = reader.requiredInteger(TERMINALS);
    int connections = Math.min(terminals, askedConnections(reader, terminals));
    int transactions = reader.integer(RUN_TXNS_PER_TERMINAL);
    List<Stage> stages = reader.name(STAGES, List.of(), Stage::listOf);
    Duration runDuration = stages.isEmpty() ? minutes(reader, RUN_MINS) : Stage.total(stages);
    if (stages.isEmpty()) {
      checkOneEnd(reader, transactions, runDuration);
    } else {
      checkAlone(reader, stages);
    }
    return new RunConfig(
        terminals,
        connections,
        transactions,
        runDuration,
        rampUp(reader, transactions),
        reader.integer(RETRIES),
        seed,
        reader.text(SEED).isEmpty(),
        pacing(reader, stages),
        0,
        terminals,
        Map.of());
  }

  /** What the run accepts but its user may not have meant. */
  List<String> warnings(PropertyReader reader) {
    List<String> warnings = new ArrayList<>(reader.oddBooleans(PropertyKey.STATEMENT_TIMES));
    if (askedConnections(reader, terminals) > terminals) {
      warnings.add(
          reader.found(CONNECTIONS)
              + ": more than terminals: %d are opened".formatted(connections));
    }
    long allowed = pacing.allowedPerMinute(terminals);
    if (pacing.limitPacing() == LimitPacing.BENCHMARKSQL && allowed != pacing.limitTxnsPerMin()) {
      warnings.add(
          reader.found(LIMIT_TXNS_PER_MIN)
              + ": BenchmarkSQL's whole milliseconds "
              + (allowed == 0 ? "make no limit of it" : "allow %d a minute".formatted(allowed)));
    }
    return List.copyOf(warnings);
  }

  private static int askedConnections(PropertyReader reader, int terminals) {
    return reader.integer(CONNECTIONS, terminals);
  }

  private static void checkOneEnd(PropertyReader reader, int transactions, Duration runDuration) {
    String expected = "exactly one of them above 0";
    if (!reader.has(RUN_MINS) && !reader.has(RUN_TXNS_PER_TERMINAL)) {
      throw reader.problem(
          "keys 'runMins' and 'runTxnsPerTerminal' are missing: expected " + expected, List.of());
    }
    if ((transactions == 0) == runDuration.isZero()) {
      Key there =
          reader.blamed(
              reader.has(RUN_MINS) ? RUN_MINS : RUN_TXNS_PER_TERMINAL, RUN_TXNS_PER_TERMINAL);
      Key other = there == RUN_MINS ? RUN_TXNS_PER_TERMINAL : RUN_MINS;
      String otherText = reader.text(other).orElse("(not set)");
      throw new ConfigException(
          "%s with %s=%s: expected %s"
              .formatted(reader.found(there), other.key(), otherText, expected));
    }
  }

  private static Duration rampUp(PropertyReader reader, int transactions) {
    Duration rampUp = isSteadyRampUp(reader) ? mostRampUp(reader) : minutes(reader, RAMPUP_MINS);
    if (transactions > 0 && !rampUp.isZero()) {
      throw reader.bad(RAMPUP_MINS, "0 with runTxnsPerTerminal, where every transaction counts");
    }
    return rampUp;
  }

  /** Whether the ramp-up ends when the throughput is steady. */
  static boolean isSteadyRampUp(PropertyReader reader) {
    return reader.text(RAMPUP_MINS).filter(text -> text.startsWith(AUTO)).isPresent();
  }

  /** How long it may take until then. */
  private static Duration mostRampUp(PropertyReader reader) {
    String text = reader.text(RAMPUP_MINS).orElse("");
    if (!text.matches(AUTO + "(:([2-9]|[1-9]\\d{1,3}))?")) {
      throw reader.bad(RAMPUP_MINS, "auto, or auto:10 with the most minutes that it takes, from 2");
    }
    for (Key other : List.of(STAGES, PropertyKey.IDLE_SESSIONS)) {
      if (reader.text(other).filter(value -> !value.equals("0")).isPresent()) {
        throw reader.bad(
            RAMPUP_MINS, "a number of minutes with %s: it follows a plan".formatted(other.key()));
      }
    }
    return Duration.ofMinutes(
        text.equals(AUTO)
            ? DEFAULT_MOST_MINUTES
            : Long.parseLong(text.substring(AUTO.length() + 1)));
  }

  private static Duration minutes(PropertyReader reader, Key key) {
    return duration(
        reader
            .decimal(key, "a number of minutes from 0, fractions allowed")
            .multiply(NANOS_PER_MINUTE));
  }

  static Duration seconds(BigDecimal seconds) {
    return duration(seconds.multiply(NANOS_PER_SECOND));
  }

  private static Duration duration(BigDecimal nanos) {
    return Duration.ofNanos(nanos.setScale(0, RoundingMode.UP).longValueExact());
  }

  /** Stages say how long the run is, and what is due when. */
  private static void checkAlone(PropertyReader reader, List<Stage> stages) {
    for (Key other : List.of(RUN_MINS, RUN_TXNS_PER_TERMINAL)) {
      if (isAboveZero(reader, other)) {
        throw reader.bad(
            STAGES,
            "%s=0 with it: the stages take %d s together"
                .formatted(other.key(), Stage.total(stages).toSeconds()));
      }
    }
    for (Key other :
        List.of(
            OPEN_LOOP_TXNS_PER_MIN,
            LIMIT_TXNS_PER_MIN,
            KEYING_TIME_MULTIPLIER,
            THINK_TIME_MULTIPLIER)) {
      if (isAboveZero(reader, other)) {
        throw reader.bad(
            STAGES, "%s=0 with it: the stages are the only pacing".formatted(other.key()));
      }
    }
  }

  private static boolean isAboveZero(PropertyReader reader, Key key) {
    return key.type() instanceof KeyType.Whole
        ? reader.integer(key) > 0
        : reader.decimal(key).signum() > 0;
  }

  private static PacingConfig pacing(PropertyReader reader, List<Stage> stages) {
    // BenchmarkSQL's arithmetic makes a negative limit no limit.
    int limit = reader.integer(LIMIT_TXNS_PER_MIN);
    BigDecimal delay = reader.decimal(RAMPUP_DELAY);
    PacingConfig pacing =
        new PacingConfig(
            reader.decimal(KEYING_TIME_MULTIPLIER).doubleValue(),
            reader.decimal(THINK_TIME_MULTIPLIER).doubleValue(),
            Math.max(0, limit),
            seconds(delay),
            reader.integer(OPEN_LOOP_TXNS_PER_MIN),
            reader.constant(PropertyKey.LIMIT_PACING, LimitPacing.class),
            stages);
    if (pacing.openLoopTxnsPerMin() > 0 && (pacing.isPaced() || pacing.limitTxnsPerMin() > 0)) {
      Key other = pacing.isPaced() ? KEYING_TIME_MULTIPLIER : LIMIT_TXNS_PER_MIN;
      if (pacing.isPaced() && pacing.keyingTimeMultiplier() == 0) {
        other = THINK_TIME_MULTIPLIER;
      }
      throw reader.bad(
          OPEN_LOOP_TXNS_PER_MIN,
          "%s=0 with it: a fixed schedule leaves no room for pauses".formatted(other.key()));
    }
    return pacing;
  }
}
