package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a statement that routing looks at. Expressions are left as ranges of tokens: what is
 * not recognised in them decides nothing, so new operators and functions need no new syntax here.
 */
public final class Syntax {
  private Syntax() {}

  /** A query, or a statement that changes rows: what WITH may hold. */
  public sealed interface Statement {}

  /** {@code query} is in the parentheses whose tokens are {@code open} and {@code close}. */
  public record Nested(int open, int close, QuerySyntax query) {}

  /** Tokens from (inclusive) to (exclusive) and the queries in them, outermost ones only. */
  public record Expression(int from, int to, List<Nested> nested) implements Span {
    /** Its beginning, with the same queries. */
    Expression upTo(int end) {
      return new Expression(from, end, nested);
    }
  }

  public record Cte(String name, List<String> columns, Statement statement) {}

  public record With(boolean recursive, List<Cte> ctes) {
    static final With NONE = new With(false, List.of());
  }

  /**
   * @param limits tokens of the LIMIT, OFFSET and FETCH clauses, which follow each other; null if
   *     there are none
   * @param from first token, {@code to} one after the last
   */
  public record QuerySyntax(
      With with,
      BodySyntax body,
      List<SortItem> orderBy,
      @Nullable Expression limit,
      @Nullable Expression offset,
      @Nullable Expression limits,
      boolean withTies,
      boolean locking,
      int from,
      int to)
      implements Statement, Span {}

  public record SortItem(
      Expression expression, boolean descending, boolean nullsFirst, boolean using) {
    public String direction() {
      return (descending ? " DESC" : " ASC") + (nullsFirst ? " NULLS FIRST" : " NULLS LAST");
    }
  }

  sealed interface BodySyntax {}

  /** VALUES: one expression per row, without its parentheses. */
  public record RowsSyntax(List<List<Expression>> rows) implements BodySyntax {}

  record Parenthesised(QuerySyntax query) implements BodySyntax {}

  record SetOperation(String operator, boolean all, BodySyntax left, BodySyntax right)
      implements BodySyntax {}

  /**
   * SELECT, or TABLE without items.
   *
   * @param select its first token
   * @param endOfItems the token after the select list
   * @param endOfWhere the token after WHERE, or FROM if there is no WHERE
   */
  public record Core(
      Distinct distinct,
      List<Expression> distinctOn,
      List<SyntaxItem> items,
      int select,
      int endOfItems,
      int endOfWhere,
      List<FromItem> from,
      @Nullable Expression where,
      List<Expression> groupBy,
      @Nullable Expression having,
      boolean windows)
      implements BodySyntax {
    /** The statement up to WHERE, with another select list. */
    public String text(TokenRange tokens, String list) {
      String before = tokens.sql().substring(0, tokens.at(select).start());
      return before + list + " " + tokens.text(endOfItems, endOfWhere);
    }
  }

  public enum Distinct {
    NO,
    ROWS,
    ON
  }

  /** {@code label} is what AS says, or what follows the expression as a bare label. */
  public record SyntaxItem(Expression expression, @Nullable String label) {}

  /** {@code name} is null if there is no alias. */
  record Alias(@Nullable String name, List<String> columns) {}

  public sealed interface FromItem {}

  /** {@code from}: its first token, {@code to} one after the last, with the alias. */
  public record TableItem(@Nullable String schema, String name, Alias alias, int from, int to)
      implements FromItem, Span {
    public String visibleName() {
      String given = alias.name();
      return given == null ? name : given;
    }
  }

  record DerivedItem(QuerySyntax query, boolean lateral, Alias alias) implements FromItem {}

  record FunctionItem(String function, Expression call, Alias alias) implements FromItem {}

  public record JoinItem(
      JoinKind kind,
      FromItem left,
      FromItem right,
      @Nullable Expression on,
      List<String> using,
      boolean natural)
      implements FromItem {}

  public enum JoinKind {
    INNER,
    LEFT,
    RIGHT,
    FULL
  }

  /**
   * @param columns null if the statement gives none
   * @param source null for DEFAULT VALUES
   * @param conflictColumns set by ON CONFLICT DO UPDATE
   * @param rest ON CONFLICT and RETURNING
   */
  public record Insert(
      With with,
      TableItem target,
      @Nullable List<String> columns,
      @Nullable QuerySyntax source,
      List<String> conflictColumns,
      Expression rest)
      implements Statement {
    /** The columns that get values: without a list all of the table's. */
    public List<String> columns(Table table) {
      return columns == null ? table.columns().stream().map(Column::name).toList() : columns;
    }
  }

  /** UPDATE; {@code assignments} are the tokens after SET. */
  public record Update(
      With with,
      TableItem target,
      List<Assignment> assignments,
      List<FromItem> from,
      @Nullable Expression where,
      List<SyntaxItem> returning)
      implements Statement {}

  /** {@code columns}: one, or several if a row is assigned. */
  public record Assignment(List<String> columns, Expression value) {}

  public record Delete(
      With with,
      TableItem target,
      List<FromItem> using,
      @Nullable Expression where,
      List<SyntaxItem> returning)
      implements Statement {}
}
