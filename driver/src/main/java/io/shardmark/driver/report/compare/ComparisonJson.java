package io.shardmark.driver.report.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.driver.report.compare.Comparison.Difference;
import io.shardmark.driver.report.compare.Comparison.OverallRatio;
import io.shardmark.driver.report.compare.Comparison.PointRatio;
import io.shardmark.driver.report.estimate.LogEstimate;
import io.shardmark.driver.results.Latency;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The comparison for programs; docs/compare.md describes it. Members may be added under the same
 * schema version; a change of meaning raises it.
 */
public final class ComparisonJson {
  public static final String SCHEMA = "shardmark-comparison";
  private static final int VERSION = 1;

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Comparison comparison;
  private final ObjectNode root = MAPPER.createObjectNode();

  private ComparisonJson(Comparison comparison) {
    this.comparison = comparison;
  }

  /** The whole text. */
  public static String of(Comparison comparison) {
    try {
      return MAPPER.writeValueAsString(new ComparisonJson(comparison).build()) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e); // a tree of plain values can always be written
    }
  }

  private ObjectNode build() {
    root.put("schema", SCHEMA).put("schemaVersion", VERSION);
    root.put("title", comparison.title()).put("baseline", comparison.baseline().name());
    root.put("confidence", LogEstimate.CONFIDENCE);
    root.set("judgedBy", MAPPER.valueToTree(comparison.yardstick()));
    ArrayNode systems = root.putArray("systems");
    comparison.systems().forEach(system -> addSystem(systems.addObject(), system));
    ArrayNode ratios = root.putArray("ratios");
    for (PointRatio point : comparison.ratios()) {
      ObjectNode node = ratios.addObject().put("system", point.system());
      place(node, point.place());
      place(node.putObject("baselinePlace"), point.baseline());
      ratios(node.putObject("ratios"), point.ratios());
    }
    ArrayNode overall = root.putArray("overall");
    for (OverallRatio ratio : comparison.overall()) {
      ObjectNode node = overall.addObject().put("system", ratio.system());
      node.put("points", ratio.points());
      ratios(node.putObject("ratios"), ratio.ratios());
    }
    ArrayNode flags = root.putArray("flags");
    comparison
        .flags()
        .forEach(
            flag ->
                flags.addObject().put("subject", flag.subject()).put("sentence", flag.sentence()));
    texts(root.putArray("alike"), comparison.alike());
    texts(root.putArray("notes"), comparison.notes());
    addDifferences(root.putArray("differences"));
    texts(root.putArray("missing"), comparison.missing());
    return root;
  }

  private void addDifferences(ArrayNode array) {
    for (Difference difference : comparison.differences()) {
      ObjectNode node = array.addObject().put("setting", difference.setting());
      ObjectNode values = node.putObject("values");
      for (int i = 0; i < difference.values().size(); i++) {
        values.put(comparison.systems().get(i).name(), difference.values().get(i));
      }
    }
  }

  private static void place(ObjectNode node, Place place) {
    place.members().forEach(node::put);
  }

  private static void texts(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }

  private void addSystem(ObjectNode node, ComparedSystem system) {
    node.put("name", system.name()).put("published", system.isPublished());
    system
        .publication()
        .ifPresent(
            publication ->
                node.putObject("publication")
                    .put("title", publication.title())
                    .put("publisher", publication.publisher())
                    .put("address", publication.address())
                    .put("remark", publication.remark()));
    ObjectNode conditions = node.putObject("conditions");
    system.conditions().forEach((name, values) -> texts(conditions.putArray(name), values));
    ArrayNode points = node.putArray("points");
    for (ComparedPoint point : system.points()) {
      ObjectNode one = points.addObject();
      place(one, point.place());
      for (Metric metric : comparison.yardstick().metrics()) {
        number(one, metric.name(), point.mean(metric));
      }
      ObjectNode latencies = one.putObject("latencyMillis");
      new TreeMap<>(point.latencies())
          .forEach((type, figures) -> latency(latencies.putObject(type), figures));
      ArrayNode runs = one.putArray("runs");
      point.runs().forEach(run -> addRun(runs.addObject(), run));
    }
  }

  private void addRun(ObjectNode node, Measurement run) {
    node.put("source", run.source()).put("product", run.product());
    node.put("start", run.start()).put("ending", run.ending());
    number(node, "seconds", run.seconds() == 0 ? Double.NaN : run.seconds());
    for (Metric metric : comparison.yardstick().metrics()) {
      number(node, metric.name(), metric.of(run));
    }
    node.put("failed", run.failed());
    ArrayNode faults = node.putArray("faults");
    run.faults()
        .forEach(
            fault ->
                faults
                    .addObject()
                    .put("kind", fault.kind().name().toLowerCase(Locale.ROOT))
                    .put("detail", fault.detail()));
  }

  /** Not known is not there: JSON has no NaN. */
  private static void number(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    }
  }

  private static void latency(ObjectNode node, Latency figures) {
    node.put("count", figures.count());
    number(node, "mean", figures.mean());
    number(node, "p50", figures.p50());
    number(node, "p90", figures.p90());
    number(node, "p95", figures.p95());
    number(node, "p99", figures.p99());
    number(node, "p99_9", figures.p999());
    number(node, "max", figures.max());
  }

  private static void ratios(ObjectNode node, Map<String, Ratio> ratios) {
    ratios.forEach(
        (metric, ratio) -> {
          ObjectNode one = node.putObject(metric);
          number(one, "value", ratio.value());
          ratio
              .interval()
              .ifPresent(
                  interval -> {
                    number(one, "low", interval.low());
                    number(one, "high", interval.high());
                  });
          one.put("basis", ratio.basis().name().toLowerCase(Locale.ROOT));
          one.put("samples", ratio.samples()).put("baselineSamples", ratio.baselineSamples());
          if (!ratio.reason().isEmpty()) {
            one.put("reason", ratio.reason());
          }
        });
  }
}
