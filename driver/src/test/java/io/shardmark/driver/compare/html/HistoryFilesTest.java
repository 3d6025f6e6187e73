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
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HistoryFilesTest {
  @TempDir private Path temporary;

  private List<Path> write() throws IOException {
    return ComparisonFiles.writeHistory(
        List.of(CompareArgument.parse(temporary.resolve("runs").toString())),
        temporary.resolve("h.html"),
        Optional.of("Nightly"));
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
        .contains("<title>Nightly</title>", "id=\"chart-series-1\"", "\"marked\":[7]")
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
