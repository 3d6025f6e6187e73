package io.shardmark.driver.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PointFiguresTest {
  @TempDir private Path directory;

  private PointFigures read(double tpmC, int errors, boolean stockLevelMet) throws IOException {
    Files.writeString(
        directory.resolve("summary.json"),
        """
        {"schema": "shardmark-summary", "schemaVersion": 1, "run": {"ending": "completed"},
         "rates": {"tpmC": %s, "tpmTotal": 222.5, "transactionCount": 990},
         "types": [
          {"name": "NEW_ORDER", "headline": true, "counted": true, "count": %d, "errors": %d, "limitMet": true,
           "latencyMillis": {"all": {"due": {"count": 500, "p90": 12.5}}}},
          {"name": "STOCK_LEVEL", "headline": false, "counted": true, "errors": 0, "limitMet": %s,
           "latencyMillis": {"all": {"due": {"count": 490, "p90": 30000}}}},
          {"name": "DELIVERY", "headline": false, "counted": true, "errors": 0, "limitMet": false,
           "latencyMillis": {"all": {"due": {"count": 0}}}}],
         "latencyMillis": {"all": {"due": {"count": 990, "p50": 1, "p90": 2, "p95": 3, "p99": 4,
           "p99_9": 5, "max": 6}}},
         "verdict": {"kind": "driver-bound", "sentence": "driver-bound: why", "driverBound": true,
           "reasons": ["why"]}}
        """
            .formatted(tpmC, 990 + errors, errors, stockLevelMet));
    return PointFigures.read(directory).orElseThrow();
  }

  @Test
  void readsWhatARunLeft() throws IOException {
    PointFigures figures = read(111.25, 3, true);

    assertThat(figures.tpmC()).isEqualTo(111.25);
    assertThat(figures.tpmTotal()).isEqualTo(222.5);
    assertThat(figures.failed()).isEqualTo(3);
    assertThat(figures.newOrderP90Millis()).isEqualTo(12.5);
    assertThat(figures.latency()).isEqualTo(new PointFigures.Percentiles(1, 2, 3, 4, 5, 6));
    assertThat(figures.driverBound()).isTrue();
    assertThat(figures.verdict()).isEqualTo("driver-bound: why");
    assertThat(figures.limitFault()).isEmpty();
  }

  /** Its main metric takes the place of tpmC; what is offered by schedule is per minute. */
  @Test
  void readsARunOfAnotherBenchmark() throws IOException {
    PointFigures figures = ofTpcb();

    assertThat(figures.metric()).isEqualTo(new PointFigures.Main("tps", 42.5));
    assertThat(figures.tpmC()).isNull();
    assertThat(figures.newOrderP90Millis()).isNull();
    assertThat(FigureNames.of(figures).metric()).isEqualTo("tps");
    assertThat(figures.tpmTotal()).isEqualTo(2550);
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

  /** Files of TPC-C keep their members; other benchmarks have none that are named for TPC-C. */
  @Test
  void filesNameTheMainMetric() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode tpcc = mapper.valueToTree(read(111.25, 3, true));
    assertThat(tpcc.path("tpmC").asDouble()).isEqualTo(111.25);
    assertThat(tpcc.path("newOrderP90Millis").asDouble()).isEqualTo(12.5);
    assertThat(tpcc.has("main")).isFalse();
    assertThat(mapper.treeToValue(tpcc, PointFigures.class)).isEqualTo(read(111.25, 3, true));

    PointFigures figures = ofTpcb();
    JsonNode tpcb = mapper.valueToTree(figures);
    assertThat(tpcb.path("main").toString()).isEqualTo("{\"name\":\"tps\",\"value\":42.5}");
    assertThat(tpcb.has("tpmC")).isFalse();
    assertThat(tpcb.has("newOrderP90Millis")).isFalse();
    assertThat(mapper.treeToValue(tpcb, PointFigures.class)).isEqualTo(figures);
  }

  @Test
  void tablesNameTheMainMetric() throws IOException {
    PointRecord record =
        PointRecord.pending(new Point("pg", Point.Kind.PROBE, 8, 0, 0, 1))
            .ended(new PointRecord.Outcome(0, 0, "", "", "", ofTpcb()));
    assertThat(SweepTable.lines(List.of(record)))
        .satisfiesExactly(
            head ->
                assertThat(head)
                    .contains(" tps ", "txns/min", "all types p90 ms")
                    .doesNotContain("tpm", "New-Order"),
            line -> assertThat(line).contains(" 42.50 ", " 2550.00 "));
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
