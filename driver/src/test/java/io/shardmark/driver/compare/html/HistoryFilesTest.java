package io.shardmark.driver.compare.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.MadeRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HistoryFilesTest {
  @TempDir private Path temporary;

  private final List<String> lines = new ArrayList<>();

  private List<Path> write() throws IOException {
    return history().files();
  }

  private ComparisonFiles.WrittenHistory history() throws IOException {
    lines.clear();
    return ComparisonFiles.writeHistory(
        List.of(CompareArgument.parse(temporary.resolve("runs").toString())),
        temporary.resolve("h.html"),
        Optional.of("Nightly"),
        lines::add);
  }

  private void night(int day, int perSecond, int latencyMillis) throws IOException {
    Path run = temporary.resolve("runs/" + day);
    MadeRuns.benchmarkSql(run, 2, 5, perSecond, latencyMillis);
    Path info = run.resolve("data/runInfo.csv");
    Files.writeString(
        info, Files.readString(info).replace("2026-11-20", "2026-11-%02d".formatted(day)));
  }

  /** A nightly job stops at it; what is better than usual is no failure. */
  @Test
  void saysWhetherTheLatestRunIsWorseThanUsual() throws IOException {
    for (int day = 1; day <= 8; day++) {
      night(day, 20, 30);
    }
    assertThat(history().isWorse()).isFalse();
    assertThat(lines).singleElement().asString().contains("is inside of all bands");
    night(9, 30, 20);
    assertThat(history().isWorse()).isFalse();
    assertThat(lines).singleElement().asString().contains("tpmC 1,788, 50.5 % above usual");
    night(10, 15, 90);
    assertThat(history().isWorse()).isTrue();
    assertThat(lines)
        .singleElement()
        .asString()
        .contains("2026-11-10", "tpmC 888, 25.3 % below usual (1,176 – 1,200)")
        .contains("p99 New-Order 90 ms, 200 % above usual (29.7 ms – 30.3 ms)");
  }

  @Test
  void writesPageAndModelAndReplacesItsOwn() throws IOException {
    for (int i = 0; i < 8; i++) {
      MadeRuns.benchmarkSql(temporary.resolve("runs/" + i), 2, 5, i == 7 ? 9 : 20, 30);
    }
    assertThat(write())
        .extracting(file -> file.getFileName().toString())
        .containsExactly("h.html", "h.json");
    write();
    assertThat(Files.readString(temporary.resolve("h.html")))
        .contains("{\"title\":\"Nightly\"", "\"id\":\"chart-series-1\"", "\"marked\":[7]")
        .doesNotContain("PWbmsql");
    JsonNode json = new ObjectMapper().readTree(temporary.resolve("h.json").toFile());
    assertThat(json.path("schema").asText()).isEqualTo("shardmark-history");
    JsonNode last = json.at("/history/series/0/runs/7/points/tpmC");
    assertThat(last.path("side").asText()).isEqualTo("BELOW");
    assertThat(last.at("/band/high").asDouble()).isEqualTo(1188 * 1.01);
  }

  @Test
  void leavesAComparisonAlone() throws IOException {
    for (int i = 0; i < 2; i++) {
      MadeRuns.benchmarkSql(temporary.resolve("runs/" + i), 2, 5, 20 + i, 30);
    }
    Files.writeString(temporary.resolve("h.json"), "{ \"schema\" : \"shardmark-comparison\" }");
    assertThatThrownBy(this::write)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is there and is no history");
    assertThat(temporary.resolve("h.html")).doesNotExist();
  }
}
