package io.shardmark.driver.repeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.UsageException;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.repeat.Repetition.RepeatedSeries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a data set says of its repetition. */
final class RepetitionTest {
  @TempDir private Path temporary;

  @ParameterizedTest
  @ValueSource(strings = {"klustron", "infinisql", "sysbench", "bmt", "replication"})
  void everyKeyOfARepetitionIsOneOfPropertiesFiles(String name) throws IOException {
    Repetition repetition = Repetition.named(name);
    assertThat(repetition.series()).isNotEmpty();
    for (RepeatedSeries series : repetition.series()) {
      for (String database : series.databases().keySet()) {
        for (String row : series.rows().isEmpty() ? List.of("") : series.rows()) {
          Map<String, String> keys = new LinkedHashMap<>(series.keys(database, row));
          assertThat(keys.toString()).doesNotContain("{row}");
          StringBuilder text = new StringBuilder();
          keys.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
          BenchmarkProperties read =
              BenchmarkProperties.parse(
                  Benchmarks.KEYS, Path.of("made"), text.toString(), series.full());
          assertThat(read.warnings()).as(database + row).isEmpty();
          assertThat(read.connection().isEmbedded()).isTrue();
        }
      }
    }
  }

  @Test
  void rowsAreChosenAmongTheAxesOfTheTables() throws IOException {
    Repetition chosen = Repetition.named("infinisql").only(List.of("2", "12"));
    assertThat(chosen.series()).extracting(RepeatedSeries::directory).containsExactly("nodes");
    assertThat(chosen.series().get(0).rows()).containsExactly("2", "12");
    assertThat(Repetition.named("klustron").only(List.of("20")).series().get(0).terminals())
        .containsExactly(20);
    assertThatThrownBy(() -> Repetition.named("klustron").only(List.of("21")))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--rows 21: expected some of [20, 50, 100, 200,");
  }

  @Test
  void sourcesThatAreNotThereAreNamed() {
    assertThatThrownBy(() -> Repetition.named("oracle"))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining(
            "repeat oracle: expected one of [bmt, infinisql, klustron, replication, sysbench");
  }

  @Test
  void figuresWithoutRunsAreRefused() throws IOException {
    Files.writeString(temporary.resolve("published.json"), "{\"repeat\": []}");
    assertThatThrownBy(() -> Repetition.read(temporary))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("repeat: expected the runs that repeat it");
  }
}
