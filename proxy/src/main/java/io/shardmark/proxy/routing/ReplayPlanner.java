package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Column.Filling;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.Syntax;
import io.shardmark.proxy.sql.Syntax.Assignment;
import io.shardmark.proxy.sql.Syntax.Delete;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.Insert;
import io.shardmark.proxy.sql.Syntax.Statement;
import io.shardmark.proxy.sql.Syntax.TableItem;
import io.shardmark.proxy.sql.Syntax.Update;
import io.shardmark.proxy.sql.Syntax.With;
import io.shardmark.proxy.sql.TokenRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans the change of a reference table that only one server can compute. */
record ReplayPlanner(TokenRange tokens, Table table) {
  /** The rows before an UPDATE, and names of their columns that no client's text means. */
  private static final String OLD = "\"shardmark old\"";

  private static final String PART = "\"shardmark part\"";
  private static final String PLACE = "\"shardmark place\"";
  private static final String LINE = "\"shardmark line\"";

  /** The plan; null if the statement changes other rows too, or its text cannot be extended. */
  @Nullable ReplayedChange plan(Statement statement) {
    if (statement instanceof Insert insert) {
      return insert(insert);
    }
    if (statement instanceof Update update) {
      return update(update);
    }
    return statement instanceof Delete delete && onlyReads(delete.with()) ? delete(delete) : null;
  }

  private static boolean onlyReads(With with) {
    return with.ctes().stream().allMatch(cte -> cte.statement() instanceof Syntax.QuerySyntax);
  }

  private static String row(TableItem target) {
    return "(" + TableName.quoted(target.visibleName()) + ".*)::pg_catalog.text";
  }

  private @Nullable ReplayedChange insert(Insert insert) {
    Syntax.QuerySyntax source = insert.source();
    if (!onlyReads(insert.with()) || (source != null && !onlyReads(source.with()))) {
      return null;
    }
    Set<String> given = new HashSet<>(source == null ? List.of() : insert.columns(table));
    boolean updates = tokens.hasWord(insert.rest(), "update");
    List<String> columns = ReplayedChange.columns(table, given);
    int returning = tokens.find(insert.rest(), "returning");
    return new ReplayedChange(
        extended(returning < insert.rest().to(), row(insert.target())),
        table.name(),
        RowChange.INSERT,
        columns.isEmpty() ? ReplayedChange.columns(table, names()) : columns,
        updates ? insert.conflictColumns() : null);
  }

  private List<String> names() {
    return table.columns().stream().map(Column::name).toList();
  }

  private ReplayedChange delete(Delete delete) {
    return new ReplayedChange(
        extended(!delete.returning().isEmpty(), row(delete.target())),
        table.name(),
        RowChange.DELETE,
        List.of(),
        null);
  }

  private String extended(boolean returns, String hidden) {
    return tokens.text(0, tokens.size()) + (returns ? ", " : " RETURNING ") + hidden;
  }

  /** Joined with itself, so that it can return the rows as they were. */
  private @Nullable ReplayedChange update(Update update) {
    List<Syntax.SyntaxItem> items = update.returning();
    int returning = items.isEmpty() ? tokens.size() : items.get(0).expression().from() - 1;
    List<String> returned = new ArrayList<>();
    for (Span item : tokens.parts(Math.min(returning + 1, tokens.size()), tokens.size())) {
      if (item.size() == 1 && tokens.text(item).equals("*")) {
        if (!update.from().isEmpty()) {
          return null; // the old row's columns would be among them
        }
        returned.add(TableName.quoted(update.target().visibleName()) + ".*");
      } else {
        returned.add(tokens.text(item));
      }
    }
    if (!onlyReads(update.with())) {
      return null;
    }
    returned.add(row(update.target()));
    returned.add(LINE);
    Expression where = update.where();
    String name = TableName.quoted(update.target().visibleName());
    String old =
        "(SELECT tableoid AS %s, ctid AS %s, (old.*)::pg_catalog.text AS %s FROM %s AS old) AS %s"
            .formatted(PART, PLACE, LINE, table.name().quoted(), OLD);
    String sql =
        tokens.text(0, where == null ? returning : where.from() - 1)
            + (update.from().isEmpty() ? " FROM " : ", ")
            + old
            + " WHERE "
            + (where == null ? "" : "(" + tokens.text(where) + ") AND ")
            + "%1$s.tableoid = %2$s AND %1$s.ctid = %3$s RETURNING ".formatted(name, PART, PLACE)
            + String.join(", ", returned);
    return new ReplayedChange(sql, table.name(), RowChange.UPDATE, assigned(update), null);
  }

  /** What the others compute of these is the same. */
  private List<String> assigned(Update update) {
    List<String> assigned =
        update.assignments().stream().map(Assignment::columns).flatMap(List::stream).toList();
    return table.columns().stream()
        .filter(column -> column.filling() != Filling.GENERATED)
        .map(Column::name)
        .filter(assigned::contains)
        .toList();
  }
}
