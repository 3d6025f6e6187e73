package io.shardmark.driver.sweep;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.driver.benchmarks.Benchmarks;
import io.shardmark.sql.embedded.EmbeddedConn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
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

  static final String CONN = "conn";

  public SweepRequest {
    databases = List.copyOf(databases);
    terminals = List.copyOf(terminals);
  }

  /**
   * One of the databases that are compared.
   *
   * @param name its folder, and its name in all tables
   * @param file the properties file as it was named
   * @param parameter its value of what the sweep varies, by key; empty if that is nothing
   * @param overrides keys that win over the file's, the parameter among them
   * @param properties of the file, with the overrides
   */
  public record SweepDatabase(
      String name,
      Path file,
      Map<String, String> parameter,
      Map<String, String> overrides,
      BenchmarkProperties properties) {

    /**
     * Reads the file.
     *
     * @param overrides of all databases
     * @param parameter of this one: a key, or an option of its embedded servers
     * @throws ConfigException if it cannot be read, or the parameter is neither
     */
    public static SweepDatabase read(
        String name, Path file, Map<String, String> overrides, Map<String, String> parameter) {
      Map<String, String> all = new LinkedHashMap<>(overrides);
      parameter.forEach(
          (key, value) ->
              Benchmarks.KEYS
                  .keyNamed(key)
                  .ifPresentOrElse(
                      known -> all.put(known, value),
                      () -> all.put(CONN, connWith(key, value, file, overrides))));
      return new SweepDatabase(
          name, file, parameter, all, BenchmarkProperties.read(Benchmarks.KEYS, file, all));
    }

    private static String connWith(
        String option, String value, Path file, Map<String, String> overrides) {
      ConnectionConfig connection =
          BenchmarkProperties.read(Benchmarks.KEYS, file, overrides).connection();
      if (!connection.isEmbedded()) {
        throw new ConfigException(
            "--param %s: no key of properties files%s, and conn in %s starts no servers that could have it as an option"
                .formatted(
                    option,
                    Benchmarks.KEYS
                        .keyLike(option)
                        .map(key -> " (did you mean '%s'?)".formatted(key))
                        .orElse(""),
                    file));
      }
      return EmbeddedConn.with(connection.url(), option, value);
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
