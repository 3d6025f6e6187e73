package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.SqlLexer;
import io.shardmark.proxy.sql.Token;
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
  /** What PREPARE made: its tables are there. */
  private static final Pattern EXECUTE = Pattern.compile("\\bexecute\\b", Pattern.CASE_INSENSITIVE);

  private final Set<String> names = new HashSet<>();

  /** Takes note of those that a statement has changed. */
  public void note(Set<String> changed) {
    names.addAll(changed);
  }

  /** Takes note of the tables that one of the maps has otherwise than the other. */
  public void noteDifferences(ShardMap one, ShardMap other) {
    noteDifferences(one.tables(), other.tables());
    for (NameSpace space : NameSpace.values()) {
      noteDifferences(one.names(space), other.names(space));
    }
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
}
