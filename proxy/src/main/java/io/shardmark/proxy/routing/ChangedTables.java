package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.TableName;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tables whose place or columns a transaction has changed, by their names without schema. The shard
 * map shows them as they were until the transaction has committed. Not for several threads.
 */
public final class ChangedTables {
  /** Actions of ALTER TABLE after which a route is what it was. */
  private static final Set<String> HARMLESS =
      Set.of("add owner validate cluster enable disable force replica".split(" ", -1));

  /** Tables that no text names are made by these, or dropped. */
  private static final Set<String> UNNAMED = Set.of("cascade", "extension", "import", "owned");

  /** What PREPARE made: its tables stand there. */
  private static final Pattern EXECUTE = Pattern.compile("\\bexecute\\b", Pattern.CASE_INSENSITIVE);

  private final Set<String> names = new HashSet<>();

  /**
   * Takes note of a DDL statement that was executed.
   *
   * @param map says which tables are in a schema
   * @return false: it may have changed others too
   */
  public boolean note(String ddl, ShardMap map) {
    List<Token> tokens = SqlLexer.tokens(ddl);
    Words words = new Words(ddl, tokens);
    switch (words.take().text()) {
      case "create" -> created(words);
      case "alter" -> {
        if (words.take("schema")) {
          inSchemas(words, map);
        } else {
          altered(words);
        }
      }
      case "drop" -> {
        if (words.take("schema")) {
          words.take("if", "exists");
          inSchemas(words, map);
        } else if (words.take("table")
            || words.take("view")
            || words.take("materialized", "view")) {
          words.take("if", "exists");
          list(words);
        } else {
          onTable(words);
        }
      }
      default -> {}
    }
    // CREATE SCHEMA may be followed by the CREATE TABLE of tables in it.
    return tokens.stream().noneMatch(token -> token.isName() && UNNAMED.contains(token.text()))
        && tokens.stream().skip(1).noneMatch(token -> token.isWord("create"));
  }

  /** Takes note of the tables that one of the maps has otherwise than the other. */
  public void noteDifferences(ShardMap one, ShardMap other) {
    noteDifferences(one.tables(), other.tables());
    noteDifferences(one.alone(), other.alone());
  }

  private <V> void noteDifferences(Map<TableName, V> one, Map<TableName, V> other) {
    for (Map<TableName, V> map : List.of(one, other)) {
      for (TableName table : map.keySet()) {
        if (!Objects.equals(one.get(table), other.get(table))) {
          names.add(table.name());
        }
      }
    }
  }

  /** Whether a statement that was planned with one map may be planned otherwise with the other. */
  public static boolean concern(String sql, ShardMap one, ShardMap other) {
    if (one.equals(other)) {
      return false;
    }
    ChangedTables changed = new ChangedTables();
    changed.noteDifferences(one, other);
    return !one.schemas().equals(other.schemas())
        || (!changed.names.isEmpty() && mentions(sql, changed.names));
  }

  /** One of the tables that the statement names, or null. */
  public @Nullable String in(String sql) {
    return names.isEmpty() ? null : first(sql, names);
  }

  /** Whether a statement names one of these tables, or may use it without naming it. */
  public static boolean mentions(String sql, Set<String> tables) {
    return EXECUTE.matcher(sql).find() || first(sql, tables) != null;
  }

  private static @Nullable String first(String sql, Set<String> tables) {
    for (Token token : SqlLexer.tokens(sql)) {
      if (token.isName() && tables.contains(token.text())) {
        return token.text();
      }
    }
    return null;
  }

  /** Their names without schema. */
  public Set<String> names() {
    return Set.copyOf(names);
  }

  /** Forgets all. */
  public void clear() {
    names.clear();
  }

  private void created(Words words) {
    words.take("or", "replace");
    words.take("unlogged");
    words.take("recursive");
    boolean table = words.take("table");
    if (!table && !words.take("view") && !words.take("materialized", "view")) {
      onTable(words);
      return;
    }
    words.take("if", "not", "exists");
    name(words);
    if (words.take("partition", "of")) {
      name(words);
    }
  }

  private void altered(Words words) {
    boolean table = words.take("table");
    if (!table && !words.take("view") && !words.take("materialized", "view")) {
      return;
    }
    words.take("if", "exists");
    words.take("only");
    String name = last(words);
    words.take("*");
    if (words.take("attach", "partition") || words.take("detach", "partition")) {
      names.add(name);
      name(words);
    } else if (!isHarmless(words)) {
      names.add(name);
      if (words.take("rename", "to")) {
        name(words);
      }
    }
  }

  private static boolean isHarmless(Words words) {
    if (HARMLESS.contains(words.peek().text())) {
      // ENABLE and DISABLE TRIGGER and RULE say what a change sets off.
      return !words.peek(1).isWord("trigger")
          && !words.peek(1).isWord("rule")
          && !words.peek(1).isWord("always")
          && !words.peek(1).isWord("replica");
    }
    if (!words.take("alter")) {
      return false;
    }
    words.take("column");
    words.name();
    return words.take("set", "not", "null")
        || words.take("drop", "not", "null")
        || words.take("set", "statistics")
        || words.take("set", "storage");
  }

  /** Triggers and rules: {@code ... ON table}, {@code ... ON event TO table}. */
  private void onTable(Words words) {
    boolean rule = words.peek().isWord("rule");
    if (!rule && !words.peek().isWord("trigger") && !words.peek().isWord("constraint")) {
      return;
    }
    String before = rule && !words.done() ? "to" : "on";
    while (!words.done()) {
      Token token = words.take();
      if (token.isWord(before) || (rule && token.isWord("on") && isTableOfDroppedRule(words))) {
        name(words);
        return;
      }
    }
  }

  private static boolean isTableOfDroppedRule(Words words) {
    return !List.of("select", "insert", "update", "delete").contains(words.peek().text());
  }

  /** Behind it another table may have the name, or the one that search_path comes to next. */
  private void inSchemas(Words words, ShardMap map) {
    do {
      String schema = words.name();
      for (TableName table : map.tables().keySet()) {
        if (table.schema().equals(schema)) {
          names.add(table.name());
        }
      }
    } while (words.take(","));
  }

  private void list(Words words) {
    do {
      words.take("only");
      name(words);
    } while (words.take(","));
  }

  private void name(Words words) {
    names.add(last(words));
  }

  /** The last part of a qualified name. */
  private static String last(Words words) {
    String name = words.name();
    while (words.take(".")) {
      name = words.name();
    }
    return name;
  }
}
