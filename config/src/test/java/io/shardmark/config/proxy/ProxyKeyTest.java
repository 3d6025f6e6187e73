package io.shardmark.config.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reference page, the sample and the table in the code say the same. */
final class ProxyKeyTest {
  private static final Path PAGE = Path.of("..", "docs", "proxy-properties.md");
  private static final Path SAMPLE = Path.of("proxy.yaml");

  @Test
  void everyKeyHasItsRowAndNoRowIsStale() throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| `")).toList();

    assertThat(rows)
        .containsExactlyElementsOf(Stream.of(ProxyKey.values()).map(ProxyKey::tableRow).toList());
  }

  @Test
  void theConfigurationHasTheValueOfEveryKey() throws IOException {
    assertThat(ProxyConfig.read(SAMPLE).values().keySet()).isEqualTo(ProxyKey.namesIn(""));
  }

  @Test
  void theSampleCanBeRead() throws IOException {
    ProxyConfig config = ProxyConfig.read(SAMPLE);

    assertThat(config.shards()).hasSize(2);
    assertThat(Files.readString(SAMPLE)).doesNotContain("\t");
  }

  @Test
  void theSampleNamesEveryKeyIfOnlyInAComment() throws IOException {
    String sample = Files.readString(SAMPLE);

    assertThat(Stream.of(ProxyKey.values()).map(ProxyKey::lastName))
        .allMatch(key -> Pattern.compile("\\b" + key + ":").matcher(sample).find());
  }

  @Test
  void theSamplesCommentsParseWhenSwitchedOn() throws IOException {
    String text =
        Pattern.compile("(?m)^#([a-z_]+:.*)$")
            .matcher(Files.readString(SAMPLE))
            .replaceAll("$1")
            .replaceAll("(?m)^tls:.*$", "");
    ProxyConfig config =
        ProxyConfig.parse(new ProxyConfig.Source("proxy.yaml", Path.of(""), Map.of()), text);

    assertThat(config.adminUsers()).isNotEmpty();
    assertThat(config.sharding()).isNotEmpty();
  }
}
