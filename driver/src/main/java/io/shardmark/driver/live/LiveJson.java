package io.shardmark.driver.live;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.benchmark.Metric;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.bottleneck.WaitClass;
import io.shardmark.driver.live.LiveState.Measured;
import io.shardmark.driver.live.LiveState.ShardState;
import io.shardmark.driver.live.LiveState.TypeState;
import io.shardmark.driver.measure.ErrorLog.ErrorCount;
import io.shardmark.driver.measure.LatencyFigures;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.SuccessCounts;
import io.shardmark.driver.result.ServerSide;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** What {@code /api/run} and {@code /api/live} answer; {@code docs/live.md} describes it. */
final class LiveJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int SCHEMA_VERSION = 1;
  private static final int MOST_ERRORS = 50;

  /** More digits than anyone reads would only make the answer longer. */
  private static final MathContext DIGITS = new MathContext(5);

  private final LiveRun run;

  LiveJson(LiveRun run) {
    this.run = run;
  }

  /** What does not change while the run goes on. */
  byte[] facts() {
    RunFacts facts = run.facts();
    ObjectNode root = MAPPER.createObjectNode();
    root.put("schema", "shardmark-live").put("schemaVersion", SCHEMA_VERSION);
    root.put("run", facts.run());
    root.put("product", facts.product());
    root.put("workload", facts.workload());
    root.put("database", facts.database());
    Scale scale = facts.load().scale();
    root.put(scale.plural(), scale.size());
    root.putObject("scale").put("name", scale.name()).put("number", scale.size());
    root.put("terminals", facts.load().terminals());
    root.put("connections", facts.load().connections());
    root.put("statementProfile", facts.load().statementProfile());
    root.put("start", facts.start().format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
    root.put("rampUpSeconds", seconds(facts.plan().rampUp()));
    facts.plan().length().ifPresent(length -> root.put("seconds", seconds(length)));
    if (facts.plan().transactions() > 0) {
      root.put("transactions", facts.plan().transactions());
    }
    ArrayNode types = root.putArray("types");
    for (TransactionType type : facts.types()) {
      types
          .addObject()
          .put("name", type.name())
          .put("headline", type.headline())
          .put("counted", type.counted())
          .put("limitMillis", type.responseTimeLimit().map(Duration::toMillis).orElse(0L));
    }
    ArrayNode metrics = root.putArray("metrics");
    for (Metric metric : facts.metrics()) {
      metrics
          .addObject()
          .put("name", metric.name())
          .put("unit", metric.unit())
          .put("periodSeconds", metric.isRate() ? metric.periodSeconds() : 0)
          .put("ofAll", metric.ofAll());
    }
    ArrayNode shards = root.putArray("shards");
    facts.shards().forEach(shards::add);
    return bytes(root);
  }

  /**
   * How it does now.
   *
   * @param width of the points of the history that the reader has
   * @param from index of the first point that it has not
   */
  byte[] state(int width, int from) {
    LiveState state = run.state();
    LiveFigures now = state.now();
    ObjectNode root = MAPPER.createObjectNode();
    root.put("run", run.facts().run());
    root.put("phase", state.result().isPresent() ? "over" : phase(now));
    root.put("sinceStartSeconds", seconds(now.sinceStart()));
    now.timeLeft().ifPresent(left -> root.put("secondsLeft", seconds(left)));
    rates(root.putObject("now"), now.current(), LiveJson::ofNow)
        .put("p95Millis", millis(now.p95Nanos()))
        .put("transactions", now.transactions());
    Measured measured = state.measured();
    rates(
            root.putObject("measured").put("seconds", measured.seconds()),
            measured.counts(),
            (metric, rate) -> rounded(rate))
        .put("transactions", measured.transactions())
        .put("errors", measured.errors())
        .put("retries", measured.retries());
    state.result().ifPresent(result -> addResult(root.putObject("result"), result));
    addTypes(root.putArray("types"), state.types());
    addErrors(root.putArray("errors"), state.errors());
    addShards(root.putArray("shards"), state.shards());
    root.putObject("connections")
        .put("inUse", state.connections().inUse())
        .put("idle", state.connections().idle())
        .put("waitedFor", state.connections().waiting())
        .put("waitMillis", millis(state.connectionWaitNanos()));
    root.putObject("client")
        .put("cores", rounded(state.client().cores()))
        .put("coresAvailable", state.client().coresAvailable())
        .put("gcShare", rounded(state.client().gcShare()))
        .put("heapUsedBytes", state.client().heapUsedBytes())
        .put("limited", String.join(", ", state.client().limits()));
    addServer(root.putObject("server"), run.server());
    addHistory(root.putObject("history"), run.history().since(width, from));
    return bytes(root);
  }

  /** Each rate by the name of its metric. */
  private ObjectNode rates(
      ObjectNode node, SuccessCounts counts, BiFunction<Metric, Double, BigDecimal> number) {
    for (Metric metric : run.facts().rates()) {
      double rate = counts.rate(metric, run.facts().types());
      node.put(metric.name(), number.apply(metric, rate));
    }
    return node;
  }

  /** Of the last seconds; what is told by the minute needs no fractions. */
  private static BigDecimal ofNow(Metric metric, double rate) {
    return metric.periodSeconds() > 1 ? BigDecimal.valueOf(Math.round(rate)) : rounded(rate);
  }

  private void addResult(ObjectNode node, RunResult result) {
    node.put("ending", result.run().ending().jsonName());
    RunVerdict verdict = requireNonNull(result.verdict(), "a run that was not judged");
    node.put("verdict", verdict.sentence())
        .put("grade", verdict.kind().grade().name().toLowerCase(Locale.ROOT));
    result.metrics().forEach(metric -> node.put(metric.name(), metric.value()));
    node.put("transactions", result.transactionCount())
        .put("errors", result.errorCount())
        .put("written", run.isWritten())
        .put("report", run.report().map(Path::toString).orElse(""));
  }

  /** The phase as this interface names it. */
  static String phase(LiveFigures now) {
    return now.phase().name().toLowerCase(Locale.ROOT);
  }

  private static void addTypes(ArrayNode array, List<TypeState> types) {
    for (TypeState type : types) {
      ObjectNode node = array.addObject();
      node.put("name", type.name())
          .put("count", type.count())
          .put("perMinute", rounded(type.perMinute()))
          .put("errors", type.errors())
          .put("retries", type.retries())
          .put("distributedShare", rounded(type.distributedShare()));
      addLatency(node.putObject("recentMillis"), type.recent());
      addLatency(node.putObject("totalMillis"), type.total());
    }
  }

  private static void addLatency(ObjectNode node, LatencyFigures figures) {
    node.put("count", figures.count());
    if (figures.count() > 0) {
      node.put("mean", millis(figures.meanNanos()))
          .put("p50", millis(figures.p50Nanos()))
          .put("p90", millis(figures.p90Nanos()))
          .put("p95", millis(figures.p95Nanos()))
          .put("p99", millis(figures.p99Nanos()))
          .put("max", millis(figures.maxNanos()));
    }
  }

  private void addErrors(ArrayNode array, List<ErrorCount> errors) {
    for (ErrorCount error : errors.stream().limit(MOST_ERRORS).toList()) {
      array
          .addObject()
          .put("type", run.facts().types().get(error.errorClass().typeIndex()).name())
          .put("disposition", error.errorClass().disposition().name())
          .put("sqlState", error.errorClass().sqlState())
          .put("count", error.count())
          .put("retried", error.retried())
          .put("outside", error.outside())
          .put("example", error.examples().isEmpty() ? "" : error.examples().get(0).message());
    }
  }

  private static void addServer(ObjectNode node, ServerSide server) {
    server
        .machine()
        .ifPresent(
            machine -> {
              ObjectNode one = node.putObject("machine");
              one.put("ofServer", machine.ofServer())
                  .put("busyShare", rounded(machine.busyShare()))
                  .put("ioWaitShare", rounded(machine.ioWaitShare()));
              ObjectNode disks = one.putObject("disks");
              machine.disks().forEach((name, disk) -> disks.put(name, rounded(disk.busyShare())));
            });
    node.put("missing", server.waits().missing());
    ObjectNode sessions = node.putObject("sessions");
    WaitClass.sessionsByText(server.waits())
        .forEach((name, number) -> sessions.put(name, rounded(number)));
    ObjectNode figures = node.putObject("perSecond");
    server.figures().forEach((name, value) -> figures.put(name, rounded(value)));
  }

  private static void addShards(ArrayNode array, List<ShardState> shards) {
    for (ShardState shard : shards) {
      array
          .addObject()
          .put("name", shard.name())
          .put("perMinute", rounded(shard.perMinute()))
          .put("share", rounded(shard.share()));
    }
  }

  private void addHistory(ObjectNode node, History.Part part) {
    HistoryColumns columns = run.columns();
    node.put("firstSecond", part.firstSecond());
    node.put("width", part.width());
    node.put("from", part.from());
    node.put("size", part.from() + part.size());
    columns.ofRun((name, column) -> addValues(node.putArray(name), part.columns().get(column)));
    ArrayNode types = node.putArray("types");
    for (TransactionType type : run.facts().types()) {
      ObjectNode one = types.addObject();
      columns.ofType(
          type.index(),
          (name, column) -> addValues(one.putArray(name), part.columns().get(column)));
    }
    ArrayNode shards = node.putArray("shards");
    for (int shard = 0; shard < run.facts().shards().size(); shard++) {
      addValues(
          shards.addObject().putArray("perMinute"), part.columns().get(columns.ofShard(shard)));
    }
  }

  private static void addValues(ArrayNode array, double[] values) {
    for (double value : values) {
      array.add(rounded(value));
    }
  }

  private static BigDecimal millis(long nanos) {
    return millis((double) nanos);
  }

  private static BigDecimal millis(double nanos) {
    return rounded(nanos / 1e6);
  }

  private static BigDecimal rounded(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return BigDecimal.valueOf((long) value);
    }
    return new BigDecimal(value).round(DIGITS);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static byte[] bytes(ObjectNode root) {
    try {
      return MAPPER.writeValueAsBytes(root);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e); // a tree of plain values can always be written
    }
  }
}
