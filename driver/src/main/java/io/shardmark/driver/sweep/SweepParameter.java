package io.shardmark.driver.sweep;

import io.shardmark.config.UsageException;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a sweep varies beside the terminals. Each properties file makes a database for each value.
 *
 * @param key of properties files, or an option of {@code conn=embedded:...}
 */
public record SweepParameter(String key, List<String> values) {
  private static final Pattern KEY = Pattern.compile("[A-Za-z][A-Za-z0-9._]*");
  private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9._-]{1,40}");

  public SweepParameter {
    values = List.copyOf(values);
  }

  /**
   * @param text {@code KEY=VALUE,VALUE,...}
   * @throws UsageException if it is not of that form
   */
  public static SweepParameter parse(String text) {
    int equals = text.indexOf('=');
    String key = equals < 0 ? "" : text.substring(0, equals);
    List<String> values = List.of(text.substring(equals + 1).split(",", -1));
    if (!KEY.matcher(key).matches()
        || values.stream().anyMatch(value -> !VALUE.matcher(value).matches())
        || values.stream().distinct().count() < values.size()) {
      throw new UsageException(
          "--param %s: expected KEY=VALUE,VALUE,... with different values of letters, digits, '.', '_' or '-', such as shards=1,2,4"
              .formatted(text));
    }
    SweepArguments.requireFree("--param", key);
    return new SweepParameter(key, values);
  }

  /** The databases that a file makes, named by it and their values. */
  List<SweepDatabase> databases(String name, Path file, Map<String, String> overrides) {
    if (overrides.keySet().stream().anyMatch(key::equalsIgnoreCase)) {
      throw new UsageException(
          "--param %s: the same key stands behind the files: expected it once".formatted(key));
    }
    return values.stream()
        .map(
            value ->
                SweepDatabase.read(
                    "%s-%s-%s".formatted(name, key, value), file, overrides, Map.of(key, value)))
        .toList();
  }
}
