package io.shardmark.driver.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.Key;
import io.shardmark.config.PropertyKey;
import io.shardmark.driver.registry.Benchmarks;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for every benchmark of the list. */
final class BenchmarksTest {
  @Test
  void eachHasAKeyOfItsOwn() {
    assertThat(Benchmarks.ALL).extracting(Benchmark::key).doesNotHaveDuplicates();
    assertThat(Benchmarks.ALL)
        .allMatch(benchmark -> Benchmarks.of(of(benchmark, "postgres")) == benchmark);
    assertThat(PropertyKey.WORKLOAD.missing()).isEqualTo(Benchmarks.ALL.get(0).key());
  }

  private static BenchmarkProperties of(Benchmark benchmark, String db) {
    return BenchmarkProperties.parse(
        Benchmarks.KEYS,
        Path.of("props"),
        "conn=jdbc:x:y\ndriver=x\nuser=a\npassword=b\n",
        Map.of("workload", benchmark.key(), "db", db));
  }

  @Test
  void isRefusedWithADatabaseThatItHasNothingFor() {
    for (Benchmark benchmark : Benchmarks.ALL) {
      for (DatabaseKind kind : DatabaseKind.values()) {
        BenchmarkProperties properties = of(benchmark, kind.propertyName());
        if (!benchmark.databases().contains(kind)) {
          assertThatThrownBy(() -> Benchmarks.of(properties))
              .isInstanceOf(ConfigException.class)
              .hasMessageContaining("db=" + kind.propertyName() + ": expected db=");
        }
      }
    }
  }

  @Test
  void itsKeysAreNoneOfThoseThatEveryWorkloadHas() {
    for (Benchmark benchmark : Benchmarks.ALL) {
      assertThat(benchmark.keys()).extracting(Key::key).doesNotHaveDuplicates();
      assertThat(benchmark.keys())
          .extracting(Key::key)
          .doesNotContainAnyElementsOf(
              Stream.of(PropertyKey.values()).map(PropertyKey::key).toList());
    }
  }
}
