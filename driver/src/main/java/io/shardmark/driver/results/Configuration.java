package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was in effect in a run: names with numbers, texts, truth values, or further names of one
 * group. The benchmark's settings follow those of every run.
 *
 * @param values by name; those of a group are a map again
 */
public record Configuration(@JsonValue Map<String, Object> values) {
  public static final Configuration NONE = new Configuration(Map.of());

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Configuration {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** The text of a value that is no group; empty if there is none. */
  public String text(String name) {
    Object value = values.get(name);
    return value == null || value instanceof Map ? "" : value.toString();
  }

  /** A number; 0 if there is none. */
  public double number(String name) {
    return number(values.get(name));
  }

  /** A whole number, to the last digit; 0 if there is none. */
  public long whole(String name) {
    return values.get(name) instanceof Number number ? number.longValue() : 0;
  }

  /** A number of a group; 0 if there is none. */
  public double number(String group, String name) {
    return number(group(group).get(name));
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : 0;
  }

  /**
   * All settings as texts; those of a group with its name in front ({@code mixPercent.x}), but for
   * pacing, whose names say it themselves. What was written in the properties file is not among
   * them.
   */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (!(value instanceof Map)) {
            texts.put(name, String.valueOf(value));
          }
        });
    group("pacing").forEach((name, value) -> texts.put(name.toString(), String.valueOf(value)));
    values.forEach(
        (group, value) -> {
          if (value instanceof Map<?, ?> members
              && !group.equals("pacing")
              && !group.equals("properties")) {
            members.forEach((name, one) -> texts.put(group + "." + name, String.valueOf(one)));
          }
        });
    return texts;
  }

  /** The members of a group; none if there is no such group. */
  public Map<?, ?> group(String name) {
    return values.get(name) instanceof Map<?, ?> group ? group : Map.of();
  }
}
