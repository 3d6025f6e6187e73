package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Column.Filling;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.sql.Syntax.Assignment;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.Insert;
import io.shardmark.proxy.sql.Syntax.Statement;
import io.shardmark.proxy.sql.Syntax.Update;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what would make the copies of a reference table differ though every shard is sent the
 * same statement: defaults, triggers, and where a row lies.
 */
public record ReferenceChange(TokenRange tokens, Table table) {
  /**
   * What each shard does alone with the change, followed by "may differ between shards", or null.
   *
   * @param width how many columns the source of an INSERT without a list of columns gives; negative
   *     if that is not known
   */
  @Nullable String reaction(Statement statement, int width) {
    String filling = filling(statement, width, Set.of(Filling.MAY_WRITE));
    if (statement instanceof Insert insert) {
      String updated = conflictUpdates(insert) ? reaction(RowChange.UPDATE) : null;
      return first(first(reaction(RowChange.INSERT), updated), filling);
    }
    boolean updates = statement instanceof Update;
    return first(reaction(updates ? RowChange.UPDATE : RowChange.DELETE), filling);
  }

  /**
   * What a server fills in that may differ, or null.
   *
   * @param width as for {@link #reaction}
   */
  @Nullable String filling(Statement statement, int width) {
    return filling(statement, width, Set.of(Filling.MAY_DIFFER));
  }

  private @Nullable String filling(Statement statement, int width, Set<Filling> kinds) {
    List<Column> filled =
        table.columns().stream().filter(column -> kinds.contains(column.filling())).toList();
    if (filled.isEmpty()) {
      return null;
    }
    if (statement instanceof Insert insert) {
      return omitted(insert, width, filled);
    }
    return statement instanceof Update update ? assigned(update.assignments(), filled) : null;
  }

  private static @Nullable String first(@Nullable String one, @Nullable String other) {
    return one == null ? other : one;
  }

  private @Nullable String reaction(RowChange change) {
    return table.reactions().contains(change)
        ? "what a trigger or rule of table " + table.name() + " does"
        : null;
  }

  private boolean conflictUpdates(Insert insert) {
    return tokens.hasWord(insert.rest(), "update");
  }

  private @Nullable String omitted(Insert insert, int width, List<Column> filled) {
    Set<String> given = given(insert, width);
    for (Column column : filled) {
      if (!given.contains(column.name())) {
        return ofDefault(column);
      }
    }
    // OVERRIDING USER VALUE, and ON CONFLICT ... SET column = DEFAULT.
    boolean overriding =
        overridesUserValue(tokens, insert) || tokens.hasWord(insert.rest(), "default");
    return overriding ? ofDefault(filled.get(0)) : null;
  }

  static boolean overridesUserValue(TokenRange tokens, Insert insert) {
    int end = insert.source() == null ? insert.rest().from() : insert.source().from();
    return tokens.word(end - 3, "overriding") && tokens.word(end - 2, "user");
  }

  /** Columns that every row gets a value for. */
  private Set<String> given(Insert insert, int width) {
    List<String> columns = insert.columns(table);
    if (insert.columns() == null) {
      columns = columns.subList(0, Math.min(Math.max(width, 0), columns.size()));
    }
    if (insert.source() == null) {
      return Set.of();
    }
    Set<String> given = new HashSet<>(columns);
    if (insert.source().body() instanceof Syntax.RowsSyntax rows) {
      for (List<Expression> row : rows.rows()) {
        for (int i = 0; i < columns.size(); i++) {
          if (i >= row.size() || tokens.word(row.get(i).from(), "default")) {
            given.remove(columns.get(i));
          }
        }
      }
    }
    return given;
  }

  private @Nullable String assigned(List<Assignment> assignments, List<Column> filled) {
    for (Assignment assignment : assignments) {
      if (!tokens.hasWord(assignment.value(), "default")) {
        continue;
      }
      for (Column column : filled) {
        if (assignment.columns().contains(column.name())) {
          return ofDefault(column);
        }
      }
    }
    return null;
  }

  private String ofDefault(Column column) {
    return "the default of column " + column.name() + " of table " + table.name();
  }
}
