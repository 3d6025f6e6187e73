package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoadConfigTest {
  private static BenchmarkProperties parse(String text) {
    return BenchmarkProperties.parse(
        TestCatalog.TPCC, Path.of("props.pg"), text.replace(';', '\n'), Map.of());
  }

  @Test
  void needsOnlyWarehouses() {
    BenchmarkProperties properties = parse("warehouses=7");

    LoadConfig load = properties.load();

    assertThat(load)
        .isEqualTo(
            new LoadConfig(
                4, Optional.empty(), "NULL", load.seed(), true, LoadDirect.AUTO, true, 16));
    assertThat(load.seed()).as("drawn once").isEqualTo(properties.load().seed());
  }

  @Test
  void drawsAnotherSeedEachTime() {
    assertThat(parse("warehouses=1").load().seed())
        .isNotEqualTo(parse("warehouses=1").load().seed());
  }

  @Test
  void takesEveryKey() {
    LoadConfig load =
        parse(
                "warehouses=10;warehouseFrom=3;warehouseTo=5;loadWorkers=2;"
                    + "fileLocation=csv/run_ ;csvNullValue=;seed=-9000000000")
            .load();

    assertThat(load)
        .isEqualTo(
            new LoadConfig(
                2, Optional.of("csv/run_"), "", -9_000_000_000L, false, LoadDirect.AUTO, true, 16));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          terminals=2;loadWorkers=0    | props.pg:2: loadWorkers=0: expected a whole number from 1 to 1024
          terminals=2;loadWorkers=1025 | props.pg:2: loadWorkers=1025: expected a whole number from 1 to 1024
          terminals=2;seed=now         | props.pg:2: seed=now: expected a whole number of at most 64 bits
          """)
  void refuses(String lines, String message) {
    assertThatThrownBy(() -> parse(lines).load())
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @Test
  void trailingBlanksDoNotMatter() {
    assertThat(parse("warehouses=2 \t\r\nloadWorkers=3  ").load().workers()).isEqualTo(3);
  }
}
