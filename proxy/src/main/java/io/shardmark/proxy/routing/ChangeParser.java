package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Syntax.Assignment;
import io.shardmark.proxy.routing.Syntax.Delete;
import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Syntax.FromItem;
import io.shardmark.proxy.routing.Syntax.Insert;
import io.shardmark.proxy.routing.Syntax.Item;
import io.shardmark.proxy.routing.Syntax.Query;
import io.shardmark.proxy.routing.Syntax.Statement;
import io.shardmark.proxy.routing.Syntax.TableItem;
import io.shardmark.proxy.routing.Syntax.Update;
import io.shardmark.proxy.routing.Syntax.With;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** INSERT, UPDATE and DELETE (PG18 sql-insert, sql-update, sql-delete), and what WITH holds. */
final class ChangeParser {
  private static final Set<String> RETURNING = Set.of("returning");
  private static final Set<String> WHERE = Set.of("where", "returning");
  private static final Set<String> FROM = Set.of("from", "where", "returning");
  private static final Set<String> AFTER_SOURCE = Set.of("on", "returning");

  private final QueryParser parser;
  private final FromParser fromParser;
  private final TokenRange tokens;

  ChangeParser(QueryParser parser, FromParser fromParser) {
    this.parser = parser;
    this.fromParser = fromParser;
    this.tokens = parser.tokens();
  }

  /** A parser for a whole statement. */
  static ChangeParser of(QueryParser parser, TokenRange tokens) {
    return new ChangeParser(parser, new FromParser(parser, tokens));
  }

  /** The query, INSERT, UPDATE or DELETE that fills the range. */
  Statement statement(int from, int to) {
    int body = from;
    With with = With.NONE;
    if (tokens.word(from, "with")) {
      with = parser.with(from, to);
      body = parser.position();
    }
    Token first = tokens.at(body);
    if (first.isWord("insert")) {
      return insert(with, body + 1, to);
    }
    if (first.isWord("update")) {
      return update(with, body + 1, to);
    }
    if (first.isWord("delete")) {
      return delete(with, body + 1, to);
    }
    if (first.isWord("merge")) {
      throw new SyntaxException("MERGE");
    }
    return parser.query(from, to);
  }

  private Insert insert(With with, int from, int to) {
    if (!tokens.word(from, "into")) {
      throw new SyntaxException("INSERT");
    }
    TableItem target = insertTarget(from + 1);
    int at = fromParser.position();
    List<String> columns = null;
    if (tokens.symbol(at, "(") && !parser.startsQuery(at)) {
      int close = tokens.partner(at);
      columns = columnList(at + 1, close);
      at = close + 1;
    }
    if (tokens.word(at, "overriding")) {
      at += 3;
    }
    if (tokens.word(at, "default") && tokens.word(at + 1, "values")) {
      Expression rest = parser.expression(at + 2, to);
      return new Insert(with, target, columns, null, List.of(), rest);
    }
    int endOfSource = sourceEnd(at, to);
    Query source = parser.query(at, endOfSource);
    Expression rest = parser.expression(endOfSource, to);
    return new Insert(with, target, columns, source, conflictColumns(endOfSource, to), rest);
  }

  /** ON of a join in the source is no end of it; ON CONFLICT is. */
  private int sourceEnd(int from, int to) {
    int i = parser.clauseEnd(from, to, AFTER_SOURCE);
    while (i < to && tokens.word(i, "on") && !tokens.word(i + 1, "conflict")) {
      i = parser.clauseEnd(i + 1, to, AFTER_SOURCE);
    }
    return i;
  }

  /** INSERT's alias needs AS, so that a list of columns is none of an alias. */
  private TableItem insertTarget(int from) {
    TableItem table = fromParser.table(from);
    if (!table.alias().columns().isEmpty() || "values".equals(table.alias().name())) {
      throw new SyntaxException("INSERT INTO with an alias and columns");
    }
    return table;
  }

  /** Names; an element or a field of a column counts as the column. */
  private List<String> columnList(int from, int to) {
    List<String> names = new ArrayList<>();
    boolean first = true;
    for (int i = from; i < to; i = tokens.skip(i)) {
      if (first) {
        names.add(columnName(i));
      }
      first = tokens.symbol(i, ",");
    }
    return names;
  }

  private String columnName(int i) {
    if (!tokens.at(i).isName()) {
      throw new SyntaxException("a column's name"); // U&"...", which is not read here
    }
    return tokens.at(i).text();
  }

  private List<String> conflictColumns(int from, int to) {
    List<String> names = new ArrayList<>();
    for (int i = from; i < to; i = tokens.skip(i)) {
      if (tokens.word(i, "do") && tokens.word(i + 1, "update") && tokens.word(i + 2, "set")) {
        int setEnd = parser.clauseEnd(i + 3, to, WHERE);
        for (Assignment assignment : assignments(i + 3, setEnd)) {
          names.addAll(assignment.columns());
        }
      }
    }
    return names;
  }

  private Update update(With with, int from, int to) {
    TableItem target = fromParser.table(from);
    int at = fromParser.position();
    if (!tokens.word(at, "set")) {
      throw new SyntaxException("UPDATE");
    }
    int setEnd = parser.clauseEnd(at + 1, to, FROM);
    List<Assignment> assignments = assignments(at + 1, setEnd);
    List<FromItem> tables = List.of();
    at = setEnd;
    if (at < to && tokens.word(at, "from")) {
      int fromEnd = parser.clauseEnd(at + 1, to, WHERE);
      tables = fromParser.list(at + 1, fromEnd);
      at = fromEnd;
    }
    Expression where = where(at, to);
    at = where == null ? at : where.to();
    return new Update(with, target, assignments, tables, where, returning(at, to));
  }

  private Delete delete(With with, int from, int to) {
    if (!tokens.word(from, "from")) {
      throw new SyntaxException("DELETE");
    }
    TableItem target = fromParser.table(from + 1);
    int at = fromParser.position();
    List<FromItem> tables = List.of();
    if (at < to && tokens.word(at, "using")) {
      int usingEnd = parser.clauseEnd(at + 1, to, WHERE);
      tables = fromParser.list(at + 1, usingEnd);
      at = usingEnd;
    }
    Expression where = where(at, to);
    at = where == null ? at : where.to();
    return new Delete(with, target, tables, where, returning(at, to));
  }

  private @Nullable Expression where(int at, int to) {
    if (at >= to || !tokens.word(at, "where")) {
      return null;
    }
    if (tokens.word(at + 1, "current") && tokens.word(at + 2, "of")) {
      throw new SyntaxException("WHERE CURRENT OF");
    }
    return parser.expression(at + 1, parser.clauseEnd(at + 1, to, RETURNING));
  }

  private List<Item> returning(int at, int to) {
    if (at == to) {
      return List.of();
    }
    if (!tokens.word(at, "returning") || tokens.word(at + 1, "with")) {
      throw new SyntaxException("unexpected " + tokens.at(at).text());
    }
    return parser.items(at + 1, to);
  }

  private List<Assignment> assignments(int from, int to) {
    List<Assignment> assignments = new ArrayList<>();
    for (Expression part : parser.expressions(from, to)) {
      int equals = part.from();
      while (equals < part.to() && !tokens.symbol(equals, "=")) {
        equals = tokens.skip(equals);
      }
      if (equals >= part.to() || equals == part.from()) {
        throw new SyntaxException("SET");
      }
      List<String> columns =
          tokens.symbol(part.from(), "(")
              ? columnList(part.from() + 1, tokens.partner(part.from()))
              : List.of(columnName(part.from()));
      assignments.add(
          new Assignment(columns, new Expression(equals + 1, part.to(), part.nested())));
    }
    return assignments;
  }
}
