package io.shardmark.driver.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.recorder.ResultDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The file {@code sweep.json}: what was asked, and how far each point is. Every change is on disk
 * before the method that makes it returns, whole or not at all. Used by one thread.
 */
final class SweepPlan {
  private static final String SCHEMA = "shardmark-sweep";
  private static final int VERSION = 2;
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(
              SerializationFeature.INDENT_OUTPUT, SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
          .enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private final Path directory;
  private final SweepRequest asked;
  private final Map<Point, PointRecord> points = new LinkedHashMap<>();

  private SweepPlan(Path directory, SweepRequest asked, List<PointRecord> points) {
    this.directory = directory;
    this.asked = asked;
    points.forEach(record -> this.points.put(record.point(), record));
  }

  record PlanContent(
      String schema, int schemaVersion, SweepRequest asked, List<PointRecord> points) {}

  /** Begins a plan with points that are known already; a search adds its own. */
  static SweepPlan begin(Path directory, SweepRequest asked, List<Point> points)
      throws IOException {
    SweepPlan plan =
        new SweepPlan(directory, asked, points.stream().map(PointRecord::pending).toList());
    plan.save();
    return plan;
  }

  static boolean isIn(Path directory) {
    return Files.isRegularFile(directory.resolve(SweepDirectory.PLAN));
  }

  /**
   * @throws ConfigException if there is none, or none that can be read
   */
  static SweepPlan read(Path directory) throws IOException {
    Path file = directory.resolve(SweepDirectory.PLAN);
    if (!Files.isRegularFile(file)) {
      throw new ConfigException(
          "%s: is no directory of a sweep: it has no %s".formatted(directory, SweepDirectory.PLAN));
    }
    try {
      PlanContent content = MAPPER.readValue(file.toFile(), PlanContent.class);
      if (!SCHEMA.equals(content.schema()) || content.schemaVersion() != VERSION) {
        throw new ConfigException(
            "%s: is of schema %s %d: expected %s %d"
                .formatted(file, content.schema(), content.schemaVersion(), SCHEMA, VERSION));
      }
      return new SweepPlan(directory, content.asked(), content.points());
    } catch (JsonProcessingException e) {
      throw new ConfigException(
          "%s: is no plan of a sweep: %s".formatted(file, e.getOriginalMessage()));
    }
  }

  SweepRequest asked() {
    return asked;
  }

  /** In the order in which they are, or were, run. */
  List<PointRecord> points() {
    return List.copyOf(points.values());
  }

  List<PointRecord> points(PointRecord.PointState state) {
    return points.values().stream().filter(record -> record.state() == state).toList();
  }

  Optional<PointRecord> find(Point point) {
    return Optional.ofNullable(points.get(point));
  }

  /** Adds a point, or replaces what is known of it. */
  void put(PointRecord record) throws IOException {
    points.put(record.point(), record);
    save();
  }

  private void save() throws IOException {
    writeJson(
        directory.resolve(SweepDirectory.PLAN), new PlanContent(SCHEMA, VERSION, asked, points()));
  }

  static void writeJson(Path file, Object content) throws IOException {
    write(file, MAPPER.writeValueAsString(content) + "\n");
  }

  /** Whole or not at all. */
  static void write(Path file, String text) throws IOException {
    ResultDirectory.replace(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
