package io.shardmark.driver.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The figures of a run that a sweep decides by, from its {@code summary.json}. Latencies are in
 * milliseconds from due to done, of successes.
 *
 * @param ending {@code completed} unless it was broken off
 * @param transactions successes
 * @param failed transactions that ended in an error
 * @param newOrderP90Millis 0 without a New-Order
 * @param latency over all counted types
 * @param limitsMissed types whose 90th percentile is above the limit of TPC-C 5.2.5.3
 * @param verdict what the run says of its figures; empty if an earlier program made it
 * @param driverBound whether the driver was what held the run back
 */
record PointFigures(
    String ending,
    double tpmC,
    double tpmTotal,
    long transactions,
    long failed,
    double newOrderP90Millis,
    Latency latency,
    List<String> limitsMissed,
    String verdict,
    boolean driverBound) {

  /** More failed transactions than this, of a hundred, and a run holds no limit. */
  private static final double MOST_FAILED_PERCENT = 1;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Percentiles in milliseconds; all 0 without a transaction. */
  record Latency(double p50, double p90, double p95, double p99, double p999, double max) {}

  PointFigures {
    verdict = Objects.requireNonNullElse(verdict, ""); // a sweep of an earlier program has none
    limitsMissed = List.copyOf(limitsMissed);
  }

  /** Reads a result directory; empty if there is no summary, or none that can be read. */
  static Optional<PointFigures> read(Path directory) throws IOException {
    Path file = directory.resolve("summary.json");
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(of(MAPPER.readTree(file.toFile())));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static PointFigures of(JsonNode summary) {
    List<String> missed = new ArrayList<>();
    long failed = 0;
    double newOrderP90 = 0;
    for (JsonNode type : summary.path("types")) {
      JsonNode due = type.at("/latencyMillis/all/due");
      boolean occurred = due.path("count").asLong() + type.path("errors").asLong() > 0;
      if (occurred && !type.path("limitMet").asBoolean()) {
        missed.add(type.path("name").asText());
      }
      failed += type.path("counted").asBoolean() ? type.path("errors").asLong() : 0;
      if (type.path("headline").asBoolean()) {
        newOrderP90 = due.path("p90").asDouble();
      }
    }
    JsonNode all = summary.at("/latencyMillis/all/due");
    return new PointFigures(
        summary.at("/run/ending").asText(),
        summary.at("/rates/tpmC").asDouble(),
        summary.at("/rates/tpmTotal").asDouble(),
        summary.at("/rates/transactionCount").asLong(),
        failed,
        newOrderP90,
        new Latency(
            all.path("p50").asDouble(),
            all.path("p90").asDouble(),
            all.path("p95").asDouble(),
            all.path("p99").asDouble(),
            all.path("p99_9").asDouble(),
            all.path("max").asDouble()),
        missed,
        summary.at("/verdict/sentence").asText(),
        summary.at("/verdict/driverBound").asBoolean());
  }

  /** Why this run does not hold the limits of TPC-C 5.2.5.3; empty if it does. */
  String limitFault() {
    if (tpmC <= 0) {
      return "no New-Order succeeded";
    }
    if (failed * 100.0 > MOST_FAILED_PERCENT * (transactions + failed)) {
      return "%d of %d transactions failed".formatted(failed, transactions + failed);
    }
    return limitsMissed.isEmpty()
        ? ""
        : "90th percentile above its limit: " + String.join(", ", limitsMissed);
  }
}
