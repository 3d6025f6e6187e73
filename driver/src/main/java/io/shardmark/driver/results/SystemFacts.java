package io.shardmark.driver.results;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The names under which {@link RunResult#database} has what the system under test was when the run
 * began, and what of it two runs must have in common.
 */
public final class SystemFacts {
  /** Before the name of each setting that is not the server's default. */
  public static final String SETTING = "setting.";

  /** How many those are; not there if nobody read them. */
  public static final String SETTINGS = "settings";

  /** Before the name of each setting that decides what a transaction is promised. */
  public static final String GUARANTEE = "guarantee.";

  public static final String EXTENSIONS = "extensions";

  /** How many keys and indexes the benchmark's tables have. */
  public static final String KEYS = "keys";

  /** By name, of those that a build makes; the first may be {@link #BUILD_UNFINISHED}. */
  public static final String KEYS_MISSING = "keysMissing";

  /** In place of names of keys: the build did not come to its last step. */
  public static final String BUILD_UNFINISHED = "the build did not end";

  /** By definition. */
  public static final String KEYS_EXTRA = "keysExtra";

  /** Tables that are unlogged or have their own options. */
  public static final String TABLES = "tables";

  public static final String BYTES_AT_START = "bytesAtStart";

  /** Of TPC-C: orders in the database before the first terminal. */
  public static final String HEADLINES_AT_START = "ordersAtStart";

  /** Of Citus: nodes that did not answer their coordinator when the run was over; else absent. */
  public static final String NODES_LOST = "citusNodesLost";

  /** Open before the run's own. */
  public static final String OTHER_SESSIONS = "otherSessionsAtStart";

  /**
   * Of {@link RunResult#databaseFigures}: what the main metric counts, as the database has it; with
   * {@code _increase} that of the interval.
   */
  public static final String HEADLINES = "orders";

  /** Between the parts of a text. */
  public static final String BETWEEN = "; ";

  private static final String NOT_READABLE = "not readable";

  private SystemFacts() {}

  /** Settings as a condition: {@code fsync=off; work_mem=64MB}; empty if they are not known. */
  public static String settings(Map<String, String> database) {
    if (isUnknown(database, SETTINGS)) {
      return "";
    }
    Map<String, String> settings = new TreeMap<>();
    database.forEach(
        (name, text) -> {
          if (name.startsWith(SETTING)) {
            settings.put(name.substring(SETTING.length()), text);
          }
        });
    List<String> texts = new ArrayList<>();
    settings.forEach((name, text) -> texts.add(name + "=" + text));
    return texts.isEmpty() ? "all default" : String.join(BETWEEN, texts);
  }

  /** Keys, indexes and kinds of tables as a condition; empty if they are not known. */
  public static String tables(Map<String, String> database) {
    if (isUnknown(database, KEYS)) {
      return "";
    }
    List<String> texts = new ArrayList<>();
    add(texts, "without ", database.getOrDefault(KEYS_MISSING, ""));
    add(texts, "with ", database.getOrDefault(KEYS_EXTRA, ""));
    add(texts, "", database.getOrDefault(TABLES, ""));
    return texts.isEmpty() ? "as built" : String.join(BETWEEN, texts);
  }

  private static void add(List<String> texts, String before, String parts) {
    for (String part : parts.isEmpty() ? new String[0] : parts.split(BETWEEN)) {
      texts.add(before + part);
    }
  }

  /** Extensions as a condition; empty if they are not known. */
  public static String extensions(Map<String, String> database) {
    String text = database.getOrDefault(EXTENSIONS, "");
    return isUnknown(database, SETTINGS) || text.startsWith(NOT_READABLE)
        ? ""
        : text.isEmpty() ? "none" : text;
  }

  private static boolean isUnknown(Map<String, String> database, String name) {
    return database.getOrDefault(name, NOT_READABLE).startsWith(NOT_READABLE);
  }
}
