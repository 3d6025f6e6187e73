package io.shardmark.driver.merge;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.recorder.Environment;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.driver.results.reader.HistogramText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * {@code data/totals.json}: what a driver keeps in addition to its {@code summary.json} so that its
 * result can be added to the others'.
 */
public final class TotalsFile {
  private static final String NAME = "data/totals.json";
  private static final String SCHEMA = "shardmark-totals";
  private static final int VERSION = 6;

  /** A real one has about 100 KB; a file of another kind must not fill the memory. */
  private static final long MAX_BYTES = 64 << 20;

  /** The components of the records alone: what else they say can be computed again. */
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(histogramsAndTimes())
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
          .build();

  /**
   * The content of the file.
   *
   * @param machineId of the machine that it ran on; empty if not known
   * @param metrics what the benchmark is judged by
   * @param notApplicable of each rule of the input audit, why it cannot be judged; empty if it can
   * @param statistics without stages and times of statements, which are of one driver
   */
  record Totals(
      String schema,
      int schemaVersion,
      String machineId,
      List<MetricRule> metrics,
      List<String> notApplicable,
      RunStatistics statistics) {}

  private TotalsFile() {}

  /** Writes the file into the directory of one of several drivers. */
  public static void write(
      ResultDirectory directory, RunStatistics run, List<MetricRule> metrics, List<AuditRule> rules)
      throws IOException {
    Totals totals =
        new Totals(
            SCHEMA,
            VERSION,
            Environment.machineId(),
            metrics,
            rules.stream().map(AuditRule::notApplicable).toList(),
            RunStatistics.sum(List.of(run)));
    directory.write(NAME, MAPPER.writeValueAsString(totals) + "\n");
  }

  /** True if a driver has written its result to the end there. */
  static boolean isIn(Path directory) {
    return Files.isRegularFile(directory.resolve(NAME));
  }

  /**
   * Reads the file of a result directory, and the summary next to it.
   *
   * @throws ConfigException if the directory is not that of one of several drivers
   */
  static MergedPart read(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw bad(file, "is too long");
      }
      JsonNode root = MAPPER.readTree(Files.readAllBytes(file));
      if (!root.path("schema").asText().equals(SCHEMA)
          || root.path("schemaVersion").asInt() != VERSION) {
        throw bad(file, "is not of schema %s version %d".formatted(SCHEMA, VERSION));
      }
      MergedPart part =
          new MergedPart(directory, summary(directory), MAPPER.treeToValue(root, Totals.class));
      if (part.totals().statistics().types().size() != part.result().types().size()
          || part.totals().notApplicable().size() != part.result().audit().size()) {
        throw bad(file, "does not fit the summary.json next to it");
      }
      part.drivers(); // or it is not that of one of several
      return part;
    } catch (NoSuchFileException e) {
      throw new ConfigException(
          "%s: has no %s: expected the result directory of one of several drivers (key drivers)"
              .formatted(directory, NAME));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw bad(
          file, "cannot be read: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private static RunResult summary(Path directory) throws IOException {
    List<String> missing = new ArrayList<>();
    return SummaryFile.read(directory, missing)
        .orElseThrow(
            () ->
                bad(
                    directory.resolve(SummaryFile.NAME),
                    missing.isEmpty() ? "is missing" : String.join(" ", missing)));
  }

  private static ConfigException bad(Path file, String what) {
    return new ConfigException(
        "%s: %s: expected the file as a driver writes it at its end".formatted(file, what));
  }

  private static SimpleModule histogramsAndTimes() {
    return new SimpleModule()
        .addSerializer(
            Histogram.class,
            new JsonSerializer<>() {
              @Override
              public void serialize(
                  Histogram value, JsonGenerator json, SerializerProvider provider)
                  throws IOException {
                json.writeString(HistogramText.of(value));
              }
            })
        .addDeserializer(Histogram.class, fromText(HistogramText::read))
        .addSerializer(Duration.class, ToStringSerializer.instance)
        .addDeserializer(Duration.class, fromText(Duration::parse));
  }

  private static <T> JsonDeserializer<T> fromText(Function<String, T> read) {
    return new JsonDeserializer<>() {
      @Override
      public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
        return read.apply(json.getText());
      }
    };
  }
}
