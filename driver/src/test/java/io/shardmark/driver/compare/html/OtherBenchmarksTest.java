package io.shardmark.driver.compare.html;

import static io.shardmark.driver.compare.html.ComparisonTest.compare;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.compare.Band;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.ComparedFigure;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.Choices;
import io.shardmark.driver.compare.History;
import io.shardmark.driver.compare.History.Series;
import io.shardmark.driver.compare.MadeRuns;
import io.shardmark.driver.compare.Ratio;
import io.shardmark.driver.compare.Ratio.Basis;
import io.shardmark.driver.report.PageJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of a benchmark that is not TPC-C are judged by its own metrics, and only by them. */
final class OtherBenchmarksTest {
  private static final String OF_TPC_C = "tpmC|tpmTotal|New-Order|NEW_ORDER|[wW]arehouse";

  @TempDir private Path temporary;

  private Path at(String name) {
    return temporary.resolve(name);
  }

  private Path tpcb(String name, int perSecond) throws IOException {
    return MadeRuns.tpcb(at(name), perSecond, 20, "separate");
  }

  @Test
  void theMainMetricIsThatOfTheRuns() throws IOException {
    Comparison comparison = compare("a=" + tpcb("a", 10), "b=" + tpcb("b", 20));

    ComparedFigure tps = comparison.yardstick().main();
    assertThat(tps.name()).isEqualTo("tps");
    // 10 and 20 a second write, one less in every fifth second; three times as many read.
    double a = (588 + 1800) / 60.0;
    double b = (1188 + 3600) / 60.0;
    assertThat(comparison.systems())
        .extracting(system -> system.points().get(0).mean(tps))
        .containsExactly(a, b);
    Ratio ratio = comparison.ratios().get(0).of(tps).orElseThrow();
    assertThat(ratio.value()).isCloseTo(b / a, within(1e-9));
    assertThat(ratio.basis()).isEqualTo(Basis.PARTS);
    Ratio median =
        comparison.ratios().get(0).of(comparison.yardstick().metrics().get(1)).orElseThrow();
    assertThat(median.basis())
        .as("the rate of parts says nothing of a median")
        .isEqualTo(Basis.NONE);
    assertThat(new ComparisonPage(comparison).verdicts().get(0).text())
        .startsWith("b makes 101 % more transactions than a (tps ratio 2.005, 95 %: ");
  }

  @Test
  void tablesAndChartsHaveTheirMetricsAndTheirScale() throws IOException {
    Comparison comparison = compare("a=" + tpcb("a", 10), "b=" + tpcb("b", 20));

    assertThat(ComparisonFiles.markdown(comparison))
        .contains("## Throughput", "### 10 branches", "Per second, ")
        .contains("### 10 branches, medianSecond", "| Concurrent users | a | b |")
        .contains("| 8 | 39.8 | 79.8 |", "| 8 | 40 | 80 |", "p99 all types")
        .doesNotContainPattern(OF_TPC_C);
    JsonNode json = new ObjectMapper().readTree(ComparisonFiles.json(comparison));
    JsonNode point = json.at("/systems/1/points/0");
    assertThat(point.path("branches").asInt()).isEqualTo(10);
    assertThat(point.path("tps").asDouble()).isEqualTo(79.8);
    assertThat(point.has("tpmC")).isFalse();
    assertThat(json.at("/judgedBy/benchmark").asText()).isEqualTo("TPC-B");
    assertThat(json.at("/judgedBy/metrics/0/unit").asText()).isEqualTo("/s");
  }

  @Test
  void thePageSaysNothingOfTpcC() throws IOException {
    List<CompareArgument> arguments =
        List.of(CompareArgument.of("a", tpcb("a", 10)), CompareArgument.of("b", tpcb("b", 20)));
    List<String> lines = new ArrayList<>();
    ComparisonFiles.write(arguments, at("c.html"), Choices.NONE, lines::add);

    assertThat(lines.get(0)).matches("System +Branches +Terminals +tps +medianSecond.*");
    assertThat(lines.get(1)).matches("a +10 +8 +39\\.8 +40.*");
    assertThat(lines.get(2)).matches("b +10 +8 +79\\.8 +80.*");

    String page = Files.readString(at("c.html"));
    assertThat(PageJson.escaped(page))
        .contains("best tps of b", "with 10 branches, 8 terminals; all types p90 20 ms")
        .contains("tps of b over a", "\"per second\"")
        .doesNotContainPattern(OF_TPC_C);
  }

  @Test
  void notesAreOfTheProgramsAndLimitsThatTheRunsHad() throws IOException {
    Path b = tpcb("b", 10);
    Path summary = b.resolve("summary.json");
    Files.writeString(
        summary, Files.readString(summary).replace("\"Shardmark 1.0\"", "\"pgbench 15\""));
    assertThat(compare("a=" + tpcb("a", 10), "b=" + b).notes())
        .containsExactly("Measured with more than one program: Shardmark 1.0, pgbench 15.");

    Files.writeString(
        summary, Files.readString(summary).replace("\"pgbench 15\"", "\"BenchmarkSQL 5.0\""));
    assertThat(compare("a=" + at("a"), "b=" + b).notes())
        .singleElement()
        .asString()
        .endsWith(
            ". BenchmarkSQL counts failed transactions as done and keeps whole milliseconds.");
  }

  @Test
  void runsWithoutResponseTimeLimitsKeptNone() throws IOException {
    for (Path run : List.of(tpcb("a", 10), tpcb("b", 10))) {
      Path summary = run.resolve("summary.json");
      Files.writeString(
          summary, Files.readString(summary).replaceFirst("\\{", "{ \"client\" : {},"));
    }
    assertThat(new ComparisonPage(compare("a=" + at("a"), "b=" + at("b"))).verdicts())
        .extracting(verdict -> verdict.text())
        .contains(
            "All 2 runs came to the end, with no failed transaction; the load generator was not the"
                + " bottleneck.");
  }

  @Test
  void runsOfTwoBenchmarksAreRefused() throws IOException {
    Path tpcb = tpcb("b", 10);
    Path tpcc = MadeRuns.ours(at("c"));
    Path published = ComparisonTest.PUBLISHED;

    assertThatThrownBy(() -> compare("c=" + tpcc, "b=" + tpcb))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "%s: is a run of TPC-B, judged by tps, but %s is one of TPC-C, judged by tpmC; expected"
                + " runs of one benchmark",
            tpcb, tpcc);
    assertThatThrownBy(() -> compare("b=" + tpcb, published.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected runs of one benchmark");
    assertThatThrownBy(() -> compare(temporary.toString()))
        .as("in one directory")
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected runs of one benchmark");
  }

  @Test
  void unlikeMainMetricsAreRefused() throws IOException {
    Path a = tpcb("a", 10);
    Path b = tpcb("b", 10);
    Path summary = b.resolve("summary.json");
    Files.writeString(
        summary, Files.readString(summary).replace("\"unit\" : \"/s\"", "\"unit\" : \"/min\""));

    assertThatThrownBy(() -> compare("a=" + a, "b=" + b))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("judged by tps (/min), but", "judged by tps (/s)");
  }

  @Test
  void aRunThatLeftNoSummaryIsNotTakenForTpcC() throws IOException {
    Path killed = tpcb("killed", 10);
    Files.delete(killed.resolve("summary.json"));

    assertThatThrownBy(() -> compare("killed=" + killed))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "killed: has no summary.json with its benchmark's metrics; left out.");
  }

  @Test
  void itsOwnKeysAreConditions() throws IOException {
    Path one = tpcb("one", 10);
    Path other = MadeRuns.tpcb(at("other"), 10, 21, "pipelined");

    Comparison comparison = compare("one=" + one, "other=" + other);

    assertThat(comparison.flags())
        .contains(new Comparison.Flag("statements", "one: separate; other: pipelined."));
    assertThat(comparison.alike()).contains("Pacing").doesNotContain("scale", "Mix");
  }

  @Test
  void itsHistoryIsOfItsMetrics() throws IOException {
    for (int day = 1; day <= 9; day++) {
      MadeRuns.tpcb(at("runs/" + day), day == 9 ? 8 : 10, day, "separate");
    }
    List<CompareArgument> arguments = List.of(CompareArgument.parse(at("runs").toString()));
    History history = History.read(arguments, Optional.empty());

    Series series = history.series().get(0);
    assertThat(series.name()).endsWith(" at 10 branches, 8 terminals");
    History.Run latest = series.runs().get(8);
    History.HistoryPoint tps = latest.of(history.judgedBy().main()).orElseThrow();
    assertThat(tps.value()).isEqualTo((468 + 1440) / 60.0);
    assertThat(tps.side()).isEqualTo(Band.BandSide.BELOW);
    assertThat(latest.left()).containsExactly("tps", "medianSecond");
    assertThat(new HistoryPage(history).sentence(series))
        .contains("tps 31.8 a second, 20.1 % below usual (39.4 a second – 40.2 a second)");

    ComparisonFiles.writeHistory(arguments, at("h.html"), Optional.empty(), line -> {});
    String page = Files.readString(at("h.html"));
    assertThat(PageJson.escaped(page))
        .contains("latest tps of ", "percentiles of transactions in ms")
        .doesNotContainPattern(OF_TPC_C);
    JsonNode place =
        new ObjectMapper().readTree(at("h.json").toFile()).at("/history/series/0/place");
    assertThat(place.toString()).isEqualTo("{\"branches\":10,\"terminals\":8}");
  }
}
