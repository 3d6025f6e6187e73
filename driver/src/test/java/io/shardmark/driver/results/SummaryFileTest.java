package io.shardmark.driver.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SummaryFileTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir private Path directory;

  private final List<String> missing = new ArrayList<>();

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SummaryFileTest.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  private static String ours() throws IOException {
    return resource("/io/shardmark/driver/recorder/summary.json");
  }

  private RunResult read(String text) throws IOException {
    Files.writeString(directory.resolve("summary.json"), text);
    RunResult result = SummaryFile.read(directory, missing).orElseThrow();
    assertThat(missing).isEmpty();
    return result;
  }

  @Test
  void whatIsReadIsWhatWasWritten() throws IOException {
    assertThat(SummaryFile.text(read(ours()))).isEqualTo(ours());
    RunResult full = MadeRun.full(read(ours()));
    assertThat(read(SummaryFile.text(full))).isEqualTo(full);
  }

  @Test
  void aVersionBeforeTheFirstReleaseIsNotRead() throws IOException {
    String old = ours().replace("\"schemaVersion\" : 2", "\"schemaVersion\" : 1");
    Files.writeString(directory.resolve("summary.json"), old);

    assertThat(SummaryFile.read(directory, missing)).isEmpty();
    assertThat(missing)
        .containsExactly("summary.json is of a version before the first release; it was not read.");
  }

  /** A newer program may have verdicts that this one does not know. */
  @Test
  void anUnknownVerdictIsNone() throws IOException {
    String text = ours().replaceAll("\"kind\" : \"[a-z-]+\"", "\"kind\" : \"unheard-of\"");

    assertThat(read(text).verdict()).isNull();
  }

  @Test
  void aMemberThatCannotStandThereIsToldInOneSentence() throws IOException {
    assertThat(fault("errors", "7")).isEqualTo("errors: expected a list, found 7");
    assertThat(fault("client", "[]")).isEqualTo("client: expected an object, found []");
    assertThat(fault("types", "[{\"name\": {}}]"))
        .isEqualTo("types[0].name: expected a text, found {}");
    assertThat(fault("types", "[{\"counted\": \"x\"}]"))
        .isEqualTo("types[0].counted: expected true or false, found \"x\"");
    assertThat(fault("quiet", "{\"seconds\": 123456789012345678901}"))
        .startsWith("quiet.seconds: expected a number")
        .endsWith(", found 123456789012345678901");
    assertThat(fault("metrics", "[null]")).isEqualTo("metrics[0]: expected a value, found null");
    assertThat(fault("databaseFigures", "{\"commits\": null}"))
        .isEqualTo("databaseFigures.commits: expected a value, found null");
    for (String seconds : List.of("-1", "1e300", "1e999", "\"NaN\"")) {
      assertThat(fault("interval", "{\"seconds\": " + seconds + "}"))
          .startsWith("interval: expected lengths of time from 0 to 1e12 s, found {");
    }
  }

  /** What the file says is wrong with a summary that has this value. */
  private String fault(String member, String value) throws IOException {
    missing.clear();
    Files.writeString(
        directory.resolve("summary.json"),
        ours()
            .replaceAll(
                "(?m)^  \"" + member + "\" : ", "\"" + member + "\": " + value + ", \"x\": "));
    assertThat(SummaryFile.read(directory, missing)).isEmpty();
    String start = "summary.json cannot be read: ";
    assertThat(missing).singleElement().asString().startsWith(start).endsWith(".");
    return missing.get(0).substring(start.length(), missing.get(0).length() - 1);
  }

  @Test
  void whatIsAbsentIsEmpty() throws IOException {
    RunResult result =
        read(
            """
            {"schema": "shardmark-summary", "schemaVersion": 2, "run": {}, "scale": {},
             "metrics": [{}], "types": [{}], "errors": [{}], "audit": [{}], "bottleneck": {},
             "faults": [{}], "serverProcesses": [{}], "drivers": {}, "stages": [{}]}
            """);

    assertThat(result.run()).isEqualTo(Session.UNKNOWN);
    assertThat(result.scale()).isEqualTo(RunScale.UNKNOWN);
    assertThat(result.metrics().get(0).unit()).isEmpty();
    assertThat(result.types().get(0).name()).isEmpty();
    assertThat(result.audit().get(0).verdict()).isEqualTo(AuditVerdict.NOT_APPLICABLE);
    assertThat(result.serverProcesses().get(0).program()).isNull();
    assertThat(result.facts()).isEmpty();
  }

  @Test
  void theSchemaDescribesEveryMember() throws IOException {
    JsonSchema schema = schema();

    assertThat(validate(schema, ours())).isEmpty();
    assertThat(validate(schema, SummaryFile.text(MadeRun.full(read(ours()))))).isEmpty();
    assertThat(validate(schema, ours().replace("\"committed\"", "\"comitted\""))).isNotEmpty();
    assertThat(validate(schema, ours().replace("\"seconds\" : 60.0", "\"seconds\" : \"60\"")))
        .isNotEmpty();
  }

  private static Set<ValidationMessage> validate(JsonSchema schema, String text)
      throws IOException {
    return schema.validate(MAPPER.readTree(text));
  }

  /** As in the docs, but that no member may be there that it does not name. */
  private static JsonSchema schema() throws IOException {
    Path file = Path.of("..", "docs", "summary.schema.json");
    JsonNode schema = MAPPER.readTree(file.toFile());
    close(schema);
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(schema);
  }

  private static void close(JsonNode node) {
    if (node instanceof ObjectNode object
        && object.path("properties").isObject()
        && object.path("required").isArray()
        && !object.has("additionalProperties")) {
      object.put("additionalProperties", false);
    }
    node.forEach(SummaryFileTest::close);
  }
}
