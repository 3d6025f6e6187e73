package io.shardmark.driver.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.config.RunConfig;
import io.shardmark.config.TransactionMix;
import io.shardmark.driver.audit.AuditResult;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog.ErrorCount;
import io.shardmark.driver.measure.ErrorLog.Example;
import io.shardmark.driver.measure.LatencyFigures;
import io.shardmark.driver.measure.LatencyKind;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.RunStatistics.Counting;
import io.shardmark.driver.measure.Scope;
import io.shardmark.driver.measure.StageFigures;
import io.shardmark.driver.measure.StatementFigures;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.verdict.Finding;
import io.shardmark.driver.verdict.RunVerdict;
import io.shardmark.driver.verdict.VerdictKind;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/**
 * {@code summary.json}: everything a report or a comparison needs, described in docs/results.md.
 * Members may be added under the same schema version; a change of meaning raises it.
 */
final class SummaryJson {
  static final String SCHEMA = "shardmark-summary";
  static final int SCHEMA_VERSION = 1;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final RunSummary summary;
  private final RunStatistics run;
  private final ObjectNode root = MAPPER.createObjectNode();

  private SummaryJson(RunSummary summary) {
    this.summary = summary;
    this.run = summary.statistics();
  }

  static String toText(RunSummary summary) {
    try {
      return MAPPER.writeValueAsString(new SummaryJson(summary).build()) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e); // a tree of plain values can always be written
    }
  }

  private ObjectNode build() {
    root.put("schema", SCHEMA).put("schemaVersion", SCHEMA_VERSION);
    addRun();
    addConfiguration();
    texts(root.putObject("facts"), summary.facts());
    texts(root.putObject("machine"), summary.environment().machine());
    texts(root.putObject("jvm"), summary.environment().jvm());
    texts(root.putObject("database"), summary.environment().database());
    addInterval();
    addRates();
    ArrayNode types = root.putArray("types");
    run.types().forEach(type -> addType(types.addObject(), type));
    ObjectNode overall = root.putObject("latencyMillis");
    for (Scope scope : Scope.values()) {
      ObjectNode node = overall.putObject(scope.jsonName());
      for (LatencyKind kind : LatencyKind.values()) {
        latency(node.putObject(kind.jsonName()), run.overall(kind, scope));
      }
    }
    LoadJson.write(root.putObject("load"), run.load());
    if (!run.statements().isEmpty()) {
      ArrayNode statements = root.putArray("statements");
      run.statements().forEach(statement -> addStatement(statements.addObject(), statement));
    }
    if (!run.stages().isEmpty()) {
      ArrayNode stages = root.putArray("stages");
      run.stages().forEach(stage -> addStage(stages.addObject(), stage));
    }
    root.putObject("deferredWork")
        .put("notBegun", summary.deferredWork().notBegun())
        .put("refused", summary.deferredWork().refused());
    addErrors();
    addAudit();
    TroubleJson.write(root, summary.trouble());
    addClient();
    ServerSideJson.write(root, summary.server());
    BottleneckJson.write(root.putObject("bottleneck"), summary.bottleneck());
    addVerdict(root.putObject("verdict"), summary.verdict());
    ArrayNode thresholds = root.putArray("thresholds");
    summary
        .thresholds()
        .forEach(
            result ->
                thresholds
                    .addObject()
                    .put("condition", result.condition())
                    .put("measured", result.measured())
                    .put("broken", result.broken()));
    summary.drivers().ifPresent(drivers -> DriversJson.write(root.putObject("drivers"), drivers));
    return root;
  }

  private void addRun() {
    RunSummary.Session session = summary.session();
    DateTimeFormatter iso = DateTimeFormatter.ISO_OFFSET_DATE_TIME;
    root.putObject("run")
        .put("id", session.run())
        .put("product", session.product())
        .put("workload", session.workload())
        .put("sessionStart", session.start().format(iso))
        .put("sessionEnd", session.end().format(iso))
        .put("ending", session.ending().jsonName());
  }

  private void addConfiguration() {
    RunConfig config = summary.config();
    ObjectNode node = root.putObject("configuration");
    node.put("db", summary.connection().database().propertyName())
        .put("driver", summary.connection().driverClass())
        .put("conn", summary.connection().maskedUrl())
        .put("user", summary.connection().user())
        .put("statementProfile", config.statementProfile().propertyName())
        .put("isolation", summary.isolation())
        .put("warehouses", config.warehouses())
        .put("warehouseFrom", config.warehouseFrom())
        .put("warehouseTo", config.warehouseTo())
        .put("terminals", config.terminals())
        .put("connections", config.connections())
        .put("runTxnsPerTerminal", config.transactionsPerTerminal())
        .put("runSeconds", config.runDuration().toMillis() / 1000.0)
        .put("rampupSeconds", config.rampUp().toMillis() / 1000.0)
        .put("terminalWarehouseFixed", config.fixedWarehouse())
        .put("retries", config.retries())
        .put("newOrderRemotePercent", config.newOrderRemotePercent())
        .put("paymentRemotePercent", config.paymentRemotePercent())
        .put("seed", config.seed())
        .put("seedDrawn", config.seedDrawn())
        .put("deliveryThreads", config.deliveryThreads());
    node.putObject("pacing")
        .put("keyingTimeMultiplier", config.pacing().keyingTimeMultiplier())
        .put("thinkTimeMultiplier", config.pacing().thinkTimeMultiplier())
        .put("limitTxnsPerMin", config.pacing().limitTxnsPerMin())
        .put("limitPacing", config.pacing().limitPacing().propertyName())
        .put("openLoopTxnsPerMin", config.pacing().openLoopTxnsPerMin())
        .put("rampupDelaySeconds", config.pacing().rampupDelay().toMillis() / 1000.0);
    TransactionMix mix = config.mix();
    node.putObject("mixPercent")
        .put("newOrder", mix.newOrder())
        .put("payment", mix.payment())
        .put("orderStatus", mix.orderStatus())
        .put("delivery", mix.delivery())
        .put("stockLevel", mix.stockLevel());
    ObjectNode properties = node.putObject("properties");
    summary
        .properties()
        .forEach((key, value) -> properties.put(key, isPassword(key) ? "***********" : value));
  }

  /** They come masked; this is for a password that was forgotten. */
  private static boolean isPassword(String key) {
    return key.toLowerCase(Locale.ROOT).contains("password");
  }

  private void addInterval() {
    root.putObject("interval")
        .put("rampUpSeconds", (run.interval().startNanos() - run.sessionStartNanos()) / 1e9)
        .put("seconds", run.interval().lengthNanos() / 1e9)
        .put("transactionsOutside", run.outside());
    root.putObject("quiet")
        .put("seconds", run.quiet().seconds())
        .put("fromSecond", run.quiet().fromSecond())
        .put("secondsAtEnd", run.quiet().secondsAtEnd());
  }

  private void addRates() {
    ObjectNode rates = root.putObject("rates");
    rates(rates, Counting.SUCCESSES);
    rates(rates.putObject("asBenchmarkSql"), Counting.AS_BENCHMARKSQL);
  }

  private void rates(ObjectNode node, Counting counting) {
    node.put("tpmC", run.tpmC(counting))
        .put("tpmTotal", run.tpmTotal(counting))
        .put("headlineCount", run.headlineCount(counting))
        .put("transactionCount", run.transactionCount(counting));
  }

  private void addType(ObjectNode node, TypeStatistics type) {
    long counted = run.transactionCount(Counting.AS_BENCHMARKSQL);
    LatencyFigures due = type.latency(LatencyKind.DUE, Scope.ALL);
    double limitMillis = type.type().responseTimeLimit().map(Duration::toMillis).orElse(0L);
    node.put("name", type.type().name())
        .put("headline", type.type().headline())
        .put("counted", type.type().counted())
        .put("count", type.count())
        .put("committed", type.count(Disposition.COMMITTED))
        .put("rolledBack", type.count(Disposition.ROLLED_BACK))
        .put("errors", type.errors());
    if (type.type().counted() && counted > 0) {
      node.put("mixPercent", 100.0 * type.count() / counted);
    }
    node.put("retries", type.retries().count())
        .put("retriedTransactions", type.retries().transactions())
        .put("skipped", type.skipped())
        .put("undone", type.undone())
        .put("limitMillis", limitMillis);
    if (type.count() > 0) {
      // A type without a single success has met nothing.
      node.put("limitMet", due.count() > 0 && due.p90Nanos() / 1e6 < limitMillis);
    }
    ObjectNode errors = node.putObject("errorsByDisposition");
    for (Disposition disposition : Disposition.values()) {
      if (disposition.isError() && type.count(disposition) > 0) {
        errors.put(disposition.name(), type.count(disposition));
      }
    }
    ObjectNode latencies = node.putObject("latencyMillis");
    for (Scope scope : Scope.values()) {
      ObjectNode scoped = latencies.putObject(scope.jsonName());
      for (LatencyKind kind : LatencyKind.values()) {
        latency(scoped.putObject(kind.jsonName()), type.latency(kind, scope));
      }
    }
    latency(latencies.putObject("errors"), type.errorLatency());
  }

  private void addStatement(ObjectNode node, StatementFigures statement) {
    node.put("type", run.types().get(statement.typeIndex()).type().name())
        .put("statement", statement.statement())
        .put("totalSeconds", statement.totalNanos() / 1e9);
    latency(node.putObject("latencyMillis"), statement.latency());
  }

  private static void addStage(ObjectNode node, StageFigures stage) {
    node.put("stage", stage.stage().toString())
        .put("fromSeconds", stage.fromNanos() / 1e9)
        .put("seconds", stage.lengthNanos() / 1e9)
        .put("tpmC", stage.tpmC())
        .put("tpmTotal", stage.tpmTotal())
        .put("successes", stage.successes())
        .put("errors", stage.errors());
    LoadJson.write(node.putObject("load"), stage.load());
    latency(node.putObject("latencyMillis"), stage.due());
  }

  private static void latency(ObjectNode node, LatencyFigures figures) {
    node.put("count", figures.count());
    if (figures.isEmpty()) {
      return;
    }
    if (figures.undone() > 0) {
      node.put("undone", figures.undone());
    }
    if (figures.isLowerBound(100)) {
      node.put("lowerBoundFrom", figures.lowerBoundFrom());
    }
    node.put("min", millis(figures.minNanos()))
        .put("mean", millis(figures.meanNanos()))
        .put("p50", millis(figures.p50Nanos()))
        .put("p90", millis(figures.p90Nanos()))
        .put("p95", millis(figures.p95Nanos()))
        .put("p99", millis(figures.p99Nanos()))
        .put("p99_9", millis(figures.p999Nanos()))
        .put("max", millis(figures.maxNanos()))
        .put("clamped", figures.clamped());
  }

  /** Rounded to microseconds: more digits than the histogram has. */
  private static double millis(long nanos) {
    return DriversJson.millis(nanos);
  }

  private void addErrors() {
    ArrayNode errors = root.putArray("errors");
    for (ErrorCount count : run.errors()) {
      ObjectNode node = errors.addObject();
      node.put("type", run.types().get(count.errorClass().typeIndex()).type().name())
          .put("disposition", count.errorClass().disposition().name())
          .put("sqlState", count.errorClass().sqlState())
          .put("count", count.count())
          .put("retried", count.retried())
          .put("outside", count.outside());
      ArrayNode examples = node.putArray("examples");
      for (Example example : count.examples()) {
        examples
            .addObject()
            .put("message", example.message())
            .put("firstSeenMillis", example.firstSeenMillis());
      }
    }
  }

  private void addAudit() {
    ArrayNode audit = root.putArray("audit");
    for (AuditResult result : summary.audit()) {
      ObjectNode node = audit.addObject();
      node.put("clause", result.rule().clause())
          .put("description", result.rule().description())
          .put("unit", result.rule().unit().name())
          .put("low", result.rule().low())
          .put("high", result.rule().high())
          .put("numerator", result.numerator())
          .put("denominator", result.denominator());
      result.value().ifPresent(value -> node.put("value", value));
      node.put("verdict", result.verdict().name()).put("reason", result.reason());
    }
  }

  private static void addVerdict(ObjectNode node, RunVerdict verdict) {
    node.put("kind", verdict.kind().key())
        .put("sentence", verdict.sentence())
        .put("driverBound", verdict.has(VerdictKind.DRIVER_BOUND));
    ArrayNode findings = node.putArray("findings");
    for (Finding finding : verdict.findings()) {
      findings
          .addObject()
          .put("kind", finding.kind().key())
          .put("cause", finding.cause())
          .put("advice", finding.advice());
    }
  }

  private void addClient() {
    DriversJson.client(root.putObject("client"), summary.client());
  }

  private static void texts(ObjectNode node, Map<String, String> texts) {
    texts.forEach(node::put);
  }
}
