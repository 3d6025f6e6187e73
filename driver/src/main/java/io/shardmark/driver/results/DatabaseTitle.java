package io.shardmark.driver.results;

import java.util.Map;

/** A database as titles name it. */
public final class DatabaseTitle {
  private DatabaseTitle() {}

  /**
   * For example {@code postgres}, or {@code Citus 13.2 (PostgreSQL 15.20, 2 workers)}: what answers
   * there is not what the key {@code db} says.
   *
   * @param db the key; empty if it is not known
   * @param facts what the database said of itself
   */
  public static String of(String db, Map<String, String> facts) {
    String citus = facts.getOrDefault("citus", "");
    if (citus.isEmpty()) {
      return db;
    }
    String workers = facts.getOrDefault("citusNodes", "");
    return "Citus %s (%s %s%s)"
        .formatted(
            citus.replaceFirst("-.*", ""),
            facts.getOrDefault("product", ""),
            facts.getOrDefault("version", "").replaceFirst(" .*", ""),
            workers.isEmpty()
                ? ""
                : ", " + workers + (workers.equals("1") ? " worker" : " workers"));
  }
}
