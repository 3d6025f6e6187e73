package io.shardmark.driver.merge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.audit.AuditResult;
import io.shardmark.driver.audit.InputAudit;
import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog.ErrorClass;
import io.shardmark.driver.measure.ErrorLog.ErrorCount;
import io.shardmark.driver.measure.ErrorLog.Example;
import io.shardmark.driver.measure.LatencyKind;
import io.shardmark.driver.measure.LatencyTotals;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.QuietTime;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.Scope;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.measure.UndoneTotals;
import io.shardmark.driver.result.ClientFigures;
import io.shardmark.driver.result.DriversSummary;
import io.shardmark.driver.result.Environment;
import io.shardmark.driver.result.LoadJson;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.result.RunSummary;
import io.shardmark.driver.result.ServerSideJson;
import io.shardmark.driver.result.TroubleJson;
import io.shardmark.driver.verdict.DriverLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** {@code data/totals.json}: what a driver keeps so that its result can be added to the others'. */
public final class TotalsFile {
  private static final String NAME = "data/totals.json";

  /** Ours have about 100 KB; a file of another kind must not fill the memory. */
  private static final long MAX_BYTES = 64 << 20;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private TotalsFile() {}

  /** Writes the file into the directory of one of several drivers. */
  public static void write(ResultDirectory directory, RunSummary summary, DriversSummary drivers)
      throws IOException {
    PartTotals part = PartTotals.of(summary, drivers, Environment.machineId());
    directory.write(NAME, MAPPER.writeValueAsString(TotalsJson.of(part, MAPPER)) + "\n");
  }

  /** True if a driver has written its result to the end there. */
  static boolean isIn(Path directory) {
    return Files.isRegularFile(directory.resolve(NAME));
  }

  /**
   * Reads the file of a result directory.
   *
   * @throws ConfigException if the directory is not that of one of several drivers
   */
  static PartTotals read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw bad(file, "is too long");
      }
      JsonNode root = MAPPER.readTree(Files.readAllBytes(file));
      if (!root.path("schema").asText().equals(TotalsJson.SCHEMA)
          || root.path("schemaVersion").asInt() != TotalsJson.SCHEMA_VERSION) {
        throw bad(
            file,
            "is not of schema %s version %d"
                .formatted(TotalsJson.SCHEMA, TotalsJson.SCHEMA_VERSION));
      }
      return part(root);
    } catch (NoSuchFileException e) {
      throw new ConfigException(
          "%s: has no %s: expected the result directory of one of several drivers (key drivers)"
              .formatted(directory, NAME));
    } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
      throw bad(
          file, "cannot be read: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private static ConfigException bad(Path file, String what) {
    return new ConfigException(
        "%s: %s: expected the file as a driver writes it at its end".formatted(file, what));
  }

  private static PartTotals part(JsonNode root) {
    JsonNode driver = root.path("driver");
    return new PartTotals(
        session(root.path("session")),
        driver.path("group").asText(),
        driver.path("count").asInt(),
        new DriversSummary.Driver(
            driver.path("index").asInt(),
            new DriversSummary.Share(
                driver.path("warehouseFrom").asInt(),
                driver.path("warehouseTo").asInt(),
                driver.path("terminals").asInt(),
                driver.path("connections").asInt()),
            new DriversSummary.StartClock(
                driver.path("startUncertaintyNanos").asLong(),
                driver.path("startLateNanos").asLong(),
                driver.has("driftNanos")
                    ? OptionalLong.of(driver.path("driftNanos").asLong())
                    : OptionalLong.empty(),
                driver.path("observedNanos").asLong()),
            List.of()),
        root.path("seed").asLong(),
        root.path("seedDrawn").asBoolean(),
        root.path("isolation").asText(),
        new PartTotals.Texts(texts(root, "properties"), texts(root, "facts")),
        new Environment(texts(root, "machine"), texts(root, "jvm"), texts(root, "database")),
        root.path("machineId").asText(),
        statistics(root.path("statistics")),
        audit(root.path("audit")),
        client(root.path("client")),
        new RunSummary.DeferredWork(
            root.at("/deferredWork/notBegun").asLong(), root.at("/deferredWork/refused").asLong()),
        ServerSideJson.read(root),
        TroubleJson.read(root));
  }

  private static RunSummary.Session session(JsonNode node) {
    return new RunSummary.Session(
        node.path("run").asInt(),
        node.path("product").asText(),
        node.path("workload").asText(),
        ZonedDateTime.parse(node.path("start").asText()),
        ZonedDateTime.parse(node.path("end").asText()),
        RunSummary.Ending.of(node.path("ending").asText()));
  }

  private static Map<String, String> texts(JsonNode root, String name) {
    Map<String, String> texts = new LinkedHashMap<>();
    root.path(name).properties().forEach(m -> texts.put(m.getKey(), m.getValue().asText()));
    return texts;
  }

  private static RunStatistics statistics(JsonNode node) {
    List<TypeStatistics> types = new ArrayList<>();
    for (JsonNode type : node.path("types")) {
      types.add(type(types.size(), type));
    }
    List<ErrorCount> errors = new ArrayList<>();
    for (JsonNode error : node.path("errors")) {
      errors.add(error(error, types.size()));
    }
    return new RunStatistics(
        -node.path("rampUpNanos").asLong(),
        new MeasurementInterval(0, node.path("intervalNanos").asLong()),
        types,
        errors,
        new RunStatistics.RingFigures(
            node.path("stalls").asLong(), node.path("stalledNanos").asLong()),
        new QuietTime(
            node.path("quietSeconds").asLong(),
            node.path("quietFromSecond").asLong(),
            node.path("quietSecondsAtEnd").asLong()),
        node.path("outside").asLong(),
        LoadJson.read(node.path("load")),
        List.of(), // stages and times of statements are of one driver
        List.of());
  }

  private static TypeStatistics type(int index, JsonNode node) {
    Map<Disposition, Long> dispositions = new EnumMap<>(Disposition.class);
    node.path("dispositions")
        .properties()
        .forEach(m -> dispositions.put(Disposition.valueOf(m.getKey()), m.getValue().asLong()));
    return TypeStatistics.of(
        new TransactionType(
            index,
            node.path("name").asText(),
            node.path("headline").asBoolean(),
            node.path("counted").asBoolean(),
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofMillis(node.path("limitMillis").asLong())),
        dispositions,
        new TypeStatistics.Retries(
            node.path("retries").asLong(), node.path("retriedTransactions").asLong()),
        node.path("skipped").asLong(),
        new TypeStatistics.KeptLatencies(
            latencies(node.path(Scope.LOCAL.jsonName())),
            latencies(node.path(Scope.DISTRIBUTED.jsonName())),
            latency(node.path("errors")),
            new UndoneTotals(
                latency(node.at("/undone/local")),
                latency(node.at("/undone/distributed")),
                node.at("/undone/neverLocal").asLong(),
                node.at("/undone/neverDistributed").asLong())));
  }

  private static Map<LatencyKind, LatencyTotals> latencies(JsonNode node) {
    Map<LatencyKind, LatencyTotals> latencies = new EnumMap<>(LatencyKind.class);
    for (LatencyKind kind : LatencyKind.values()) {
      latencies.put(kind, latency(node.path(kind.jsonName())));
    }
    return latencies;
  }

  private static LatencyTotals latency(JsonNode node) {
    return new LatencyTotals(
        HistogramText.read(node.path("histogram").asText()),
        node.path("sumNanos").asLong(),
        node.path("minNanos").asLong(),
        node.path("maxNanos").asLong(),
        node.path("clamped").asLong());
  }

  private static ErrorCount error(JsonNode node, int types) {
    int type = node.path("typeIndex").asInt();
    if (type < 0 || type >= types) {
      throw new IllegalArgumentException("an error of type " + type);
    }
    List<Example> examples = new ArrayList<>();
    for (JsonNode example : node.path("examples")) {
      examples.add(
          new Example(example.path("message").asText(), example.path("firstSeenMillis").asLong()));
    }
    return new ErrorCount(
        new ErrorClass(
            type,
            Disposition.valueOf(node.path("disposition").asText()),
            node.path("sqlState").asText()),
        node.path("count").asLong(),
        node.path("retried").asLong(),
        node.path("outside").asLong(),
        examples);
  }

  private static List<AuditResult> audit(JsonNode nodes) {
    List<AuditRule> rules = new ArrayList<>();
    long[] counters = new long[2 * nodes.size()];
    for (JsonNode node : nodes) {
      int at = 2 * rules.size();
      counters[at] = node.path("numerator").asLong();
      counters[at + 1] = node.path("denominator").asLong();
      rules.add(
          new AuditRule(
              node.path("clause").asText(),
              node.path("description").asText(),
              AuditRule.Unit.valueOf(node.path("unit").asText()),
              at,
              at + 1,
              node.path("low").asDouble(),
              node.path("high").asDouble(),
              node.path("notApplicable").asText()));
    }
    return InputAudit.evaluate(rules, counters);
  }

  private static ClientFigures client(JsonNode node) {
    DriverLoad load =
        new DriverLoad(
            node.path("coresUsed").asDouble(),
            node.path("coresAvailable").asInt(),
            share(node, "machineBusyShare"),
            node.path("serverHere").asBoolean(),
            share(node, "runnableDelayShare"),
            node.path("gcPauseShare").asDouble(),
            node.path("ringStalls").asLong(),
            node.path("ringStallShare").asDouble(),
            new DriverLoad.Lateness(
                node.path("schedulerLatenessP99Nanos").asLong(),
                node.path("schedulerLatenessCount").asLong(),
                node.path("serviceP50Nanos").asLong()));
    return new ClientFigures(
        load,
        node.path("connectionWaitP99Nanos").asLong(),
        node.path("gcCount").asLong(),
        node.path("gcMillis").asLong(),
        node.path("stalledNanos").asLong(),
        node.path("peakRssBytes").asLong());
  }

  private static OptionalDouble share(JsonNode node, String name) {
    return node.has(name) ? OptionalDouble.of(node.path(name).asDouble()) : OptionalDouble.empty();
  }
}
