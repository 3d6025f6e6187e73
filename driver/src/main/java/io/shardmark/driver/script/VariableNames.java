package io.shardmark.driver.script;

import io.shardmark.config.ConfigException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The variables of all files of a run, gathered while these are read. */
final class VariableNames {
  static final String SCALE = "scale";
  static final String CLIENT_ID = "client_id";
  static final String RANDOM_SEED = "random_seed";
  static final String DEFAULT_SEED = "default_seed";

  private final Map<String, String> firstReads = new LinkedHashMap<>();
  private final Set<String> set = new HashSet<>();
  private boolean anySetByQuery;

  VariableNames(Set<String> given) {
    set.addAll(Set.of(SCALE, CLIENT_ID, RANDOM_SEED, DEFAULT_SEED));
    set.addAll(given);
  }

  void set(String name) {
    set.add(name);
  }

  /** Which ones a query sets is not known before it runs. */
  void setByQuery() {
    anySetByQuery = true;
  }

  /**
   * The variable is used.
   *
   * @param place file and line
   */
  void read(String name, String place) {
    firstReads.putIfAbsent(name, place);
  }

  boolean isRead(String name) {
    return firstReads.containsKey(name);
  }

  /** True if it is set or used in what has been read so far. */
  boolean isKnown(String name) {
    return set.contains(name) || isRead(name);
  }

  /**
   * Asked when all files are read: a session keeps its variables from one script to the next.
   *
   * @throws ConfigException if a variable that is used is set nowhere
   */
  void requireAllSet() {
    firstReads.forEach(
        (name, place) -> {
          if (!set.contains(name) && !anySetByQuery) {
            throw new ConfigException(
                "%s: the variable :%s is set nowhere: expected \\set %s or %s=%s=..."
                    .formatted(place, name, name, ScriptMix.VARIABLES.key(), name));
          }
        });
  }

  static boolean isName(String text) {
    return text.matches("[\\p{L}_][\\p{L}\\d_]*");
  }
}
