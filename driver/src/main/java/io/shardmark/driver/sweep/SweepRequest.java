package io.shardmark.driver.sweep;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.benchmarks.Benchmarks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a sweep is asked to do, checked against the properties files.
 *
 * @param databases in the order they were named
 * @param terminals of a series; empty for a search
 * @param repeat how often each point of a series is run, from 1
 * @param settle pause before each run but the first
 * @param build when databases are built
 * @param verify whether the data is checked after each run
 * @param overrides keys that win over those of all files
 * @param search what to look for; empty for a series
 */
public record SweepRequest(
    List<SweepDatabase> databases,
    List<Integer> terminals,
    int repeat,
    Duration settle,
    BuildMode build,
    boolean verify,
    Map<String, String> overrides,
    Optional<SearchRequest> search) {

  public SweepRequest {
    databases = List.copyOf(databases);
    terminals = List.copyOf(terminals);
  }

  /**
   * One of the databases that are compared.
   *
   * @param name its folder, and its name in all tables
   * @param file the properties file as it was named
   * @param overrides keys that win over the file's
   * @param properties of the file, with the overrides
   */
  public record SweepDatabase(
      String name, Path file, Map<String, String> overrides, BenchmarkProperties properties) {

    /**
     * Reads the file.
     *
     * @throws io.shardmark.config.ConfigException if it cannot be read
     */
    public static SweepDatabase read(String name, Path file, Map<String, String> overrides) {
      return new SweepDatabase(
          name, file, overrides, BenchmarkProperties.read(Benchmarks.KEYS, file, overrides));
    }
  }

  /**
   * What is looked for.
   *
   * @param from the least value
   * @param to the greatest value; 0 is what is loaded, or 10,000 terminals
   * @param step from the least in steps of so many; 0 is any, to about a twentieth
   * @param holdPercent what share of the maximum is held afterwards; 0 is none
   */
  public record SearchRequest(SearchGoal goal, int from, int to, int step, int holdPercent) {}
}
