package io.shardmark.config;

import java.util.Set;

/**
 * A key of properties files: what reading, spelling hints, {@code --help} and {@code
 * docs/properties.md} say of it. Implemented by enums: {@link PropertyKey} has the keys of every
 * workload, one for each workload. Immutable.
 */
public interface Key {
  /**
   * What is said of a key.
   *
   * @param key as written in files, upper and lower case as here
   * @param type which values it takes
   * @param missing the default, or what happens without the key; a number for keys that always have
   *     one
   * @param uses what of the program reads it
   * @param since the first BenchmarkSQL version that has it, or Shardmark
   * @param meaning what it does, in a few words
   */
  record Traits(
      String key, KeyType type, String missing, Set<KeyUse> uses, String since, String meaning) {
    /** Those of a key that BenchmarkSQL does not have. */
    public Traits(String key, KeyType type, String missing, Set<KeyUse> uses, String meaning) {
      this(key, type, missing, uses, "Shardmark", meaning);
    }
  }

  /** All that is said of it. */
  Traits traits();

  /** The key as written in files. */
  default String key() {
    return traits().key();
  }

  /** Which values it takes. */
  default KeyType type() {
    return traits().type();
  }

  /** The default, or what happens without the key. */
  default String missing() {
    return traits().missing();
  }

  /** What of the program reads it. */
  default Set<KeyUse> uses() {
    return traits().uses();
  }

  /** The first BenchmarkSQL version that has it, or Shardmark. */
  default String since() {
    return traits().since();
  }

  /** What it does, in a few words. */
  default String meaning() {
    return traits().meaning();
  }

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
