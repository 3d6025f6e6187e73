package io.shardmark.driver.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.compare.ComparedSystem.Publication;
import io.shardmark.driver.compare.PublishedTable.PublishedColumn;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.MeasuredInterval;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.ResultDraft;
import io.shardmark.driver.results.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * {@code published.json}: figures that somebody else measured and published. docs/compare.md
 * describes it. A file that breaks the rules is refused with the place where it does.
 */
final class PublishedFile {
  public static final String NAME = "published.json";
  private static final String SCHEMA = "shardmark-published";
  private static final int VERSION = 1;
  private static final long MAX_BYTES = 4 << 20;
  private static final double MOST = 1e12;

  private PublishedFile() {}

  record Figures(Yardstick yardstick, List<PublishedSystem> systems, List<PublishedTable> tables) {}

  record PublishedSystem(String name, SystemBuilder builder) {}

  /** Where its systems come from, and what they are judged by. */
  private record PublishedSource(Publication publication, String program, Yardstick yardstick) {}

  /** True of a directory that holds such a file, and of such a file. */
  static boolean isPublished(Path path) {
    return Files.isRegularFile(path.resolve(NAME))
        || (Files.isRegularFile(path) && path.toString().endsWith(".json"));
  }

  static Figures read(Path path) throws IOException {
    Path file = Files.isDirectory(path) ? path.resolve(NAME) : path;
    if (Files.size(file) > MAX_BYTES) {
      throw new ConfigException(file + ": is longer than 4 MB, expected published figures");
    }
    JsonPlace root;
    try {
      root = new JsonPlace(file, "", new ObjectMapper().readTree(Files.readAllBytes(file)));
    } catch (JsonProcessingException e) {
      throw new ConfigException(file + ": is no JSON: " + e.getOriginalMessage());
    }
    root.at("schema").require(node -> node.asText().equals(SCHEMA), "\"" + SCHEMA + "\"");
    root.at("schemaVersion").require(node -> node.asInt() == VERSION, String.valueOf(VERSION));
    Publication publication =
        new Publication(
            root.at("title").text(),
            root.at("publisher").text(),
            root.at("address").value().asText(),
            root.at("remark").value().asText());
    Yardstick yardstick = root.has("judgedBy") ? yardstick(root.at("judgedBy")) : Yardstick.TPC_C;
    PublishedSource source =
        new PublishedSource(publication, root.at("program").value().asText(), yardstick);
    List<PublishedTable> tables =
        root.has("tables") ? root.at("tables").each(one -> table(one, publication)) : List.of();
    // A source that gives only tables has no system.
    List<PublishedSystem> systems =
        root.has("systems") || tables.isEmpty()
            ? root.at("systems").each(system -> system(system, source))
            : List.of();
    return new Figures(yardstick, systems, tables);
  }

  private static Yardstick yardstick(JsonPlace node) {
    List<ComparedFigure> metrics =
        node.at("metrics")
            .each(
                one ->
                    ComparedFigure.rate(one.at("name").text(), one.at("unit").text(), true, true));
    return new Yardstick(
        node.at("benchmark").text(), node.at("scale").text(), metrics, ComparedPoint.ALL_TYPES);
  }

  private static PublishedTable table(JsonPlace node, Publication source) {
    List<String> rows = node.at("rows").each(JsonPlace::text);
    List<PublishedColumn> columns =
        node.at("columns")
            .each(
                one ->
                    new PublishedColumn(
                        one.at("name").text(),
                        one.at("metric").text(),
                        one.at("here").text(),
                        values(one.at("values"), rows),
                        rows.stream().map(row -> Double.NaN).toList()));
    List<String> names = columns.stream().map(PublishedColumn::name).toList();
    List<String> over = node.has("over") ? node.at("over").each(JsonPlace::text) : List.of();
    if (!over.isEmpty() && (over.size() != 2 || !names.containsAll(over))) {
      throw node.at("over").unlike("two names of columns");
    }
    String baseline = node.at("baseline").value().asText();
    if (!baseline.isEmpty() && !rows.contains(baseline)) {
      throw node.at("baseline").unlike("one of the rows");
    }
    return new PublishedTable(
        source,
        node.at("title").text(),
        node.at("axis").text(),
        rows,
        columns,
        over,
        baseline,
        node.has("notes") ? node.at("notes").each(JsonPlace::text) : List.of());
  }

  /** One for each row: null, or all left out, where the source states none. */
  private static List<Double> values(JsonPlace node, List<String> rows) {
    if (node.value().isMissingNode()) {
      return rows.stream().map(row -> Double.NaN).toList();
    }
    List<Double> values = node.each(one -> one.value().isNull() ? Double.NaN : one.positive());
    if (values.size() != rows.size()) {
      throw node.unlike("as many values as there are rows, " + rows.size());
    }
    return values;
  }

  private static PublishedSystem system(JsonPlace node, PublishedSource source) {
    String name = node.at("name").text();
    SystemBuilder builder = new SystemBuilder(source.publication());
    RunSettings settings = RunSettings.of(texts(node.at("settings")), texts(node.at("facts")));
    for (JsonPlace point : node.at("points").each(one -> one)) {
      Measurement row = row(point, source, settings);
      if (builder.places().contains(row.place())) {
        throw new ConfigException(
            "%s: %s: is a second point of %s, expected one"
                .formatted(point.file(), point.path(), row.place().text()));
      }
      builder.add(row, Map.of());
    }
    return new PublishedSystem(name, builder);
  }

  private static Map<String, String> texts(JsonPlace node) {
    return node.members(one -> one.require(JsonNode::isValueNode, "a text or a number").asText());
  }

  private static Measurement row(JsonPlace node, PublishedSource source, RunSettings settings) {
    Yardstick yardstick = source.yardstick();
    // Of TPC-C everybody states the scale and the terminals.
    boolean hasScale = yardstick.isTpcC() || node.has(yardstick.scale());
    int scale = hasScale ? node.at(yardstick.scale()).whole() : 0;
    boolean hasTerminals = yardstick.isTpcC() || node.has("terminals");
    int terminals = hasTerminals ? node.at("terminals").whole() : 0;
    Place place = yardstick.place(scale, terminals);
    List<Metric> metrics = new ArrayList<>();
    for (ComparedFigure one : yardstick.metrics()) {
      if (metrics.isEmpty() || node.has(one.name())) { // the main one must be there
        double value = node.at(one.name()).positive();
        metrics.add(
            new Metric(one.name(), one.unit(), value, null, Map.of(), one.higherIsBetter()));
      }
    }
    double seconds = node.has("seconds") ? node.at("seconds").positive() : 0;
    ResultDraft published = new ResultDraft();
    published.schemaVersion = 0;
    published.run = new Session(0, source.program(), "", "", "", Ending.UNKNOWN);
    published.scale = place.scale();
    published.interval = new MeasuredInterval(0, seconds, 0, null);
    published.metrics = metrics;
    return new Measurement(
        source.publication().title(),
        place,
        published.result(),
        null,
        settings,
        settings.conditions(yardstick),
        node.at("latencyMillis").members(PublishedFile::latency),
        Map.of(),
        List.of(),
        Observed.NONE,
        List.of());
  }

  private static Latency latency(JsonPlace figures) {
    return Latency.of(
        figures.at("count").whole(),
        figures.at("mean").millis(),
        figures.at("p50").millis(),
        figures.at("p90").millis(),
        figures.at("p95").millis(),
        figures.at("p99").millis(),
        figures.at("p99_9").millis(),
        figures.at("max").millis());
  }

  /** A value of the file, missing perhaps, and its path. */
  private record JsonPlace(Path file, String path, JsonNode value) {
    JsonPlace at(String member) {
      return new JsonPlace(file, path.isEmpty() ? member : path + "." + member, value.path(member));
    }

    boolean has(String member) {
      return value.has(member);
    }

    JsonNode require(Predicate<JsonNode> rule, String expected) {
      if (!rule.test(value)) {
        throw unlike(expected);
      }
      return value;
    }

    ConfigException unlike(String expected) {
      return new ConfigException(
          "%s: %s: expected %s, found %s"
              .formatted(file, path, expected, value.isMissingNode() ? "nothing" : value));
    }

    String text() {
      return require(one -> one.isTextual() && !one.asText().isBlank(), "a text").asText();
    }

    int whole() {
      return require(one -> one.isInt() && one.asInt() >= 1, "a whole number from 1").asInt();
    }

    double positive() {
      return require(
              one -> one.isNumber() && one.asDouble() > 0 && one.asDouble() <= MOST,
              "a number above 0, 1e12 at most")
          .asDouble();
    }

    /** NaN if it is not stated. */
    double millis() {
      return value.isMissingNode()
          ? Double.NaN
          : require(one -> one.isNumber() && one.asDouble() >= 0, "milliseconds").asDouble();
    }

    <T> List<T> each(Function<JsonPlace, T> read) {
      require(one -> one.isArray() && !one.isEmpty(), "a list with at least one element");
      List<T> all = new ArrayList<>();
      for (int i = 0; i < value.size(); i++) {
        all.add(read.apply(new JsonPlace(file, path + "[" + i + "]", value.get(i))));
      }
      return all;
    }

    <T> Map<String, T> members(Function<JsonPlace, T> read) {
      Map<String, T> all = new LinkedHashMap<>();
      value.properties().forEach(one -> all.put(one.getKey(), read.apply(at(one.getKey()))));
      return all;
    }
  }
}
