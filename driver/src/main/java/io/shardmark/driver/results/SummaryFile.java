package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * {@code summary.json}: a {@link RunResult} as JSON. Members may be added under the same schema
 * version; a change of meaning raises it. docs/summary.schema.json says what a file holds.
 */
public final class SummaryFile {
  public static final String SCHEMA = "shardmark-summary";
  public static final int VERSION = 2;
  public static final String NAME = "summary.json";

  /** A real one has 30 KB; a file of another kind must not fill the memory. */
  private static final long MAX_BYTES = 16 << 20;

  private SummaryFile() {}

  /** Absent texts, lists and maps are empty; an element that is null counts as absent. */
  private static ObjectMapper mapper() {
    ObjectMapper mapper =
        JsonMapper.builder()
            .defaultPropertyInclusion(
                JsonInclude.Value.construct(
                    JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(
                DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL,
                DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
            .build();
    for (Class<?> kind :
        List.of(
            String.class,
            List.class,
            Map.class,
            SortedMap.class,
            Ending.class,
            AuditVerdict.class)) {
      mapper
          .configOverride(kind)
          .setSetterInfo(JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.FAIL));
    }
    return mapper;
  }

  /** Loaded where a file is read: a run only writes its own. */
  private static final class SummaryMapper {
    static final ObjectMapper MAPPER = mapper();
  }

  /** The text of the file. */
  public static String text(RunResult result) {
    return RecordJson.of(result, RecordJson.JsonForm.FILE) + "\n";
  }

  /**
   * Reads the file of a result directory.
   *
   * @param missing gets a sentence on what of the file cannot be used
   * @return empty if there is none that can be used
   */
  public static Optional<RunResult> read(Path directory, List<String> missing) throws IOException {
    Path file = directory.resolve(NAME);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    if (Files.size(file) > MAX_BYTES) {
      missing.add("summary.json is too long to be a summary; it was not read.");
      return Optional.empty();
    }
    JsonNode root;
    try {
      root = SummaryMapper.MAPPER.readTree(Files.readAllBytes(file));
    } catch (JsonProcessingException e) {
      missing.add("summary.json is no JSON; it was not read.");
      return Optional.empty();
    }
    if (!(root instanceof ObjectNode summary) || !root.path("schema").asText().equals(SCHEMA)) {
      missing.add("summary.json is not of the schema " + SCHEMA + "; it was not read.");
      return Optional.empty();
    }
    int version = summary.path("schemaVersion").asInt();
    if (version > VERSION) {
      missing.add("summary.json is of a newer version; what this one does not know is not shown.");
    } else if (version < VERSION) {
      missing.add("summary.json is of a version before the first release; it was not read.");
      return Optional.empty();
    }
    dropUnknownFindings(summary);
    try {
      return Optional.of(SummaryMapper.MAPPER.treeToValue(summary, RunResult.class));
    } catch (JsonMappingException e) {
      missing.add("summary.json cannot be read: " + MisfitMember.sentence(e, summary) + ".");
      return Optional.empty();
    }
  }

  /**
   * Refuses a directory without a file that can be read.
   *
   * @throws ConfigException which says so
   */
  public static void require(Path directory) throws IOException {
    List<String> missing = new ArrayList<>();
    if (read(directory, missing).isEmpty()) {
      throw new ConfigException(
          directory
              + ": expected a result directory with summary.json"
              + (missing.isEmpty() ? "" : ": " + missing.get(0)));
    }
  }

  /** Puts the outcome of tests into the file of a run, in place of what it had. */
  public static void putAcid(Path directory, List<AcidResult> acid) throws IOException {
    Path file = directory.resolve(NAME);
    ObjectNode summary = (ObjectNode) SummaryMapper.MAPPER.readTree(Files.readAllBytes(file));
    summary.set("acid", SummaryMapper.MAPPER.valueToTree(acid));
    Files.writeString(file, SummaryMapper.MAPPER.writeValueAsString(summary) + "\n");
  }

  /** A verdict may have kinds that only a newer program knows. */
  private static void dropUnknownFindings(ObjectNode summary) {
    JsonNode findings = summary.at("/verdict/findings");
    for (var each = findings.iterator(); each.hasNext(); ) {
      if (VerdictKind.of(each.next().path("kind").asText()).isEmpty()) {
        each.remove();
      }
    }
    if (findings.isEmpty()) {
      summary.remove("verdict");
    }
  }
}
