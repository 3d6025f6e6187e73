package io.shardmark.driver.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.driver.bottleneck.Bottleneck;
import io.shardmark.driver.report.LatencyBreakdown.Kind;
import io.shardmark.driver.report.LatencyBreakdown.LatencyFigures;
import io.shardmark.driver.report.LatencyBreakdown.Scope;
import io.shardmark.driver.report.LatencyBreakdown.ScopeAndKind;
import io.shardmark.driver.report.RunData.AuditRow;
import io.shardmark.driver.report.RunData.ErrorClass;
import io.shardmark.driver.report.RunData.Rates;
import io.shardmark.driver.report.TypeData.Counts;
import io.shardmark.driver.report.TypeData.TypeRule;
import io.shardmark.driver.result.BottleneckJson;
import io.shardmark.driver.verdict.RunVerdict;
import io.shardmark.driver.verdict.Threshold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** {@code summary.json}. A member that is not there reads as empty or 0. */
final class SummaryFile {
  private static final String SCHEMA = "shardmark-summary";
  private static final int VERSION = 1;

  /** Ours have 30 KB; a file of another kind must not fill the memory. */
  private static final long MAX_BYTES = 16 << 20;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final JsonNode root;

  private SummaryFile(JsonNode root) {
    this.root = root;
  }

  /** Reads the file; empty, with a sentence on why, if it cannot be used. */
  static Optional<SummaryFile> read(Path file, List<String> missing) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      missing.add("summary.json is too long to be a summary; it was not read.");
      return Optional.empty();
    }
    JsonNode root;
    try {
      root = MAPPER.readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      missing.add("summary.json is no JSON; it was not read.");
      return Optional.empty();
    }
    if (!root.path("schema").asText().equals(SCHEMA)) {
      missing.add("summary.json is not of the schema " + SCHEMA + "; it was not read.");
      return Optional.empty();
    }
    if (root.path("schemaVersion").asInt() > VERSION) {
      missing.add("summary.json is of a newer version; what this one does not know is not shown.");
    }
    return Optional.of(new SummaryFile(root));
  }

  String text(String pointer) {
    return root.at(pointer).asText();
  }

  double number(String pointer) {
    return root.at(pointer).asDouble();
  }

  /** Members that are plain values, as texts. */
  Map<String, String> texts(String pointer) {
    Map<String, String> texts = new LinkedHashMap<>();
    root.at(pointer)
        .properties()
        .forEach(
            member -> {
              if (member.getValue().isValueNode()) {
                texts.put(member.getKey(), member.getValue().asText());
              }
            });
    return texts;
  }

  Map<String, Double> numbers(String pointer) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    root.at(pointer)
        .properties()
        .forEach(
            member -> {
              if (member.getValue().isNumber()) {
                numbers.put(member.getKey(), member.getValue().asDouble());
              }
            });
    return numbers;
  }

  /** In their order; none if the run had one rate. */
  List<StageRow> stages() {
    List<StageRow> stages = new ArrayList<>();
    for (int index = 0; index < root.path("stages").size(); index++) {
      String pointer = "/stages/" + index;
      stages.add(
          new StageRow(
              text(pointer + "/stage"),
              numbers(pointer),
              numbers(pointer + "/load"),
              numbers(pointer + "/latencyMillis")));
    }
    return stages;
  }

  /** By type; none if they were not timed. */
  List<StatementRow> statements() {
    List<StatementRow> statements = new ArrayList<>();
    for (int index = 0; index < root.path("statements").size(); index++) {
      String pointer = "/statements/" + index;
      statements.add(
          new StatementRow(
              text(pointer + "/type"),
              text(pointer + "/statement"),
              number(pointer + "/totalSeconds"),
              numbers(pointer + "/latencyMillis")));
    }
    return statements;
  }

  /** One of the types. */
  record Type(
      TypeRule rule,
      Counts counts,
      Map<String, Long> errorsByDisposition,
      LatencyBreakdown latency) {}

  List<Type> types() {
    List<Type> types = new ArrayList<>();
    for (JsonNode node : root.path("types")) {
      Map<String, Long> errors = new LinkedHashMap<>();
      node.path("errorsByDisposition")
          .properties()
          .forEach(member -> errors.put(member.getKey(), member.getValue().asLong()));
      types.add(
          new Type(
              new TypeRule(
                  node.path("name").asText(),
                  node.path("headline").asBoolean(),
                  node.path("counted").asBoolean(true),
                  node.path("limitMillis").asDouble()),
              new Counts(
                  node.path("count").asLong(),
                  node.path("rolledBack").asLong(),
                  node.path("errors").asLong(),
                  node.path("retries").asLong(),
                  node.path("skipped").asLong()),
              errors,
              breakdown(node.path("latencyMillis"))));
    }
    return types;
  }

  LatencyBreakdown latency() {
    return breakdown(root.path("latencyMillis"));
  }

  private static LatencyBreakdown breakdown(JsonNode node) {
    Map<ScopeAndKind, LatencyFigures> figures = new HashMap<>();
    for (Scope scope : Scope.values()) {
      for (Kind kind : Kind.values()) {
        JsonNode one = node.path(scope.member()).path(kind.member());
        if (one.has("max")) {
          figures.put(
              new ScopeAndKind(scope, kind),
              new LatencyFigures(
                  one.path("count").asLong(),
                  one.path("mean").asDouble(),
                  one.path("p50").asDouble(),
                  one.path("p90").asDouble(),
                  one.path("p95").asDouble(),
                  one.path("p99").asDouble(),
                  one.path("p99_9").asDouble(),
                  one.path("max").asDouble()));
        }
      }
    }
    return new LatencyBreakdown(figures);
  }

  Rates rates() {
    long failed =
        types().stream()
            .filter(type -> type.rule().counted())
            .mapToLong(type -> type.counts().errors())
            .sum();
    return new Rates(
        number("/rates/tpmC"),
        number("/rates/tpmTotal"),
        root.at("/rates/transactionCount").asLong(),
        failed,
        number("/rates/asBenchmarkSql/tpmC"));
  }

  List<ErrorClass> errors() {
    List<ErrorClass> errors = new ArrayList<>();
    for (JsonNode node : root.path("errors")) {
      JsonNode example = node.path("examples").path(0);
      errors.add(
          new ErrorClass(
              node.path("type").asText(),
              node.path("disposition").asText(),
              node.path("sqlState").asText(),
              node.path("count").asLong(),
              node.path("retried").asLong(),
              example.has("firstSeenMillis")
                  ? OptionalDouble.of(example.path("firstSeenMillis").asDouble() / 1000)
                  : OptionalDouble.empty(),
              example.path("message").asText()));
    }
    return errors;
  }

  List<AuditRow> audit() {
    List<AuditRow> audit = new ArrayList<>();
    for (JsonNode node : root.path("audit")) {
      audit.add(
          new AuditRow(
              node.path("clause").asText(),
              node.path("description").asText(),
              node.path("unit").asText().equals("PERCENT"),
              node.path("low").asDouble(),
              node.path("high").asDouble(),
              node.path("denominator").asLong(),
              node.has("value")
                  ? OptionalDouble.of(node.path("value").asDouble())
                  : OptionalDouble.empty(),
              node.path("verdict").asText(),
              node.path("reason").asText()));
    }
    return audit;
  }

  /** Faults of the driver that ended the run. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (JsonNode node : root.path("faults")) {
      JsonNode where = node.path("trace").path(0);
      faults.add(
          "Thread %s failed after %s s: %s%s"
              .formatted(
                  node.path("thread").asText(),
                  node.path("afterSeconds").asText(),
                  node.path("cause").asText(),
                  where.isMissingNode() ? "" : " at " + where.asText()));
    }
    return faults;
  }

  /**
   * Of each type whose response times may be higher than is known: which, and at least how high.
   */
  List<String> lowerBounds() {
    List<String> bounds = new ArrayList<>();
    for (JsonNode node : root.path("types")) {
      JsonNode due = node.at("/latencyMillis/all/due");
      if (due.has("lowerBoundFrom")) {
        bounds.add(
            "%s: %s not done when the interval ended count with their age so far: p99 at least %s ms, maximum at least %s ms; lower bounds from p%s on."
                .formatted(
                    node.path("name").asText(),
                    due.path("undone").asText(),
                    due.path("p99").asText(),
                    due.path("max").asText(),
                    due.path("lowerBoundFrom").asText().replaceFirst("\\.0$", "")));
      }
    }
    return bounds;
  }

  /** What those who watched the run could not observe, and from when on. */
  List<String> notObserved() {
    List<String> notes = new ArrayList<>();
    for (JsonNode node : root.path("observers")) {
      notes.add(
          "After %s s: %s"
              .formatted(node.path("afterSeconds").asText(), node.path("text").asText()));
    }
    return notes;
  }

  Optional<DriversOfRun> drivers() {
    return DriversOfRun.of(root.path("drivers"));
  }

  List<Threshold.Result> thresholds() {
    List<Threshold.Result> results = new ArrayList<>();
    for (JsonNode node : root.path("thresholds")) {
      results.add(
          new Threshold.Result(
              node.path("condition").asText(),
              node.path("measured").asText(),
              node.path("broken").asBoolean()));
    }
    return results;
  }

  /** What limited the run, as it found; empty if the program that wrote the file had none. */
  Optional<Bottleneck> bottleneck() {
    return BottleneckJson.read(root.path("bottleneck"));
  }

  /** The run's own verdict; empty if the program that wrote the file had none. */
  Optional<RunVerdict> verdict() {
    return VerdictNode.read(root.path("verdict"));
  }
}
