package io.shardmark.driver.sweep;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.sql.embedded.EmbeddedConn;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a sweep is asked to do, checked against the properties files. Its plan keeps it: enough to
 * repeat it, and to see whether a later command asks for the same. Holds no password there.
 *
 * @param databases in the order they were named
 * @param terminals of a series; empty for a search
 * @param repeat how often each point of a series is run, from 1
 * @param settleSeconds pause before each run but the first
 * @param overrides keys that win over those of all files
 * @param search what to look for; null for a series
 * @param untilPercent how near the ends of a ratio's interval must come to it for the series to
 *     end, in percent of it; 0 runs every repetition
 */
public record SweepRequest(
    List<SweepDatabase> databases,
    List<Integer> terminals,
    int repeat,
    double settleSeconds,
    BuildMode build,
    boolean verify,
    Map<String, String> overrides,
    @Nullable SearchRequest search,
    double untilPercent) {

  static final String CONN = "conn";

  public SweepRequest {
    databases = List.copyOf(databases);
    terminals = List.copyOf(terminals);
    overrides = new TreeMap<>(overrides);
  }

  Duration settle() {
    return Duration.ofMillis(Math.round(settleSeconds * 1000));
  }

  /** The database of this name. */
  SweepDatabase database(String name) {
    return databases.stream().filter(one -> one.name.equals(name)).findFirst().orElseThrow();
  }

  /** The same of the properties files as they are now. */
  SweepRequest again() {
    return new SweepRequest(
        databases.stream()
            .map(one -> SweepDatabase.read(one.name, one.path(), overrides, one.parameter))
            .toList(),
        terminals,
        repeat,
        settleSeconds,
        build,
        verify,
        overrides,
        search,
        untilPercent);
  }

  /**
   * The points of a series in the order they are run, none of a search: repetition by repetition,
   * in each the terminals as they were given, in each of those every database. Which database goes
   * first changes from one number of terminals to the next and from one repetition to the next, so
   * that a machine that gets slower or faster with time does it to all of them.
   */
  List<Point> points() {
    List<Point> points = new ArrayList<>();
    int planned = untilPercent > 0 ? Math.min(repeat, Limits.FEWEST_REPETITIONS) : repeat;
    for (int repetition = 1; repetition <= planned; repetition++) {
      points.addAll(points(repetition));
    }
    return points;
  }

  /** Those of one repetition. */
  List<Point> points(int repetition) {
    List<Point> points = new ArrayList<>();
    for (int index = 0; index < terminals.size(); index++) {
      List<SweepDatabase> order = new ArrayList<>(databases);
      Collections.rotate(order, -(repetition - 1 + index));
      for (SweepDatabase database : order) {
        points.add(
            new Point(
                database.name(), Point.PointKind.SERIES, terminals.get(index), 0, 0, repetition));
      }
    }
    return points;
  }

  /**
   * @throws ConfigException if that is something else, naming the first difference
   */
  void requireSame(SweepRequest now, String directory) {
    Map<String, Object> asked = now.asked();
    asked()
        .forEach(
            (what, then) -> {
              if (!then.equals(asked.get(what))) {
                throw new ConfigException(
                    "%s: the sweep there was begun with %s %s, this one has %s: expected the same, or another --output"
                        .formatted(directory, what, then, asked.get(what)));
              }
            });
    for (int i = 0; i < databases.size(); i++) {
      if (!databases.get(i).sha256().equals(now.databases().get(i).sha256())) {
        throw new ConfigException(
            "%s: the sweep there was begun with other properties than %s has now: expected the same, or another --output"
                .formatted(directory, now.databases().get(i).file()));
      }
    }
  }

  /** What must be the same, as messages name it. */
  private Map<String, Object> asked() {
    Map<String, Object> asked = new LinkedHashMap<>();
    asked.put("databases", databases.stream().map(SweepDatabase::name).toList());
    asked.put("keys", overrides);
    asked.put("--terminals", terminals);
    asked.put("--repeat", repeat);
    asked.put("--settle in seconds", settleSeconds);
    asked.put("--build", build);
    asked.put("verification", verify);
    asked.put("--search", String.valueOf(search));
    asked.put("--until in percent", untilPercent);
    return asked;
  }

  /**
   * One of the databases that are compared.
   *
   * @param name its folder, and its name in all tables
   * @param file the properties file as it was named
   * @param parameter its value of what the sweep varies, by key; empty if that is nothing
   * @param sha256 of the file and the overrides, passwords left out
   * @param overrides keys that win over the file's, the parameter among them; in no plan
   */
  public record SweepDatabase(
      String name,
      String file,
      Map<String, String> parameter,
      String sha256,
      @JsonIgnore Map<String, String> overrides) {

    public SweepDatabase {
      // Plans that were begun before there were parameters have none.
      parameter = parameter == null ? Map.of() : Map.copyOf(parameter);
      overrides = overrides == null ? Map.of() : overrides;
    }

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
      String text = BenchmarkProperties.read(Benchmarks.KEYS, file, all).maskedText();
      return new SweepDatabase(name, file.toString(), parameter, sha256(text), all);
    }

    private static String sha256(String text) {
      try {
        return HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.ISO_8859_1)));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }

    Path path() {
      return Path.of(file);
    }

    /** Of the file, with the overrides. */
    BenchmarkProperties properties() {
      return with(Map.of());
    }

    /** The same with keys that win over all of these. */
    BenchmarkProperties with(Map<String, String> keys) {
      Map<String, String> all = new LinkedHashMap<>(overrides);
      all.putAll(keys);
      return BenchmarkProperties.read(Benchmarks.KEYS, path(), all);
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
   * @param to the greatest value; 0 is what is loaded, or 10,000 terminals
   * @param step from the least in steps of so many; 0 is any, to about a twentieth
   * @param holdPercent what share of the maximum is held afterwards; 0: no hold
   */
  public record SearchRequest(SearchGoal goal, int from, int to, int step, int holdPercent) {}
}
