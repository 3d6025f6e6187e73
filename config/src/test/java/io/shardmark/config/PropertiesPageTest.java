package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@code docs/properties.md} and the table in the code say the same. */
final class PropertiesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "properties.md");
  private static final Set<String> ORIGINS =
      Set.of("| 5.0 |", "| 5.1 |", "| 5-stable |", "| Shardmark |");

  @Test
  void everyKeyHasItsRowAndNoRowIsStale() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();

    assertThat(rows)
        .containsExactlyInAnyOrderElementsOf(
            TestCatalog.TPCC.all().stream().map(Key::tableRow).toList());
  }

  @Test
  void everyKeyHasAnOrigin() {
    assertThat(TestCatalog.TPCC.all().stream().map(Key::tableRow))
        .allMatch(row -> ORIGINS.stream().anyMatch(row::contains));
  }
}
