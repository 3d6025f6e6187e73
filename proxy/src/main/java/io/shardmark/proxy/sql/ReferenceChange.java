package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Column.Filling;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.sql.Syntax.Assignment;
import io.shardmark.proxy.sql.Syntax.Delete;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.Insert;
import io.shardmark.proxy.sql.Syntax.Rows;
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
public final class ReferenceChange {
  private final TokenRange tokens;
  private final Table table;

  ReferenceChange(TokenRange tokens, Table table) {
    this.tokens = tokens;
    this.table = table;
  }

  /**
   * What differs, to be followed by "may differ between shards", or null.
   *
   * @param width how many columns the source of an INSERT without a list of columns gives; negative
   *     if that is not known
   */
  @Nullable String obstacle(Statement statement, int width) {
    if (statement instanceof Insert insert) {
      String reaction = reaction(RowChange.INSERT);
      boolean updates = conflictUpdates(insert);
      return reaction != null || !updates
          ? first(reaction, omitted(insert, width))
          : first(reaction(RowChange.UPDATE), omitted(insert, width));
    }
    if (statement instanceof Update update) {
      return first(reaction(RowChange.UPDATE), assigned(update.assignments()));
    }
    return statement instanceof Delete ? reaction(RowChange.DELETE) : null;
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

  private @Nullable String omitted(Insert insert, int width) {
    Set<String> given = given(insert, width);
    for (Column column : table.columns()) {
      if (column.filling() == Filling.MAY_DIFFER && !given.contains(column.name())) {
        return ofDefault(column);
      }
    }
    // OVERRIDING USER VALUE, and ON CONFLICT ... SET column = DEFAULT.
    Column any = anyDiffering();
    boolean overriding =
        any != null
            && (overridesUserValue(tokens, insert) || tokens.hasWord(insert.rest(), "default"));
    return any != null && overriding ? ofDefault(any) : null;
  }

  private @Nullable Column anyDiffering() {
    return table.columns().stream()
        .filter(column -> column.filling() == Filling.MAY_DIFFER)
        .findFirst()
        .orElse(null);
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
    if (insert.source().body() instanceof Rows rows) {
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

  private @Nullable String assigned(List<Assignment> assignments) {
    for (Assignment assignment : assignments) {
      if (!tokens.hasWord(assignment.value(), "default")) {
        continue;
      }
      for (Column column : table.columns()) {
        if (column.filling() == Filling.MAY_DIFFER
            && assignment.columns().contains(column.name())) {
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
