package io.shardmark.driver.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.Key;
import io.shardmark.config.PropertyKey;
import io.shardmark.driver.benchmarks.Benchmarks;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for every benchmark of the list. */
final class BenchmarksTest {
  @Test
  void eachHasAKeyOfItsOwn() {
    assertThat(Benchmarks.ALL).extracting(Benchmark::key).doesNotHaveDuplicates();
    assertThat(Benchmarks.ALL).allMatch(benchmark -> Benchmarks.of(benchmark.key()) == benchmark);
    assertThat(PropertyKey.WORKLOAD.missing()).isEqualTo(Benchmarks.ALL.get(0).key());
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
