package io.shardmark.loader.keys;

import io.shardmark.sql.script.ScriptPart.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement of a script with what is known about it. Only the shapes of the built-in scripts are
 * recognised, as a whole; everything else is {@link TaskKind#OTHER} and runs alone, in its place.
 *
 * @param locks on tables while it runs
 * @param weight about how many rows of a warehouse it reads; long statements start first
 */
record ScriptTask(Statement statement, TaskKind kind, List<TableLock> locks, int weight) {
  enum TaskKind {
    /** A primary key, unique key or index, or the statistics of a table's columns. */
    KEY,
    /** Needs the keys and statistics of both its tables. */
    FOREIGN_KEY,
    /** The vacuum of one table. */
    VACUUM,
    /** Anything: runs after all before it and before all after it. */
    OTHER
  }

  private static final String NAME = "([a-z_][a-z0-9_$.]*)";
  private static final String COLUMNS = "\\([^()]*\\)";
  private static final String ADD = " add (?:constraint [a-z_][a-z0-9_$]* )?";
  private static final Pattern PRIMARY_KEY =
      Pattern.compile("alter table (?:only )?" + NAME + ADD + "(?:primary key|unique) ?" + COLUMNS);
  private static final Pattern STATISTICS = Pattern.compile("analyze " + NAME + " ?" + COLUMNS);
  private static final Pattern INDEX =
      Pattern.compile(
          "create (?:unique )?index (?:[a-z_][a-z0-9_$]* )?on " + NAME + " ?" + COLUMNS);
  private static final Pattern FOREIGN_KEY =
      Pattern.compile(
          "alter table (?:only )?"
              + NAME
              + ADD
              + "foreign key ?"
              + COLUMNS
              + " references "
              + NAME
              + " ?"
              + COLUMNS);

  /** Rows of a warehouse; of items, all rows. */
  private static final Map<String, Integer> WEIGHTS =
      Map.of(
          "bmsql_order_line", 300_000,
          "bmsql_stock", 100_000,
          "bmsql_customer", 40_000,
          "bmsql_oorder", 30_000,
          "bmsql_history", 30_000,
          "bmsql_new_order", 9_000,
          "bmsql_item", 8_000,
          "bmsql_district", 10);

  ScriptTask {
    locks = List.copyOf(locks);
  }

  static ScriptTask of(Statement statement) {
    String text = statement.text().strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    Matcher primaryKey = PRIMARY_KEY.matcher(text);
    if (primaryKey.matches()) {
      return task(statement, TaskKind.KEY, exclusive(primaryKey.group(1)));
    }
    Matcher statistics = STATISTICS.matcher(text);
    if (statistics.matches()) {
      return task(statement, TaskKind.KEY, exclusive(statistics.group(1)));
    }
    Matcher index = INDEX.matcher(text);
    if (index.matches()) {
      return task(
          statement, TaskKind.KEY, new TableLock(index.group(1), TableLock.LockMode.SHARED));
    }
    Matcher foreignKey = FOREIGN_KEY.matcher(text);
    if (foreignKey.matches()) {
      return task(
          statement,
          TaskKind.FOREIGN_KEY,
          exclusive(foreignKey.group(1)),
          exclusive(foreignKey.group(2)));
    }
    return task(statement, TaskKind.OTHER);
  }

  /** True if the statement is a vacuum with analyze of the whole database. */
  static boolean isVacuumOfAll(Statement statement) {
    return statement.text().strip().replaceAll("\\s+", " ").equalsIgnoreCase("vacuum analyze");
  }

  /**
   * The vacuum of one table.
   *
   * @param pages size of the table, its weight among the other vacuums
   */
  static ScriptTask vacuum(int line, String quotedTable, int pages) {
    return new ScriptTask(
        new Statement(line, "vacuum analyze " + quotedTable),
        TaskKind.VACUUM,
        List.of(exclusive(quotedTable)),
        pages);
  }

  boolean conflictsWith(ScriptTask other) {
    return locks.stream().anyMatch(lock -> other.locks.stream().anyMatch(lock::conflictsWith));
  }

  boolean sharesTableWith(ScriptTask other) {
    return locks.stream()
        .anyMatch(
            lock -> other.locks.stream().anyMatch(theirs -> lock.table().equals(theirs.table())));
  }

  private static TableLock exclusive(String table) {
    return new TableLock(table, TableLock.LockMode.EXCLUSIVE);
  }

  /** The first table is the one whose rows are read. */
  private static ScriptTask task(Statement statement, TaskKind kind, TableLock... locks) {
    int weight = locks.length == 0 ? 0 : WEIGHTS.getOrDefault(locks[0].table(), 0);
    return new ScriptTask(statement, kind, List.of(locks), weight);
  }
}
