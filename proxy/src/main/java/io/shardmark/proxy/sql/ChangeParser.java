package io.shardmark.proxy.sql;

import io.shardmark.proxy.sql.Syntax.Alias;
import io.shardmark.proxy.sql.Syntax.Assignment;
import io.shardmark.proxy.sql.Syntax.Delete;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.FromItem;
import io.shardmark.proxy.sql.Syntax.Insert;
import io.shardmark.proxy.sql.Syntax.Nested;
import io.shardmark.proxy.sql.Syntax.Statement;
import io.shardmark.proxy.sql.Syntax.TableItem;
import io.shardmark.proxy.sql.Syntax.Update;
import io.shardmark.proxy.sql.Syntax.With;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** INSERT, UPDATE and DELETE (PG18 sql-insert, sql-update, sql-delete), and what WITH holds. */
public final class ChangeParser {
  private static final Set<String> RETURNING = Set.of("returning");
  private static final Set<String> WHERE = Set.of("where", "returning");
  private static final Set<String> FROM = Set.of("from", "where", "returning");
  private static final Set<String> AFTER_SOURCE = Set.of("on", "returning");

  private final QueryParser parser;
  private final FromParser from;
  private final TokenRange tokens;

  ChangeParser(QueryParser parser, FromParser from) {
    this.parser = parser;
    this.from = from;
    this.tokens = parser.tokens();
  }

  /** The query, INSERT, UPDATE or DELETE that goes on to the end. */
  Statement statement() {
    int start = parser.at();
    With with = parser.with();
    if (parser.take("insert")) {
      return insert(with);
    }
    if (parser.take("update")) {
      return update(with);
    }
    if (parser.take("delete")) {
      return delete(with);
    }
    if (parser.sees("merge")) {
      throw new SyntaxException("MERGE");
    }
    return parser.query(start, with);
  }

  private Insert insert(With with) {
    parser.require("into");
    TableItem target = insertTarget();
    boolean lists = parser.sees("(") && !parser.startsQuery(parser.at());
    List<String> columns =
        lists ? parser.parenthesised(() -> columnNames(parser.at(), parser.end())) : null;
    if (parser.take("overriding")) {
      parser.take();
      parser.take();
    }
    if (parser.take("default", "values")) {
      return new Insert(with, target, columns, null, List.of(), rest());
    }
    Syntax.QuerySyntax source = parser.upTo(sourceEnd(), parser::query);
    List<String> conflictColumns = conflictColumns();
    return new Insert(with, target, columns, source, conflictColumns, rest());
  }

  private Expression rest() {
    return parser.expression(parser.at(), parser.end());
  }

  /** ON of a join in the source is no end of it; ON CONFLICT is. */
  private int sourceEnd() {
    int start = parser.at();
    int i = parser.clauseEnd(AFTER_SOURCE);
    while (i < parser.end() && tokens.word(i, "on") && !tokens.word(i + 1, "conflict")) {
      parser.moveTo(i + 1);
      i = parser.clauseEnd(AFTER_SOURCE);
    }
    parser.moveTo(start);
    return i;
  }

  /** INSERT's alias needs AS; a list after it is one of the table's columns. */
  private TableItem insertTarget() {
    TableItem table = from.table();
    if ("values".equals(table.alias().name())) {
      throw new SyntaxException("INSERT INTO with an alias");
    }
    if (table.alias().columns().isEmpty()) {
      return table;
    }
    int list = tokens.partner(table.to() - 1);
    parser.moveTo(list);
    Alias alias = new Alias(table.alias().name(), List.of());
    return new TableItem(table.schema(), table.name(), alias, table.from(), list);
  }

  /** Names; an element or a field of a column counts as the column. */
  private List<String> columnNames(int from, int to) {
    return tokens.parts(from, to).stream()
        .filter(part -> part.size() > 0)
        .map(part -> columnName(part.from()))
        .toList();
  }

  private String columnName(int i) {
    if (!tokens.at(i).isName()) {
      throw new SyntaxException("a column's name"); // U&"...", which is not read here
    }
    return tokens.at(i).text();
  }

  private List<String> conflictColumns() {
    List<String> names = new ArrayList<>();
    for (int i = parser.at(); i < parser.end(); i = tokens.skip(i)) {
      if (tokens.word(i, "do") && tokens.word(i + 1, "update") && tokens.word(i + 2, "set")) {
        int start = i + 3;
        int end = parser.within(start, parser.end(), () -> parser.clauseEnd(WHERE));
        tokens.parts(start, end).forEach(part -> names.addAll(movedColumns(part)));
      }
    }
    return names;
  }

  /**
   * Columns that get another value than the row has by which the insertion conflicts: of a column
   * that ON CONFLICT names the proposed row has the same.
   */
  private List<String> movedColumns(Span assignment) {
    List<String> columns = new ArrayList<>(assignedColumns(assignment));
    int value = tokens.find(assignment, "=") + 1;
    List<Span> values =
        columns.size() == 1
            ? List.of(Span.of(value, assignment.to()))
            : values(value, assignment.to());
    if (values.size() == columns.size()) {
      Span target = Span.of(parser.at(), parser.end());
      int open = tokens.find(target, "conflict") + 1;
      for (int i = columns.size() - 1; i >= 0; i--) {
        Span given = values.get(i);
        String column = columns.get(i);
        boolean proposed =
            given.size() == 3
                && tokens.word(given.from(), "excluded")
                && tokens.symbol(given.from() + 1, ".")
                && tokens.at(given.from() + 2).isName()
                && tokens.at(given.from() + 2).text().equals(column);
        boolean named =
            tokens.symbol(open, "(")
                && tokens.parts(open + 1, tokens.partner(open)).stream()
                    .anyMatch(part -> part.size() == 1 && tokens.hasName(part, column));
        if (proposed && named) {
          columns.remove(i);
        }
      }
    }
    return columns;
  }

  private Update update(With with) {
    TableItem target = from.table();
    parser.require("set");
    List<Assignment> assignments = parser.upTo(parser.clauseEnd(FROM), this::assignments);
    List<FromItem> tables = parser.take("from") ? from.list(WHERE) : List.of();
    return new Update(with, target, assignments, tables, where(), returning());
  }

  private Delete delete(With with) {
    parser.require("from");
    TableItem target = from.table();
    List<FromItem> tables = parser.take("using") ? from.list(WHERE) : List.of();
    return new Delete(with, target, tables, where(), returning());
  }

  private @Nullable Expression where() {
    if (!parser.take("where")) {
      return null;
    }
    if (parser.sees("current", "of")) {
      throw new SyntaxException("WHERE CURRENT OF");
    }
    return parser.clause(RETURNING);
  }

  private List<Syntax.SyntaxItem> returning() {
    if (parser.done()) {
      return List.of();
    }
    if (!parser.sees("returning") || parser.sees("returning", "with")) {
      throw new SyntaxException("unexpected " + parser.peek().text());
    }
    parser.take();
    return parser.items();
  }

  private List<Assignment> assignments() {
    return parser.expressions().stream().flatMap(this::assignments).toList();
  }

  /** {@code (a, b) = (x, y)} is two of them. */
  private Stream<Assignment> assignments(Expression part) {
    List<String> columns = assignedColumns(part);
    int value = tokens.find(part, "=") + 1;
    List<Span> values = values(value, part.to());
    return values.size() == columns.size()
        ? IntStream.range(0, columns.size())
            .mapToObj(i -> assignment(List.of(columns.get(i)), values.get(i), part))
        : Stream.of(assignment(columns, Span.of(value, part.to()), part));
  }

  private static Assignment assignment(List<String> columns, Span value, Expression part) {
    List<Nested> nested =
        part.nested().stream()
            .filter(query -> query.open() >= value.from() && query.close() < value.to())
            .toList();
    return new Assignment(columns, new Expression(value.from(), value.to(), nested));
  }

  /** Those of {@code (x, y)} and {@code ROW (x, y)}; none of another expression. */
  private List<Span> values(int from, int to) {
    int open = tokens.word(from, "row") ? from + 1 : from;
    boolean list =
        tokens.symbol(open, "(") && tokens.partner(open) == to - 1 && !parser.startsQuery(open);
    return list ? tokens.parts(open + 1, to - 1) : List.of();
  }

  private List<String> assignedColumns(Span assignment) {
    int first = assignment.from();
    int equals = tokens.find(assignment, "=");
    if (equals == first || equals == assignment.to()) {
      throw new SyntaxException("SET");
    }
    return tokens.symbol(first, "(")
        ? columnNames(first + 1, tokens.partner(first))
        : List.of(columnName(first));
  }
}
