package io.shardmark.driver.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.driver.results.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PointFiguresTest {
  @TempDir private Path directory;

  private PointFigures read(double tpmC, int errors, boolean stockLevelMet) throws IOException {
    Files.writeString(
        directory.resolve("summary.json"),
        """
        {"schema": "shardmark-summary", "schemaVersion": 2, "run": {"ending": "completed"},
         "interval": {"seconds": 264},
         "metrics": [
          {"name": "tpmC", "unit": "/min", "value": %s, "weights": {"NEW_ORDER": 1}, "higherIsBetter": true},
          {"name": "tpmTotal", "unit": "/min", "value": 222.5, "weights": {"NEW_ORDER": 1, "STOCK_LEVEL": 1},
           "higherIsBetter": true}],
         "types": [
          {"name": "NEW_ORDER", "headline": true, "counted": true, "count": %d, "errors": %d, "limitMet": true,
           "latencyMillis": {"all": {"due": {"count": 500, "p90": 12.5}}}},
          {"name": "STOCK_LEVEL", "headline": false, "counted": true, "errors": 0, "limitMet": %s,
           "latencyMillis": {"all": {"due": {"count": 490, "p90": 30000}}}},
          {"name": "DELIVERY", "headline": false, "counted": true, "errors": 0, "limitMet": false,
           "latencyMillis": {"all": {"due": {"count": 0}}}}],
         "latencyMillis": {"all": {"due": {"count": 990, "p50": 1, "p90": 2, "p95": 3, "p99": 4,
           "p99_9": 5, "max": 6}}},
         "verdict": {"findings": [{"kind": "driver-bound", "cause": "why", "advice": ""}]}}
        """
            .formatted(tpmC, 990 + errors, errors, stockLevelMet));
    return PointFigures.read(directory).orElseThrow();
  }

  @Test
  void readsWhatARunLeft() throws IOException {
    PointFigures figures = read(111.25, 3, true);

    assertThat(figures.metrics())
        .containsExactly(Map.entry("tpmC", 111.25), Map.entry("tpmTotal", 222.5));
    assertThat(figures.main()).isEqualTo(111.25);
    assertThat(figures.perMinute()).isEqualTo(225); // 990 in 4.4 minutes
    assertThat(figures.failed()).isEqualTo(3);
    assertThat(figures.type()).isEqualTo("New-Order");
    assertThat(figures.typeMillis()).isNotNull().extracting(Latency::p90).isEqualTo(12.5);
    assertThat(figures.latencyMillis()).isNotNull().extracting(Latency::p999).isEqualTo(5.0);
    assertThat(figures.driverBound()).isTrue();
    assertThat(figures.verdict()).isEqualTo("driver-bound: why.");
    assertThat(figures.limitFault()).isEmpty();
  }

  /** What is offered by schedule is per minute, whatever its metric is. */
  @Test
  void readsARunOfAnotherBenchmark() throws IOException {
    PointFigures figures = ofTpcb();

    assertThat(figures.metrics()).containsExactly(Map.entry("tps", 42.5));
    assertThat(figures.type()).isEqualTo("all types");
    assertThat(figures.typeMillis()).isNull();
    assertThat(figures.perMinute()).isEqualTo(2550);
    assertThat(figures.limitFault()).isEmpty();
  }

  private PointFigures ofTpcb() throws IOException {
    Files.writeString(
        directory.resolve("summary.json"),
        """
        {"schema": "shardmark-summary", "schemaVersion": 2, "run": {"ending": "completed"},
         "interval": {"seconds": 10},
         "metrics": [{"name": "tps", "unit": "/s", "value": 42.5, "higherIsBetter": true}],
         "types": [{"name": "TPCB", "headline": true, "counted": true, "count": 425}]}""");

    return PointFigures.read(directory).orElseThrow();
  }

  @Test
  void filesNameTheMetricsOfTheBenchmark() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    for (PointFigures figures : List.of(read(111.25, 3, true), ofTpcb())) {
      JsonNode json = mapper.valueToTree(figures);
      assertThat(json.path("metrics").fieldNames())
          .toIterable()
          .containsExactlyElementsOf(figures.metrics().keySet());
      assertThat(mapper.treeToValue(json, PointFigures.class)).isEqualTo(figures);
    }
  }

  private static PointRecord record(int terminals, @Nullable PointFigures figures) {
    return PointRecord.pending(new Point("pg", Point.PointKind.SERIES, terminals, 0, 0, 1))
        .ended(new PointRecord.PointOutcome(0, 0, "", "", figures == null ? "why" : "", figures));
  }

  @Test
  void tablesNameTheMetricsOfTheBenchmark() throws IOException {
    assertThat(SweepTable.lines(List.of(record(8, ofTpcb()), record(16, null))))
        .containsExactly(
            "database  terminals  rep    tps  state",
            "pg                8    1  42.50  done",
            "pg               16    1      –  failed: why");
    assertThat(SweepTable.lines(List.of(record(8, read(111.25, 3, true)))))
        .containsExactly(
            "database  terminals  rep    tpmC  tpmTotal  New-Order p90 ms  p50 ms  p99 ms  max ms  state",
            "pg                8    1  111.25    222.50              12.5     1.0     4.0     6.0  done");
  }

  @Test
  void aTableWithoutFiguresNamesNoMetric() {
    assertThat(SweepTable.lines(List.of(record(8, null))).get(0))
        .isEqualTo("database  terminals  rep  state");
  }

  @Test
  void clause5253AMissedLimitIsNamedButNotOfATypeThatNeverOccurred() throws IOException {
    assertThat(read(111.25, 0, false).limitFault())
        .isEqualTo("90th percentile above its limit: STOCK_LEVEL");
  }

  @Test
  void failedTransactionsAndNoneAtAllHoldNoLimit() throws IOException {
    assertThat(read(111.25, 10, true).limitFault()).isEmpty();
    assertThat(read(111.25, 11, true).limitFault()).isEqualTo("11 of 1001 transactions failed");
    assertThat(read(0, 0, true).limitFault()).isEqualTo("no New-Order succeeded");
  }

  @Test
  void thereIsNothingWithoutASummaryOrWithHalfOfOne() throws IOException {
    assertThat(PointFigures.read(directory)).isEmpty();
    Files.writeString(directory.resolve("summary.json"), "{\"run\": {");
    assertThat(PointFigures.read(directory)).isEmpty();
  }
}
