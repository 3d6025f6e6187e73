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
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
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
    return resource("/io/shardmark/driver/result/summary.json");
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
    RunResult full = full();
    assertThat(read(SummaryFile.text(full))).isEqualTo(full);
  }

  /** The same run, as the first version of the file had it. */
  @Test
  void theFirstVersionHasTheSameFigures() throws IOException {
    RunResult old = read(resource("summary-version-1.json"));
    RunResult ours = read(ours());

    assertThat(old.run()).isEqualTo(ours.run());
    assertThat(old.metrics()).isEqualTo(ours.metrics());
    assertThat(old.scale()).isEqualTo(new Scale("warehouses", 2)).isEqualTo(ours.scale());
    assertThat(old.types()).isEqualTo(ours.types());
    assertThat(old.latencyMillis()).isEqualTo(ours.latencyMillis());
    assertThat(old.rates()).isEqualTo(ours.rates());
    assertThat(old.verdict()).isEqualTo(ours.verdict());
    assertThat(old.audit()).isEqualTo(ours.audit());
    assertThat(old.configuration()).isEqualTo(ours.configuration());
  }

  @Test
  void theFirstVersionsVerdictIsRead() throws IOException {
    ObjectNode old = (ObjectNode) MAPPER.readTree(resource("summary-version-1.json"));
    old.set("verdict", MAPPER.readTree("{\"driverBound\": true, \"reasons\": [\"a\", \"b\"]}"));

    assertThat(Objects.requireNonNull(read(old.toString()).verdict()).findings())
        .containsExactly(new Finding(VerdictKind.DRIVER_BOUND, "a; b", ""));
  }

  /** A newer program may have verdicts that this one does not know. */
  @Test
  void anUnknownVerdictIsNone() throws IOException {
    String text = ours().replaceAll("\"kind\" : \"[a-z-]+\"", "\"kind\" : \"unheard-of\"");

    assertThat(read(text).verdict()).isNull();
  }

  @Test
  void aMemberOfAnotherKindIsToldInOneSentence() throws IOException {
    Files.writeString(
        directory.resolve("summary.json"),
        ours().replaceAll("(?m)^  \"errors\" : ", "\"errors\": 7, \"x\": "));

    assertThat(SummaryFile.read(directory, missing)).isEmpty();
    assertThat(missing).singleElement().asString().startsWith("summary.json cannot be read: ");
  }

  @Test
  void theSchemaDescribesEveryMember() throws IOException {
    JsonSchema schema = schema();

    assertThat(validate(schema, ours())).isEmpty();
    assertThat(validate(schema, SummaryFile.text(full()))).isEmpty();
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

  /** A result with every member that there can be. */
  private RunResult full() throws IOException {
    RunResult ours = read(ours());
    Latency latency = new Latency(5, 2, 99.0, 1, 2, 3, 4, 5, 6, 7, 8, 1);
    LoadFigures load = new LoadFigures(600, 10, 9, 8, 0, 1, 1, 1);
    Client client = new Client(1, 2, 0.5, 0.25, true, 0.1, 1, 2, 3, 4, 0.1, 5, 6, 7, 8, 9);
    Map<String, Double> metrics = Map.of("a", 1.5, "b", 2.5);
    return new RunResult(
        SummaryFile.SCHEMA,
        SummaryFile.VERSION,
        ours.run(),
        ours.scale(),
        ours.configuration(),
        ours.facts(),
        ours.machine(),
        ours.jvm(),
        ours.database(),
        ours.interval(),
        new QuietTime(3, 2, 1),
        List.of(
            new Metric("a", "1/min", 1.5, 1.75, Map.of("A", 2L), true),
            new Metric("b", "ms", 2.5, null, Map.of(), false)),
        ours.types(),
        new Latencies(
            new Latencies.Kinds(latency, latency, latency, latency),
            new Latencies.Kinds(latency, null, null, null),
            new Latencies.Kinds(null, null, null, null),
            latency),
        load,
        List.of(new StatementResult("A", "SELECT 1", 0.5, latency)),
        List.of(
            new StageResult("1m:600", 0, 60, metrics, 8, 1, load, latency),
            new StageResult("1m:0", 60, 60, metrics, 0, 0, LoadFigures.NONE, null)),
        new DeferredWork(1, 2),
        ours.errors(),
        ours.audit(),
        List.of(new Fault("worker", "java.lang.Error", 1.5, List.of("a", "b"))),
        List.of(new ObserverNote("client.csv: no", 2.5)),
        client,
        Map.of("commits", 5.0),
        ours.serverWaits(),
        new MachineUse(
            true, 0.5, 0.1, new TreeMap<>(Map.of("sda", new MachineUse.Disk(0.5, 1, 2, 3)))),
        List.of(
            new ServerProcess("proxy", "db:5432", "java", 1.5, 0.25),
            new ServerProcess("shard", "db1:5432", null, null, null)),
        ours.bottleneck(),
        ours.verdict(),
        ours.thresholds(),
        Drivers.merged(
            "g",
            3,
            List.of(
                Drivers.Part.of(0, 1, 4, 8, 8, 0.1, 0, -2.5, 1).with(ours, true),
                Drivers.Part.of(1, 5, 8, 8, 8, 0.1, 0.5, null, 7)),
            List.of(new Drivers.Lost(2, 0, 0, 0, "gone"))),
        new IdleSessions(
            200,
            200,
            1,
            "session 7 of db:5432: the server closed it",
            2,
            3,
            0.5,
            List.of(new IdleSessions.Endpoint("db:5432", 200, 1_000L, 2_000L, 3_000L)),
            new IdleSessions.Questions(8, 1, 2, latency),
            List.of(
                new IdleSessions.Phase(IdleSessions.BEFORE, 0, 10, 8, 1, latency),
                new IdleSessions.Phase(IdleSessions.HELD, 10, 40, 80, 0, null))));
  }
}
