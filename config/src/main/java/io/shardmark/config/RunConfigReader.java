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
import java.util.List;
import java.util.Map;

/** Reads the keys of the run itself and the rules between them. */
final class RunConfigReader {
  private static final BigDecimal NANOS_PER_MINUTE = BigDecimal.valueOf(60_000_000_000L);
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000L);

  private final PropertyReader reader;
  private final long seed;

  RunConfigReader(PropertyReader reader, long seed) {
    this.reader = reader;
    this.seed = seed;
  }

  /** The run of all drivers together. */
  RunConfig read() {
    int terminals = reader.requiredInteger(TERMINALS);
    int connections = Math.min(terminals, askedConnections(terminals));
    int transactions = reader.integer(RUN_TXNS_PER_TERMINAL);
    List<Stage> stages = reader.name(STAGES, List.of(), Stage::listOf);
    Duration runDuration = stages.isEmpty() ? minutes(RUN_MINS) : Stage.total(stages);
    if (stages.isEmpty()) {
      checkOneEnd(transactions, runDuration);
    } else {
      checkAlone(stages);
    }
    return new RunConfig(
        terminals,
        connections,
        transactions,
        runDuration,
        rampUp(transactions),
        reader.integer(RETRIES),
        seed,
        reader.text(SEED).isEmpty(),
        pacing(stages),
        0,
        terminals,
        Map.of());
  }

  /** What the run accepts but its user may not have meant. */
  List<String> warnings() {
    RunConfig run = read();
    List<String> warnings = new ArrayList<>(reader.oddBooleans(PropertyKey.STATEMENT_TIMES));
    if (askedConnections(run.terminals()) > run.terminals()) {
      warnings.add(
          reader.found(CONNECTIONS)
              + ": more than terminals: %d are opened".formatted(run.connections()));
    }
    int limit = run.pacing().limitTxnsPerMin();
    if (limit > 0 && limit < run.terminals()) {
      warnings.add(
          reader.found(LIMIT_TXNS_PER_MIN)
              + ": less than one a minute for each terminal, which is no limit, as in"
              + " BenchmarkSQL");
    }
    return List.copyOf(warnings);
  }

  private int askedConnections(int terminals) {
    return reader.integer(CONNECTIONS, terminals);
  }

  private void checkOneEnd(int transactions, Duration runDuration) {
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

  private Duration rampUp(int transactions) {
    Duration rampUp = minutes(RAMPUP_MINS);
    if (transactions > 0 && !rampUp.isZero()) {
      throw reader.bad(RAMPUP_MINS, "0 with runTxnsPerTerminal, where every transaction counts");
    }
    return rampUp;
  }

  private Duration minutes(Key key) {
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
  private void checkAlone(List<Stage> stages) {
    for (Key other : List.of(RUN_MINS, RUN_TXNS_PER_TERMINAL)) {
      if (isAboveZero(other)) {
        throw reader.bad(
            STAGES,
            "%s=0 beside it: the stages take %d s together"
                .formatted(other.key(), Stage.total(stages).toSeconds()));
      }
    }
    for (Key other :
        List.of(
            OPEN_LOOP_TXNS_PER_MIN,
            LIMIT_TXNS_PER_MIN,
            KEYING_TIME_MULTIPLIER,
            THINK_TIME_MULTIPLIER)) {
      if (isAboveZero(other)) {
        throw reader.bad(
            STAGES, "%s=0 beside it: the stages are the only pacing".formatted(other.key()));
      }
    }
  }

  private boolean isAboveZero(Key key) {
    return key.type() instanceof KeyType.Whole
        ? reader.integer(key) > 0
        : reader.decimal(key).signum() > 0;
  }

  private PacingConfig pacing(List<Stage> stages) {
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
          "%s=0 beside it: a fixed schedule leaves no room for pauses".formatted(other.key()));
    }
    return pacing;
  }
}
