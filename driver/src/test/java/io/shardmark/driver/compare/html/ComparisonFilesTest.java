package io.shardmark.driver.compare.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.Comparison.Choices;
import io.shardmark.driver.compare.MadeRuns;
import io.shardmark.driver.report.PageJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComparisonFilesTest {
  @TempDir private Path temporary;
  private List<CompareArgument> arguments = List.of();

  @BeforeEach
  void makeRuns() throws IOException {
    arguments =
        List.of(
            CompareArgument.of(
                "</title><b>", MadeRuns.benchmarkSql(temporary.resolve("a"), 2, 5, 9, 20)),
            CompareArgument.of("b", MadeRuns.benchmarkSql(temporary.resolve("b"), 2, 5, 12, 20)));
  }

  private List<Path> write(String name) throws IOException {
    return ComparisonFiles.write(
            arguments,
            temporary.resolve(name),
            new Choices(Optional.of("My title"), Optional.empty()),
            line -> {})
        .files();
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files
          .filter(Files::isRegularFile)
          .map(f -> f.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  @Test
  void writesThreeFilesAndReplacesItsOwn() throws IOException {
    assertThat(write("c.html")).hasSize(3);
    assertThat(files()).containsExactly("c.html", "c.json", "c.md");
    write("c.html");
    assertThat(files()).containsExactly("c.html", "c.json", "c.md");
    String page = Files.readString(temporary.resolve("c.html"));
    String content = PageJson.escaped(page);
    assertThat(content)
        .contains("{\"title\":\"My title\"", "\"id\":\"chart-throughput\"")
        .contains("\"id\":\"chart-time-rate\"", "\"id\":\"chart-percentiles\"")
        .contains("\"id\":\"chart-curves\"", "\\u003c/title>\\u003cb>")
        .doesNotContain("<", "PWbmsql");
    String frame = page.replace(content, "");
    assertThat(frame.substring(0, frame.indexOf("<footer>")))
        .contains("default-src 'none'")
        .doesNotContain("src=\"", "<link");
    assertThat(page.length()).isLessThan(3 << 20);
  }

  @Test
  void leavesFilesOfOthersAlone() throws IOException {
    Path notes = Files.writeString(temporary.resolve("c.md"), "# my notes\n");
    assertThatThrownBy(() -> write("c.html"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("c.md: is there and is no comparison");
    assertThat(files()).containsExactly("c.md");
    assertThat(notes).hasContent("# my notes\n");
  }

  @Test
  void leavesNothingWhereTheInputIsBad() throws IOException {
    arguments = List.of(CompareArgument.parse(temporary.resolve("nothing").toString()));
    assertThatThrownBy(() -> write("c.html")).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> write("c.txt"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a name that ends in .html");
    assertThatThrownBy(() -> write("no/c.html"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("its directory does not exist");
    assertThat(files()).isEmpty();
  }
}
