package io.shardmark.config;

import java.util.Set;

/**
 * A key of properties files: what reading, spelling hints, {@code --help} and {@code
 * docs/properties.md} say of it. Implemented by enums: {@link PropertyKey} has the keys of every
 * workload, each workload has one of its own. Immutable.
 */
public interface Key {
  /** The key as written in files, upper and lower case as here. */
  String key();

  /** Which values it takes. */
  KeyType type();

  /** The default, or what happens without the key; a number for keys that always have one. */
  String missing();

  /** What of the program reads it. */
  Set<KeyUse> uses();

  /** The first BenchmarkSQL version that has it, or Shardmark. */
  String since();

  /** What it does, in a few words. */
  String meaning();

  /** True if blanks at the end are part of the value. */
  default boolean keepsTrailingBlanks() {
    return false;
  }

  /** The key's row in the tables of {@code docs/properties.md}. */
  default String tableRow() {
    return "| `%s` | %s | %s | %s | %s | %s |"
        .formatted(key(), type().label(), missing(), KeyUse.label(uses()), since(), meaning());
  }
}
