package io.shardmark.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The values of the key {@code db}; each has a folder {@code sql.<name>} of scripts and a folder
 * {@code lib/<name>} of JDBC drivers.
 */
public enum DatabaseKind {
  POSTGRES,
  ORACLE,
  MYSQL,
  MARIADB,
  FIREBIRD;

  /** The name as written in properties files and folder names: lower case. */
  public String propertyName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Finds a database by its name.
   *
   * @param text a value of the key {@code db}, compared exactly as BenchmarkSQL's scripts do
   * @throws IllegalArgumentException if no database of that name is supported; the message lists
   *     the supported names
   */
  public static DatabaseKind of(String text) {
    for (DatabaseKind kind : values()) {
      if (kind.propertyName().equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(
        "one of "
            + Arrays.stream(values())
                .map(DatabaseKind::propertyName)
                .collect(Collectors.joining(", ")));
  }
}
