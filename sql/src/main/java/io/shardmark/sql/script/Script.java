package io.shardmark.sql.script;

import java.util.Map;

/**
 * A script as found.
 *
 * @param location where it is from, for headers and errors: a path, or {@code sql.x/y.sql (built
 *     in)}
 * @param text its whole text
 * @param included texts that replace lines of it, by these lines
 */
public record Script(String location, String text, Map<String, String> included) {
  public Script {
    included = Map.copyOf(included);
  }

  /** One that includes nothing. */
  public Script(String location, String text) {
    this(location, text, Map.of());
  }
}
