package io.shardmark.driver.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings a {@code summary.json} of version 1, which knew TPC-C alone, into the form of version 2.
 * The kept ones are of runs by one driver without stages.
 */
final class FirstVersion {
  private static final List<String> METRICS = List.of("tpmC", "tpmTotal");

  private FirstVersion() {}

  static void upgrade(ObjectNode summary) {
    addMetrics(summary);
    summary
        .putObject("scale")
        .put("name", "warehouses")
        .put("number", summary.at("/configuration/warehouses").asInt());
    upgradeVerdict(summary);
  }

  private static void addMetrics(ObjectNode summary) {
    ArrayNode metrics = summary.putArray("metrics");
    for (String name : METRICS) {
      JsonNode value = summary.at("/rates/" + name);
      if (value.isNumber()) {
        ObjectNode metric = metrics.addObject();
        metric.put("name", name).put("unit", "/min").put("value", value.asDouble());
        metric.put("asBenchmarkSql", summary.at("/rates/asBenchmarkSql/" + name).asDouble());
        ObjectNode weights = metric.putObject("weights");
        for (JsonNode type : summary.path("types")) {
          if (type.path(name.equals(METRICS.get(0)) ? "headline" : "counted").asBoolean()) {
            weights.put(type.path("name").asText(), 1);
          }
        }
        metric.put("higherIsBetter", true);
      }
    }
  }

  /** The first programs knew only whether the driver was the limit. */
  private static void upgradeVerdict(ObjectNode summary) {
    if (summary.path("verdict") instanceof ObjectNode verdict
        && verdict.path("findings").isEmpty()
        && verdict.path("driverBound").asBoolean()) {
      List<String> reasons = new ArrayList<>();
      verdict.path("reasons").forEach(reason -> reasons.add(reason.asText()));
      verdict
          .putArray("findings")
          .addObject()
          .put("kind", VerdictKind.DRIVER_BOUND.key())
          .put("cause", String.join("; ", reasons))
          .put("advice", "");
    }
  }
}
