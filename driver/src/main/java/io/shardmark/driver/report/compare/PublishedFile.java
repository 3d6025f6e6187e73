package io.shardmark.driver.report.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.report.compare.ComparedSystem.Publication;
import io.shardmark.driver.results.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code published.json}: figures that somebody else measured and published. docs/compare.md
 * describes it. A file that breaks the rules is refused with the place where it does.
 */
final class PublishedFile {
  static final String NAME = "published.json";
  private static final String SCHEMA = "shardmark-published";
  private static final int VERSION = 1;
  private static final long MAX_BYTES = 4 << 20;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Nobody publishes others. */
  static final Yardstick YARDSTICK = Yardstick.TPC_C;

  private final Path file;

  private PublishedFile(Path file) {
    this.file = file;
  }

  /** One of its systems, ready to be built. */
  record PublishedSystem(String name, SystemBuilder builder) {}

  /** True of a directory that holds such a file, and of such a file. */
  static boolean isPublished(Path path) {
    return Files.isRegularFile(path.resolve(NAME))
        || (Files.isRegularFile(path) && path.toString().endsWith(".json"));
  }

  static List<PublishedSystem> read(Path path) throws IOException {
    Path file = Files.isDirectory(path) ? path.resolve(NAME) : path;
    if (Files.size(file) > MAX_BYTES) {
      throw new ConfigException(file + ": is longer than 4 MB, expected published figures");
    }
    JsonNode root;
    try {
      root = MAPPER.readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      throw new ConfigException(file + ": is no JSON: " + e.getOriginalMessage());
    }
    return new PublishedFile(file).systems(root);
  }

  private List<PublishedSystem> systems(JsonNode root) {
    if (!root.path("schema").asText().equals(SCHEMA)) {
      throw fault("schema", "\"" + SCHEMA + "\"", root.path("schema"));
    }
    if (root.path("schemaVersion").asInt() != VERSION) {
      throw fault("schemaVersion", String.valueOf(VERSION), root.path("schemaVersion"));
    }
    Publication publication =
        new Publication(
            text(root, "", "title"),
            text(root, "", "publisher"),
            root.path("address").asText(),
            root.path("remark").asText());
    String program = root.path("program").asText();
    List<PublishedSystem> systems = new ArrayList<>();
    JsonNode array = array(root, "", "systems");
    for (int i = 0; i < array.size(); i++) {
      systems.add(system(array.get(i), "systems[" + i + "].", publication, program));
    }
    return systems;
  }

  private PublishedSystem system(
      JsonNode node, String at, Publication publication, String program) {
    String name = text(node, at, "name");
    SystemBuilder builder = new SystemBuilder(Optional.of(publication));
    Map<String, String> settings = texts(node, at, "settings");
    builder.addSettings(RunSettings.of(settings, texts(node, at, "facts")), YARDSTICK);
    JsonNode points = array(node, at, "points");
    for (int i = 0; i < points.size(); i++) {
      addPoint(points.get(i), at + "points[" + i + "].", publication, program, builder);
    }
    return new PublishedSystem(name, builder);
  }

  private void addPoint(
      JsonNode node, String at, Publication publication, String program, SystemBuilder builder) {
    Place place = YARDSTICK.place(whole(node, at, YARDSTICK.scale()), whole(node, at, "terminals"));
    Map<String, Double> values = new LinkedHashMap<>();
    for (String name : YARDSTICK.names()) {
      if (values.isEmpty() || node.has(name)) { // the main one must be there
        values.put(name, positive(node, at, name));
      }
    }
    double seconds = node.has("seconds") ? positive(node, at, "seconds") : 0;
    if (builder.places().contains(place)) {
      throw new ConfigException(
          "%s: %sis a second point of %s, expected one".formatted(file, at, place.text()));
    }
    builder.add(
        place,
        new Measurement(
            publication.title(),
            program,
            "",
            "",
            seconds,
            values,
            0,
            0,
            latencies(node, at),
            Map.of(),
            Observed.NONE,
            List.of(),
            false));
  }

  private Map<String, Latency> latencies(JsonNode node, String at) {
    Map<String, Latency> latencies = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> member : node.path("latencyMillis").properties()) {
      JsonNode figures = member.getValue();
      String inside = at + "latencyMillis." + member.getKey() + ".";
      latencies.put(
          member.getKey(),
          Latency.of(
              whole(figures, inside, "count"),
              latency(figures, inside, "mean"),
              latency(figures, inside, "p50"),
              latency(figures, inside, "p90"),
              latency(figures, inside, "p95"),
              latency(figures, inside, "p99"),
              latency(figures, inside, "p99_9"),
              latency(figures, inside, "max")));
    }
    return latencies;
  }

  /** NaN if it is not stated. */
  private double latency(JsonNode node, String at, String member) {
    JsonNode value = node.path(member);
    if (value.isMissingNode()) {
      return Double.NaN;
    }
    if (!value.isNumber() || value.asDouble() < 0) {
      throw fault(at + member, "milliseconds", value);
    }
    return value.asDouble();
  }

  private Map<String, String> texts(JsonNode node, String at, String member) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : node.path(member).properties()) {
      if (!entry.getValue().isValueNode()) {
        throw fault(at + member + "." + entry.getKey(), "a text or a number", entry.getValue());
      }
      texts.put(entry.getKey(), entry.getValue().asText());
    }
    return texts;
  }

  private String text(JsonNode node, String at, String member) {
    JsonNode value = node.path(member);
    if (!value.isTextual() || value.asText().isBlank()) {
      throw fault(at + member, "a text", value);
    }
    return value.asText();
  }

  private JsonNode array(JsonNode node, String at, String member) {
    JsonNode value = node.path(member);
    if (!value.isArray() || value.isEmpty()) {
      throw fault(at + member, "a list with at least one element", value);
    }
    return value;
  }

  private int whole(JsonNode node, String at, String member) {
    JsonNode value = node.path(member);
    if (!value.isInt() || value.asInt() < 1) {
      throw fault(at + member, "a whole number from 1", value);
    }
    return value.asInt();
  }

  private double positive(JsonNode node, String at, String member) {
    JsonNode value = node.path(member);
    if (!value.isNumber() || !(value.asDouble() > 0)) {
      throw fault(at + member, "a number above 0", value);
    }
    return value.asDouble();
  }

  private ConfigException fault(String where, String expected, JsonNode found) {
    return new ConfigException(
        "%s: %s: expected %s, found %s"
            .formatted(file, where, expected, found.isMissingNode() ? "nothing" : found));
  }
}
