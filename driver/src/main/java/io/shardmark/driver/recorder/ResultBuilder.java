package io.shardmark.driver.recorder;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.judge.BottleneckJudge;
import io.shardmark.driver.judge.RunJudge;
import io.shardmark.driver.judge.Threshold;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Configuration;
import io.shardmark.driver.results.HoldUps;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.MeasuredInterval;
import io.shardmark.driver.results.ResultDraft;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.TypeResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the result of a run from what was measured and what else is known of it. Pure. */
public final class ResultBuilder {
  private ResultBuilder() {}

  /**
   * The result: what is known of the run, what was measured, and what is computed from both.
   *
   * @param known of the run in addition to its transactions
   * @param metrics what the benchmark is judged by, the main one first
   * @param failOn what makes it a failed run
   */
  public static RunResult of(
      ResultDraft known, List<MetricRule> metrics, List<Threshold> failOn, RunStatistics run) {
    addMeasured(known, run);
    known.metrics = Metrics.of(metrics, run, known.databaseFigures);
    RunResult result = known.result();
    RunVerdict verdict = RunJudge.of(result);
    known.verdict = verdict;
    known.bottleneck = BottleneckJudge.of(result, verdict);
    // Those of several drivers are set for the run of all.
    if (result.drivers() == null || result.drivers().merged()) {
      known.thresholds =
          failOn.stream().map(threshold -> threshold.check(result, verdict)).toList();
    }
    return known.result();
  }

  private static void addMeasured(ResultDraft draft, RunStatistics run) {
    draft.interval =
        new MeasuredInterval(
            (run.interval().startNanos() - run.sessionStartNanos()) / 1e9,
            run.interval().lengthNanos() / 1e9,
            run.outside(),
            run.steady());
    Client client = draft.client;
    HoldUps heldUp = client == null ? null : client.heldUp();
    draft.quiet = run.quietAndStuck(heldUp == null ? HoldUps.NONE : heldUp);
    draft.types = run.types().stream().map(type -> type(type, run)).toList();
    draft.latencyMillis = latencies(run::overall, null);
    draft.load = run.load();
    draft.statements = run.statements();
    draft.stages = run.stages();
    draft.errors = run.errors();
  }

  /**
   * What was in effect.
   *
   * @param isolation the isolation level as the database named it, such as {@code read committed}
   * @param given the keys of the properties file with their values, passwords masked
   */
  public static Configuration configuration(
      ConnectionConfig connection, RunConfig config, String isolation, Map<String, String> given) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("db", connection.database().propertyName());
    values.put("driver", connection.driverClass());
    values.put("conn", connection.maskedUrl());
    values.put("user", connection.user());
    values.put("isolation", isolation);
    values.put("terminals", config.terminals());
    values.put("connections", config.connections());
    values.put("runTxnsPerTerminal", config.transactionsPerTerminal());
    values.put("runSeconds", seconds(config.runDuration()));
    values.put("rampupSeconds", seconds(config.rampUp()));
    values.put("retries", config.retries());
    values.put("seed", config.seed());
    values.put("seedDrawn", config.seedDrawn());
    values.putAll(config.own());
    values.put("pacing", pacing(config.pacing()));
    Map<String, Object> properties = new LinkedHashMap<>(given);
    // They come masked; this is for a password that was forgotten.
    properties.replaceAll((key, value) -> isPassword(key) ? "***********" : value);
    values.put("properties", properties);
    return new Configuration(values);
  }

  /** When transactions were due, by key. */
  public static Map<String, Object> pacing(PacingConfig pacing) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("keyingTimeMultiplier", pacing.keyingTimeMultiplier());
    values.put("thinkTimeMultiplier", pacing.thinkTimeMultiplier());
    values.put("limitTxnsPerMin", pacing.limitTxnsPerMin());
    values.put("limitPacing", pacing.limitPacing().propertyName());
    values.put("openLoopTxnsPerMin", pacing.openLoopTxnsPerMin());
    values.put("rampupDelaySeconds", seconds(pacing.rampupDelay()));
    return values;
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static boolean isPassword(String key) {
    return key.toLowerCase(Locale.ROOT).contains("password");
  }

  private static TypeResult type(TypeStatistics type, RunStatistics run) {
    long counted =
        run.types().stream()
            .filter(one -> one.type().counted())
            .mapToLong(TypeStatistics::count)
            .sum();
    double limitMillis = type.type().responseTimeLimit().toMillis();
    Latency due = type.latency(LatencyKind.DUE, Scope.ALL);
    Map<String, Long> errors = new LinkedHashMap<>();
    for (Disposition disposition : Disposition.values()) {
      if (disposition.isError() && type.count(disposition) > 0) {
        errors.put(disposition.name(), type.count(disposition));
      }
    }
    return new TypeResult(
        type.type().name(),
        type.type().headline(),
        type.type().counted(),
        type.count(),
        type.count(Disposition.COMMITTED),
        type.count(Disposition.ROLLED_BACK),
        type.errors(),
        type.type().counted() && counted > 0 ? 100.0 * type.count() / counted : null,
        type.retries().count(),
        type.retries().transactions(),
        type.skipped(),
        type.undone(),
        limitMillis,
        TypeResult.limitMet(type.count(), due.count(), limitMillis, due),
        errors,
        latencies(type::latency, type.errorLatency()));
  }

  /** Where latencies of one kind come from. */
  private interface MeasuredRun {
    Latency of(LatencyKind kind, Scope scope);
  }

  private static Latencies latencies(MeasuredRun measured, @Nullable Latency errors) {
    return new Latencies(
        kinds(measured, Scope.ALL),
        kinds(measured, Scope.LOCAL),
        kinds(measured, Scope.DISTRIBUTED),
        errors);
  }

  private static Latencies.Kinds kinds(MeasuredRun measured, Scope scope) {
    return new Latencies.Kinds(
        measured.of(LatencyKind.DUE, scope),
        measured.of(LatencyKind.SERVICE, scope),
        measured.of(LatencyKind.QUEUE_WAIT, scope),
        measured.of(LatencyKind.CONNECTION_WAIT, scope));
  }
}
