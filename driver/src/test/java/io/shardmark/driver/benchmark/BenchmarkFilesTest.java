package io.shardmark.driver.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.Key;
import io.shardmark.config.PropertyKey;
import io.shardmark.driver.registry.Benchmarks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each benchmark's sample in {@code config/} and its keys in {@code docs/}. */
final class BenchmarkFilesTest {
  private static final Path CONFIG = Path.of("..", "config");
  private static final Path DOCS = Path.of("..", "docs");

  /** Key, type, default, used by, since, meaning. */
  private static final Pattern KEY_ROW =
      Pattern.compile("^\\| `[^|]*` \\|([^|]*\\|){3} (5\\.0|5\\.1|5-stable|Shardmark) \\|");

  /** The samples that name their workload; the others are the default's. */
  static List<Path> samples() throws IOException {
    List<Path> samples = new ArrayList<>();
    try (Stream<Path> files = Files.list(CONFIG)) {
      for (Path file : files.sorted().toList()) {
        if (String.valueOf(file.getFileName()).startsWith("props.")
            && Files.readAllLines(file).stream().anyMatch(line -> line.startsWith("workload="))) {
          samples.add(file);
        }
      }
    }
    return samples;
  }

  @Test
  void everyBenchmarkButTheDefaultHasASample() throws IOException {
    List<String> sampled = new ArrayList<>();
    for (Path sample : samples()) {
      sampled.add(BenchmarkProperties.read(Benchmarks.KEYS, sample, Map.of()).workload());
    }
    assertThat(sampled).containsAll(Benchmarks.ALL.stream().skip(1).map(Benchmark::key).toList());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aSampleIsValidAndHidesNoKey(Path sample) throws IOException {
    // Files that a sample names are found from the directory above.
    BenchmarkProperties properties =
        BenchmarkProperties.parse(
            Benchmarks.KEYS,
            sample,
            Files.readString(sample).replace("script:config/", "script:../config/"),
            Map.of());
    Benchmark benchmark = Benchmarks.of(properties);

    assertThat(properties.warnings()).isEmpty();
    assertThat(benchmark.scale(properties.values()).size()).isPositive();
    benchmark.check(properties.values());
    if (benchmark.hasTables()) {
      assertThat(benchmark.dataSet(properties.values()).unitCount()).isPositive();
      assertThat(benchmark.scripts(properties.values()).beforeLoad()).isNotEmpty();
    }
    List<String> lines = Files.readAllLines(sample);
    for (Key key : benchmark.keys()) {
      assertThat(lines)
          .as(key.key())
          .anyMatch(line -> line.replaceFirst("^#", "").startsWith(key.key() + "="));
    }
  }

  @Test
  void everyKeyHasItsRowInTheReference() throws IOException {
    List<String> rows = new ArrayList<>();
    try (Stream<Path> pages = Files.list(DOCS)) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        rows.addAll(Files.readAllLines(page));
      }
    }
    for (Benchmark benchmark : Benchmarks.ALL) {
      assertThat(rows).containsAll(benchmark.keys().stream().map(Key::tableRow).toList());
    }
    assertThat(rows).contains(PropertyKey.WORKLOAD.tableRow());
    // Benchmarks may have keys of the same name.
    List<String> known = new ArrayList<>();
    Benchmarks.KEYS.all().forEach(key -> known.add(key.tableRow()));
    Benchmarks.ALL.forEach(one -> one.keys().forEach(key -> known.add(key.tableRow())));
    assertThat(rows.stream().filter(KEY_ROW.asPredicate()))
        .as("no row is of a key that no benchmark has")
        .isSubsetOf(known);
  }
}
