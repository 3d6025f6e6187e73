package io.shardmark.driver.benchmark;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.registry.Benchmarks;
import java.nio.file.Path;
import java.util.Map;

/** Properties of tests, to which the connection matters little. */
public final class TestProperties {
  private static final String CONNECTION =
      """
      db=postgres
      driver=org.postgresql.Driver
      conn=jdbc:postgresql://127.0.0.1/x
      user=u
      password=p
      """;

  private TestProperties() {}

  /** Of a connection and further lines. */
  public static BenchmarkProperties of(String more) {
    return of(more, Map.of());
  }

  /**
   * @param overrides that win over the connection and the further lines
   */
  public static BenchmarkProperties of(String more, Map<String, String> overrides) {
    return BenchmarkProperties.parse(
        Benchmarks.KEYS, Path.of("props"), CONNECTION + more, overrides);
  }
}
