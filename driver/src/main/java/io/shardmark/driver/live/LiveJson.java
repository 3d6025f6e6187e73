package io.shardmark.driver.live;

import static java.util.Objects.requireNonNull;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.judge.WaitClass;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.SuccessCounts;
import io.shardmark.driver.recorder.ServerSide;
import io.shardmark.driver.results.RecordJson;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** What {@code /api/run} and {@code /api/live} answer; {@code docs/live.md} describes it. */
record LiveJson(LiveRun run) {
  private static final int SCHEMA_VERSION = 1;
  private static final int MOST_ERRORS = 50;

  /** What does not change while the run goes on. */
  byte[] facts() {
    RunFacts facts = run.facts();
    Scale scale = facts.scale();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("schema", "shardmark-live");
    all.put("schemaVersion", SCHEMA_VERSION);
    all.put("run", facts.run());
    all.put("product", facts.product());
    all.put("workload", facts.workload());
    all.put("database", facts.database());
    all.put(scale.plural(), scale.size());
    all.put("scale", new Sized(scale.name(), scale.size()));
    all.put("terminals", facts.terminals());
    all.put("connections", facts.connections());
    all.put("statementProfile", facts.statementProfile());
    all.put("start", facts.start().format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
    all.put("rampUpSeconds", seconds(facts.rampUp()));
    facts.length().ifPresent(length -> all.put("seconds", seconds(length)));
    if (facts.transactions() > 0) {
      all.put("transactions", facts.transactions());
    }
    all.put("types", facts.types().stream().map(Type::of).toList());
    all.put("metrics", facts.metrics().stream().map(LiveFigure::of).toList());
    all.put("shards", facts.shards());
    return bytes(all);
  }

  private record Sized(String name, int number) {}

  private record Type(String name, boolean headline, boolean counted, long limitMillis) {
    static Type of(TransactionType type) {
      return new Type(
          type.name(), type.headline(), type.counted(), type.responseTimeLimit().toMillis());
    }
  }

  /** A period of 0 is that of a metric that is no rate. */
  private record LiveFigure(String name, String unit, int periodSeconds, boolean ofAll) {
    static LiveFigure of(MetricRule metric) {
      int period = metric.isRate() ? metric.periodSeconds() : 0;
      return new LiveFigure(metric.name(), metric.unit(), period, metric.ofAll());
    }
  }

  /**
   * How it does now. Each rate has the name of its metric.
   *
   * @param width of the points of the history that the reader has
   * @param from index of the first point that it has not
   */
  byte[] state(int width, int from) {
    LiveState state = run.state();
    LiveFigures now = run.now();
    Optional<RunResult> result = run.result();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("run", run.facts().run());
    all.put("phase", result.isPresent() ? "over" : now.phase().name().toLowerCase(Locale.ROOT));
    all.put("sinceStartSeconds", seconds(now.sinceStart()));
    now.timeLeft().ifPresent(left -> all.put("secondsLeft", seconds(left)));
    all.put("now", now(now));
    all.put("measured", measured(state.measured()));
    result.ifPresent(figures -> all.put("result", result(figures)));
    all.put("types", state.types());
    all.put("errors", run.errors().stream().limit(MOST_ERRORS).toList());
    all.put("shards", state.shards());
    all.put("connections", state.connections());
    all.put("client", state.client());
    run.idle().ifPresent(idle -> all.put("idleSessions", idle));
    all.put("server", server(run.server()));
    all.put("history", history(run.history().since(width, from)));
    return bytes(all);
  }

  private Map<String, Object> now(LiveFigures now) {
    Map<String, Object> figures = new LinkedHashMap<>();
    addRates(figures, now.current(), LiveJson::ofNow);
    figures.put("p95Millis", now.p95Millis());
    figures.put("transactions", now.transactions());
    return figures;
  }

  private void addRates(
      Map<String, Object> to, SuccessCounts counts, BiFunction<MetricRule, Double, Double> shown) {
    for (MetricRule metric : run.facts().rates()) {
      double rate = counts.rate(metric, run.facts().types());
      to.put(metric.name(), shown.apply(metric, rate));
    }
  }

  /** Of the last seconds; what counts by the minute needs no fractions. */
  private static double ofNow(MetricRule metric, double rate) {
    return metric.periodSeconds() > 1 ? Math.round(rate) : rate;
  }

  private Map<String, Object> measured(LiveState.MeasuredSecond measured) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("seconds", measured.seconds());
    addRates(figures, measured.counts(), (metric, rate) -> rate);
    figures.put("transactions", measured.transactions());
    figures.put("errors", measured.errors());
    figures.put("retries", measured.retries());
    return figures;
  }

  private Map<String, Object> result(RunResult result) {
    RunVerdict verdict = requireNonNull(result.verdict(), "a run that was not judged");
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("ending", result.run().ending().jsonName());
    figures.put("verdict", verdict.sentence());
    figures.put("grade", verdict.kind().grade().name().toLowerCase(Locale.ROOT));
    result
        .metrics()
        .forEach(metric -> figures.put(metric.name(), BigDecimal.valueOf(metric.value())));
    figures.put("transactions", result.transactionCount());
    figures.put("errors", result.errorCount());
    figures.put("written", run.isWritten());
    figures.put("report", run.report().map(Path::toString).orElse(""));
    return figures;
  }

  /** The disks by name, with the share they are busy. */
  private record Machine(
      boolean ofServer, double busyShare, double ioWaitShare, Map<String, Double> disks) {}

  private static Map<String, Object> server(ServerSide server) {
    Map<String, Object> all = new LinkedHashMap<>();
    server
        .machine()
        .ifPresent(
            machine -> {
              Map<String, Double> disks = new LinkedHashMap<>();
              machine.disks().forEach((name, disk) -> disks.put(name, disk.busyShare()));
              all.put(
                  "machine",
                  new Machine(
                      machine.ofServer(), machine.busyShare(), machine.ioWaitShare(), disks));
            });
    all.put("missing", server.waits().missing());
    all.put("sessions", WaitClass.sessionsByText(server.waits()));
    all.put("perSecond", server.figures());
    return all;
  }

  private Map<String, Object> history(RunHistory.HistoryPart part) {
    HistoryColumns columns = run.columns();
    Iterator<double[]> values = part.columns().iterator();
    Map<String, Object> history = new LinkedHashMap<>();
    history.put("firstSecond", part.firstSecond());
    history.put("width", part.width());
    history.put("from", part.from());
    history.put("size", part.from() + part.size());
    history.putAll(named(columns.ofRun(), values));
    history.put("types", columns.ofTypes().stream().map(one -> named(one, values)).toList());
    history.put("shards", columns.ofShards().stream().map(one -> named(one, values)).toList());
    return history;
  }

  /** Takes the values of these columns. */
  private static Map<String, List<Double>> named(
      List<HistoryColumns.HistoryColumn> columns, Iterator<double[]> values) {
    Map<String, List<Double>> named = new LinkedHashMap<>();
    for (HistoryColumns.HistoryColumn column : columns) {
      named.put(column.name(), Arrays.stream(values.next()).boxed().toList());
    }
    return named;
  }

  private static BigDecimal seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis() / 1000.0);
  }

  private static byte[] bytes(Object answer) {
    return RecordJson.of(answer, RecordJson.JsonForm.DRAWN).getBytes(StandardCharsets.UTF_8);
  }
}
