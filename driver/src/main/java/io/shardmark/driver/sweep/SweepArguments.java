package io.shardmark.driver.sweep;

import io.shardmark.config.ConfigException;
import io.shardmark.config.UsageException;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The words of a sweep's command line that are no options: properties files, each with a name of
 * its own, then keys and values that hold for all of them.
 *
 * @param files by name, in their order
 * @param overrides by key, as files write it
 */
public record SweepArguments(Map<String, Path> files, Map<String, String> overrides) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern PARAMETER =
      Pattern.compile("([A-Za-z][\\w.]*)=([\\w.-]{1,40}(?:,[\\w.-]{1,40})*)");

  /** What says which database it is belongs into its file; the others the sweep sets. */
  public static final Set<String> NOT_HERE =
      Set.of(
          "db",
          "driver",
          "conn",
          "user",
          "password",
          "terminals",
          "resultDirectory",
          "openLoopTxnsPerMin");

  /**
   * Files come first: the first word that is the name of a key begins the keys and values.
   *
   * @throws ConfigException if a file is not there
   * @throws UsageException if a key is unknown, or two names are the same
   */
  public static SweepArguments parse(List<String> words) {
    SweepArguments parsed = parseAny(words);
    if (parsed.files.isEmpty()) {
      throw new UsageException("sweep: no properties file is named: expected one or more");
    }
    return parsed;
  }

  /** The same with no file at all, perhaps. */
  public static SweepArguments parseAny(List<String> words) {
    int keys = 0;
    while (keys < words.size() && Benchmarks.KEYS.keyNamed(words.get(keys)).isEmpty()) {
      keys++;
    }
    Map<String, Path> files = new LinkedHashMap<>();
    for (String word : words.subList(0, keys)) {
      addFile(word, files);
    }
    return new SweepArguments(files, overrides(words.subList(keys, words.size())));
  }

  private static void addFile(String word, Map<String, Path> files) {
    int equals = word.indexOf('=');
    boolean named = equals > 0 && !Files.exists(Path.of(word));
    Path file = Path.of(named ? word.substring(equals + 1) : word);
    if (!Files.isRegularFile(file)) {
      if (word.contains("/")) {
        throw new ConfigException(file + ": no such file");
      }
      throw new UsageException(
          "%s: no such file, nor a key of properties files%s".formatted(file, like(word)));
    }
    String name = named ? word.substring(0, equals) : nameOf(file);
    if (!NAME.matcher(name).matches() || SweepDirectory.TAKEN.contains(name)) {
      throw new UsageException(
          "%s: '%s' cannot be the name of a database here: expected letters, digits, '.', '_' or '-', and none of logs, aside, hold; NAME=%s gives it another"
              .formatted(word, name, file));
    }
    Path before = files.put(name, file);
    if (before != null) {
      throw new UsageException(
          "%s and %s would both be '%s': expected different names; NAME=%s gives one another"
              .formatted(before, file, name, file));
    }
  }

  private static String like(String word) {
    return Benchmarks.KEYS
        .keyLike(word)
        .map(key -> ": did you mean '%s'?".formatted(key))
        .orElse("");
  }

  /** {@code props.pg} and {@code pg.properties} are pg. */
  private static String nameOf(Path file) {
    String name = String.valueOf(file.getFileName());
    String base = name.startsWith("props.") ? name.substring("props.".length()) : name;
    String end = ".properties";
    return base.endsWith(end) && base.length() > end.length()
        ? base.substring(0, base.length() - end.length())
        : base;
  }

  /**
   * @throws UsageException if only the file or the sweep itself can set that key
   */
  private static void requireFree(String where, String key) {
    if (NOT_HERE.stream().anyMatch(key::equalsIgnoreCase)) {
      throw new UsageException(
          "%s: key '%s' cannot be set for a whole sweep: %s"
              .formatted(
                  where,
                  key,
                  key.equalsIgnoreCase("terminals")
                      ? "expected --terminals N,N,..."
                      : "the properties file or the sweep itself sets it"));
    }
  }

  /**
   * The databases: one for each file, or for each file and value of what is varied.
   *
   * @param parameter {@code KEY=VALUE,VALUE,...}, a key of properties files or an option of {@code
   *     conn=embedded:...}; null if nothing is varied
   * @throws UsageException if it is not of that form
   * @throws ConfigException if a file cannot be read
   */
  public List<SweepDatabase> databases(@Nullable String parameter) {
    List<SweepDatabase> databases = new ArrayList<>();
    if (parameter == null) {
      files.forEach(
          (name, file) -> databases.add(SweepDatabase.read(name, file, overrides, Map.of())));
      return databases;
    }
    Matcher matcher = PARAMETER.matcher(parameter);
    List<String> values = matcher.matches() ? List.of(matcher.group(2).split(",", -1)) : List.of();
    if (values.isEmpty() || new HashSet<>(values).size() < values.size()) {
      throw new UsageException(
          "--param %s: expected KEY=VALUE,VALUE,... with different values of letters, digits, '.', '_' or '-', such as shards=1,2,4"
              .formatted(parameter));
    }
    String key = matcher.group(1);
    requireFree("--param", key);
    if (overrides.keySet().stream().anyMatch(key::equalsIgnoreCase)) {
      throw new UsageException(
          "--param %s: this key also follows the files: expected it once".formatted(key));
    }
    files.forEach(
        (name, file) ->
            values.forEach(
                value ->
                    databases.add(
                        SweepDatabase.read(
                            "%s-%s-%s".formatted(name, key, value),
                            file,
                            overrides,
                            Map.of(key, value)))));
    return databases;
  }

  private static Map<String, String> overrides(List<String> words) {
    Map<String, String> overrides = new LinkedHashMap<>();
    for (int i = 0; i < words.size(); i += 2) {
      String word = words.get(i);
      Optional<String> key = Benchmarks.KEYS.keyNamed(word);
      if (key.isEmpty()) {
        throw new UsageException("command line: unknown key '%s'%s".formatted(word, like(word)));
      }
      requireFree("command line", key.get());
      if (i + 1 == words.size()) {
        throw new UsageException("command line: key '%s' has no value".formatted(key.get()));
      }
      if (overrides.put(key.get(), words.get(i + 1)) != null) {
        throw new UsageException("command line: key '%s' is given twice".formatted(key.get()));
      }
    }
    return overrides;
  }
}
