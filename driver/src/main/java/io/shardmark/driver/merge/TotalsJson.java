package io.shardmark.driver.merge;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.audit.AuditResult;
import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog.ErrorCount;
import io.shardmark.driver.measure.ErrorLog.Example;
import io.shardmark.driver.measure.LatencyKind;
import io.shardmark.driver.measure.LatencyTotals;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.Scope;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.measure.UndoneTotals;
import io.shardmark.driver.result.DriversSummary;
import io.shardmark.driver.result.LoadJson;
import io.shardmark.driver.result.ServerSideJson;
import io.shardmark.driver.result.TroubleJson;
import io.shardmark.driver.verdict.DriverLoad;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/** {@code totals.json} as it is written; {@link TotalsFile} reads it. */
final class TotalsJson {
  static final String SCHEMA = "shardmark-totals";
  static final int SCHEMA_VERSION = 1;

  private final PartTotals part;
  private final ObjectNode root;

  private TotalsJson(PartTotals part, ObjectMapper mapper) {
    this.part = part;
    root = mapper.createObjectNode();
  }

  static ObjectNode of(PartTotals part, ObjectMapper mapper) {
    return new TotalsJson(part, mapper).build();
  }

  private ObjectNode build() {
    root.put("schema", SCHEMA).put("schemaVersion", SCHEMA_VERSION);
    addSession();
    addDriver();
    root.put("seed", part.seed())
        .put("seedDrawn", part.seedDrawn())
        .put("isolation", part.isolation())
        .put("machineId", part.machineId());
    texts("properties", part.texts().properties());
    texts("facts", part.texts().facts());
    texts("machine", part.environment().machine());
    texts("jvm", part.environment().jvm());
    texts("database", part.environment().database());
    addStatistics(root.putObject("statistics"));
    ArrayNode audit = root.putArray("audit");
    part.audit().forEach(result -> addAudit(audit.addObject(), result));
    addClient(root.putObject("client"));
    root.putObject("deferredWork")
        .put("notBegun", part.deferredWork().notBegun())
        .put("refused", part.deferredWork().refused());
    TroubleJson.write(root, part.trouble());
    ServerSideJson.write(root, part.server());
    return root;
  }

  private void addSession() {
    DateTimeFormatter iso = DateTimeFormatter.ISO_OFFSET_DATE_TIME;
    root.putObject("session")
        .put("run", part.session().run())
        .put("product", part.session().product())
        .put("workload", part.session().workload())
        .put("start", part.session().start().format(iso))
        .put("end", part.session().end().format(iso))
        .put("ending", part.session().ending().jsonName());
  }

  private void addDriver() {
    DriversSummary.Driver driver = part.driver();
    ObjectNode node = root.putObject("driver");
    driver.clock().driftNanos().ifPresent(drift -> node.put("driftNanos", drift));
    node.put("group", part.group())
        .put("count", part.drivers())
        .put("index", driver.index())
        .put("warehouseFrom", driver.share().warehouseFrom())
        .put("warehouseTo", driver.share().warehouseTo())
        .put("terminals", driver.share().terminals())
        .put("connections", driver.share().connections())
        .put("startUncertaintyNanos", driver.clock().uncertaintyNanos())
        .put("startLateNanos", driver.clock().lateNanos())
        .put("observedNanos", driver.clock().observedNanos());
  }

  private void texts(String name, Map<String, String> texts) {
    ObjectNode node = root.putObject(name);
    texts.forEach(node::put);
  }

  private void addStatistics(ObjectNode node) {
    RunStatistics run = part.statistics();
    node.put("rampUpNanos", run.interval().startNanos() - run.sessionStartNanos())
        .put("intervalNanos", run.interval().lengthNanos())
        .put("outside", run.outside())
        .put("stalls", run.rings().stalls())
        .put("stalledNanos", run.rings().stalledNanos())
        .put("quietSeconds", run.quiet().seconds())
        .put("quietFromSecond", run.quiet().fromSecond())
        .put("quietSecondsAtEnd", run.quiet().secondsAtEnd());
    LoadJson.write(node.putObject("load"), run.load());
    ArrayNode types = node.putArray("types");
    run.types().forEach(type -> addType(types.addObject(), type));
    ArrayNode errors = node.putArray("errors");
    run.errors().forEach(count -> addError(errors.addObject(), count));
  }

  private static void addType(ObjectNode node, TypeStatistics type) {
    node.put("name", type.type().name())
        .put("headline", type.type().headline())
        .put("counted", type.type().counted())
        .put("limitMillis", type.type().responseTimeLimit().map(Duration::toMillis).orElse(0L));
    ObjectNode dispositions = node.putObject("dispositions");
    for (Disposition disposition : Disposition.values()) {
      dispositions.put(disposition.name(), type.count(disposition));
    }
    node.put("retries", type.retries().count())
        .put("retriedTransactions", type.retries().transactions())
        .put("skipped", type.skipped());
    for (Scope scope : new Scope[] {Scope.LOCAL, Scope.DISTRIBUTED}) {
      ObjectNode scoped = node.putObject(scope.jsonName());
      for (LatencyKind kind : LatencyKind.values()) {
        latency(scoped.putObject(kind.jsonName()), type.totals(kind, scope));
      }
    }
    latency(node.putObject("errors"), type.errorTotals());
    UndoneTotals undone = type.undoneTotals();
    ObjectNode kept = node.putObject("undone");
    latency(kept.putObject(Scope.LOCAL.jsonName()), undone.local());
    latency(kept.putObject(Scope.DISTRIBUTED.jsonName()), undone.distributed());
    kept.put("neverLocal", undone.neverLocal()).put("neverDistributed", undone.neverDistributed());
  }

  private static void latency(ObjectNode node, LatencyTotals totals) {
    node.put("sumNanos", totals.sumNanos())
        .put("minNanos", totals.minNanos())
        .put("maxNanos", totals.maxNanos())
        .put("clamped", totals.clamped())
        .put("histogram", HistogramText.of(totals.nanos()));
  }

  private static void addError(ObjectNode node, ErrorCount count) {
    node.put("typeIndex", count.errorClass().typeIndex())
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

  private static void addAudit(ObjectNode node, AuditResult result) {
    AuditRule rule = result.rule();
    node.put("clause", rule.clause())
        .put("description", rule.description())
        .put("unit", rule.unit().name())
        .put("low", rule.low())
        .put("high", rule.high())
        .put("notApplicable", rule.notApplicable())
        .put("numerator", result.numerator())
        .put("denominator", result.denominator());
  }

  private void addClient(ObjectNode node) {
    DriverLoad load = part.client().load();
    node.put("coresUsed", load.coresUsed()).put("coresAvailable", load.coresAvailable());
    load.machineBusyShare().ifPresent(share -> node.put("machineBusyShare", share));
    load.runnableDelayShare().ifPresent(share -> node.put("runnableDelayShare", share));
    node.put("serverHere", load.serverHere());
    node.put("gcPauseShare", load.gcPauseShare())
        .put("ringStalls", load.ringStalls())
        .put("ringStallShare", load.ringStallShare())
        .put("schedulerLatenessP99Nanos", load.lateness().p99Nanos())
        .put("schedulerLatenessCount", load.lateness().count())
        .put("serviceP50Nanos", load.lateness().serviceP50Nanos())
        .put("connectionWaitP99Nanos", part.client().connectionWaitP99Nanos())
        .put("gcCount", part.client().gcCount())
        .put("gcMillis", part.client().gcMillis())
        .put("stalledNanos", part.client().stalledNanos())
        .put("peakRssBytes", part.client().peakRssBytes());
  }
}
