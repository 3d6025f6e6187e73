package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Analyzer;
import io.shardmark.proxy.sql.Block;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.Functions;
import io.shardmark.proxy.sql.LimitRewrite;
import io.shardmark.proxy.sql.Scope.Found;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.Syntax;
import io.shardmark.proxy.sql.Syntax.Distinct;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.SortItem;
import io.shardmark.proxy.sql.SyntaxException;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Groups that reach over several shards, of aggregates whose values of several shards can be
 * combined: each shard gives its groups, and one server makes the groups of all. In the client's
 * expressions each part that the shards have computed becomes a column. Used once.
 */
final class GroupsPlanner extends CorePlanner {
  private final List<Expression> groups;
  private final List<String> columns = new ArrayList<>();
  private final List<FinalQuery.QueryPart> parts = new ArrayList<>();

  GroupsPlanner(Analyzer analyzer, Syntax.QuerySyntax query, Block.Facts facts) {
    super(analyzer, query, facts);
    this.groups = groupExpressions();
  }

  @Override
  ScatterStrategy.Finish plan() {
    if (query.body() != core || core.distinct() == Distinct.ON || cores.hasSets(core)) {
      throw new SyntaxException("no plain groups");
    }
    for (Expression group : groups) {
      if (!tokens.hasName(group) || !group.nested().isEmpty()) {
        throw new SyntaxException("a constant is grouped by");
      }
      requireLasting(group);
      add(tokens.text(group), FinalQuery.QueryPart.VALUE);
    }
    List<String> items = new ArrayList<>();
    for (Syntax.SyntaxItem item : core.items()) {
      if (cores.star(item) != null) {
        throw new SyntaxException("* is not a list of columns that are grouped");
      }
      items.add(finished(item.expression()));
    }
    String rest = core.having() == null ? "" : " WHERE " + finished(core.having());
    for (int i = 0; i < query.orderBy().size(); i++) {
      rest += (i == 0 ? " ORDER BY " : ", ") + order(query.orderBy().get(i));
    }
    if (query.limits() != null) {
      rest += " " + tokens.text(query.limits());
    }
    if (columns.isEmpty()) {
      add("count(*)", FinalQuery.QueryPart.COUNT);
    }
    StringBuilder rows =
        new StringBuilder(core.text(tokens, "SELECT " + String.join(", ", columns)));
    for (int i = 0; i < groups.size(); i++) {
      rows.append(i == 0 ? " GROUP BY " : ", ").append('(').append(columns.get(i)).append(')');
    }
    String select = core.distinct() == Distinct.ROWS ? "SELECT DISTINCT " : "SELECT ";
    return new ScatterStrategy.Finish(
        (rows + " " + noRows()).stripTrailing(),
        new FinalQuery(select, items, rows.toString(), rest, parts));
  }

  /** For LIMIT 0 no shard computes a group, as PostgreSQL does not. */
  private String noRows() {
    try {
      return new LimitRewrite(tokens, query).none();
    } catch (SyntaxException e) {
      return ""; // the last server knows what is meant
    }
  }

  /** GROUP BY with numbers and labels resolved to the expressions they mean. */
  private List<Expression> groupExpressions() {
    List<Expression> expressions = new ArrayList<>();
    for (Expression expression : core.groupBy()) {
      Span stripped = tokens.stripped(expression);
      Expression group = new Expression(stripped.from(), stripped.to(), expression.nested());
      // A name means a table's column first; equal text in the select list is then the same column.
      int item = indexOf(group, core.items().stream().map(Syntax.SyntaxItem::expression).toList());
      if (item < 0) {
        item = cores.groupItem(group, core, scope);
      }
      boolean unknown = item < 0 && analyzer.operands().column(group, scope) == null;
      if (unknown && group.size() == 1) {
        throw new SyntaxException("it is not known what is grouped by");
      }
      Expression meant = item < 0 ? group : core.items().get(item).expression();
      if (indexOf(meant, expressions) < 0) {
        expressions.add(meant);
      }
    }
    return expressions;
  }

  private int indexOf(Expression expression, List<Expression> among) {
    return IntStream.range(0, among.size())
        .filter(i -> tokens.same(expression, among.get(i)))
        .findFirst()
        .orElse(-1);
  }

  // ---- the client's expressions over what the shards give ----

  /** A number or name of a result column, or an expression. */
  private String order(SortItem item) {
    Expression expression = item.expression();
    boolean one = expression.size() == 1;
    Token token = tokens.at(expression.from());
    if (item.using()) {
      throw new SyntaxException("ORDER BY ... USING");
    }
    if (one && token.kind() == TokenKind.INTEGER) {
      return tokens.text(expression) + item.direction();
    }
    boolean label =
        one
            && token.isName()
            && core.items().stream().anyMatch(other -> token.text().equals(cores.label(other)));
    if (!label && mayMeanUnnamed(item)) {
      throw new SyntaxException("it may mean a column of the result");
    }
    return (label ? TableName.quoted(token.text()) : finished(expression)) + item.direction();
  }

  private String finished(Expression expression) {
    if (!expression.nested().isEmpty()) {
      throw new SyntaxException("a subquery is used with aggregates");
    }
    StringBuilder text = new StringBuilder();
    int copied = tokens.at(expression.from()).start();
    int i = expression.from();
    while (i < expression.to()) {
      int end = i + 1;
      String replaced = null;
      int group = groupAt(i, expression);
      if (group >= 0) {
        end = i + groups.get(group).size();
        replaced = RowSource.column(group);
      } else if (isAggregate(i)) {
        end = callEnd(i);
        replaced = aggregate(i, end);
      } else if (nameEnd(i, expression.to()) > i) {
        end = nameEnd(i, expression.to());
        replaced = column(Span.of(i, end));
      }
      if (replaced != null) {
        text.append(tokens.sql(), copied, tokens.at(i).start()).append(replaced);
        copied = tokens.at(end - 1).end();
      }
      i = end;
    }
    return text.append(tokens.sql(), copied, tokens.at(expression.to() - 1).end()).toString();
  }

  /** The time, or chance: one server has one value for a statement, several have several. */
  private void requireLasting(Span span) {
    String momentary = CallFacts.of(tokens, span).momentary();
    if (momentary != null) {
      throw new SyntaxException(momentary + " has another value on each shard");
    }
  }

  /** The group that is written here as an operand, or -1. */
  private int groupAt(int i, Expression within) {
    for (int group = 0; group < groups.size(); group++) {
      Expression by = groups.get(group);
      int end = i + by.size();
      boolean same = end <= within.to() && tokens.same(Span.of(i, end), by);
      if (same && by.size() > 1 && isOperand(i, end, within)) {
        return group;
      }
    }
    return -1;
  }

  private boolean isOperand(int from, int to, Expression within) {
    boolean left =
        from == within.from() || tokens.symbol(from - 1, "(") || tokens.symbol(from - 1, ",");
    boolean right = to == within.to() || tokens.symbol(to, ")") || tokens.symbol(to, ",");
    int open = from + 1;
    boolean call = tokens.symbol(open, "(") && tokens.partner(open) == to - 1;
    return (left && right) || (call && !tokens.symbol(from - 1, ".") && !tokens.symbol(to, "."));
  }

  // ---- aggregates ----

  /** The end of a call with WITHIN GROUP and FILTER, if one begins here; else i. */
  private int callEnd(int i) {
    int name = nameOfCall(i);
    if (tokens.symbol(i - 1, ".") || !CallFacts.isCall(tokens, name)) {
      return i;
    }
    int end = tokens.partner(name + 1) + 1;
    if (tokens.word(end, "within") && tokens.word(end + 1, "group")) {
      end = tokens.skip(end + 2);
    }
    if (tokens.word(end, "filter") && tokens.symbol(end + 1, "(")) {
      end = tokens.partner(end + 1) + 1;
    }
    return end;
  }

  private int nameOfCall(int i) {
    return tokens.at(i).isName() && tokens.symbol(i + 1, ".") ? i + 2 : i;
  }

  private boolean isAggregate(int i) {
    return callEnd(i) > i
        && Functions.kind(tokens.at(nameOfCall(i)).text()) == Functions.FunctionKind.AGGREGATE;
  }

  private String aggregate(int from, int to) {
    int open = nameOfCall(from) + 1;
    String name = tokens.at(open - 1).text();
    boolean distinct = tokens.word(open + 1, "distinct");
    FinalQuery.QueryPart part = FinalQuery.QueryPart.of(name);
    boolean once =
        part == FinalQuery.QueryPart.MIN
            || part == FinalQuery.QueryPart.MAX
            || part == FinalQuery.QueryPart.BOOL_OR;
    boolean ordered = tokens.hasWord(Span.of(open, tokens.partner(open)), "order");
    if (part == null
        || ordered
        || (distinct && !once)
        || tokens.word(tokens.partner(open) + 1, "within")) {
      throw new SyntaxException(
          "function " + name + "() cannot be computed of several shards' groups");
    }
    requireLasting(Span.of(from, to));
    String text = tokens.text(from, to);
    int known = columns.lastIndexOf(text);
    if (known >= groups.size()) {
      return RowSource.column(known);
    }
    int column = add(text, part);
    if (part == FinalQuery.QueryPart.AVERAGE) {
      String rest = tokens.text(open, to);
      add("pg_catalog.sum" + rest, FinalQuery.QueryPart.SUM_OF_AVERAGE);
      add("pg_catalog.count" + rest, FinalQuery.QueryPart.COUNT_OF_AVERAGE);
    }
    return RowSource.column(column);
  }

  // ---- columns ----

  /** The end of {@code name} or {@code table.name} that may be a column; else i. */
  private int nameEnd(int i, int to) {
    boolean begins =
        tokens.at(i).isName()
            && !tokens.symbol(i - 1, ".")
            && !tokens.symbol(i - 1, "::")
            && !tokens.word(i - 1, "as")
            && !tokens.word(i - 1, "collate")
            && !(tokens.symbol(i - 1, "(") && tokens.word(i - 2, "extract"));
    int end = begins ? Math.min(tokens.afterName(i), to) : i;
    boolean other = tokens.symbol(end, "(") || tokens.at(end).kind() == TokenKind.STRING;
    return other ? i : end;
  }

  /** What a name becomes; null for one that is no column. */
  @SuppressWarnings("ReferenceEquality") // the same column of the same table
  private @Nullable String column(Span name) {
    Found column = analyzer.operands().column(name, scope);
    for (int group = 0; group < groups.size(); group++) {
      Expression by = groups.get(group);
      Found key = analyzer.operands().column(by, scope);
      if (tokens.same(name, by)
          || (column != null && key != null && column.output() == key.output())) {
        return RowSource.column(group);
      }
    }
    Token last = tokens.at(name.to() - 1);
    if (column != null || name.size() > 1 || last.kind() == TokenKind.QUOTED) {
      throw new SyntaxException("\"" + last.text() + "\" is neither grouped nor in an aggregate");
    }
    return null;
  }

  private int add(String text, FinalQuery.QueryPart part) {
    columns.add(text);
    parts.add(part);
    return columns.size() - 1;
  }
}
