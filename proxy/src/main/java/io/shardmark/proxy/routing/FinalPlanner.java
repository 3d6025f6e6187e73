package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.Aggregate;
import io.shardmark.proxy.merge.Merges;
import io.shardmark.proxy.merge.RowWindow;
import io.shardmark.proxy.merge.TextOrder;
import io.shardmark.proxy.routing.Functions.Kind;
import io.shardmark.proxy.routing.Scope.Found;
import io.shardmark.proxy.routing.Syntax.Core;
import io.shardmark.proxy.routing.Syntax.Distinct;
import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Syntax.Item;
import io.shardmark.proxy.routing.Syntax.Query;
import io.shardmark.proxy.routing.Syntax.SortItem;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Expressions over aggregates of several shards, HAVING, and orders that the proxy does not know:
 * the shards give groups and aggregates, which are merged as always, and one server computes the
 * rest of them. In the client's expressions each aggregate and each group becomes a column.
 */
final class FinalPlanner {
  /** Functions that give the same for merged groups as for those of one server. */
  private static final Set<Kind> OF_VALUES = EnumSet.of(Kind.IMMUTABLE, Kind.STABLE, Kind.VOLATILE);

  private final String sql;
  private final TokenRange tokens;
  private final Analyzer analyzer;
  private final CoreAnalyzer cores;
  private final Query query;
  private final Core core;
  private final Scope scope;
  private final Function<Expression, TextOrder> textOrder;
  private final List<Expression> groups;
  private final List<String> columns = new ArrayList<>();
  private final List<String> aggregateTexts = new ArrayList<>();
  private final List<Integer> aggregateColumns = new ArrayList<>();
  private final List<Aggregate> aggregates = new ArrayList<>();

  /**
   * @param groups what GROUP BY means
   * @param textOrder what is known of a text's order
   */
  FinalPlanner(
      String sql,
      Analyzer analyzer,
      Query query,
      Block.Facts facts,
      List<Expression> groups,
      Function<Expression, TextOrder> textOrder) {
    this.sql = sql;
    this.analyzer = analyzer;
    this.tokens = analyzer.tokens();
    this.cores = new CoreAnalyzer(analyzer);
    this.query = query;
    this.core = facts.core();
    this.scope = facts.scope();
    this.groups = groups;
    this.textOrder = textOrder;
  }

  /**
   * The plan.
   *
   * @throws SyntaxException if it cannot be computed of merged groups; says why
   */
  Spread.Finish plan() {
    if (query.body() != core || core.items().isEmpty()) {
      throw new SyntaxException("its groups stand in parentheses");
    }
    for (Expression group : groups) {
      requireNoQuery(group);
      columns.add(text(group));
    }
    StringBuilder select = new StringBuilder("SELECT ");
    select.append(core.distinct() == Distinct.ROWS ? "DISTINCT " : "");
    for (int i = 0; i < core.items().size(); i++) {
      Item item = core.items().get(i);
      String label = cores.label(item);
      select.append(i == 0 ? "" : ", ").append(finished(item.expression()));
      if (label != null) {
        select.append(" AS ").append(quoted(label));
      }
    }
    Expression having = core.having();
    StringBuilder rest = new StringBuilder();
    if (having != null) {
      rest.append(" WHERE ").append(finished(having));
    }
    for (int i = 0; i < query.orderBy().size(); i++) {
      rest.append(i == 0 ? " ORDER BY " : ", ").append(order(query.orderBy().get(i)));
    }
    if (query.limits() != null) {
      rest.append(' ').append(text(query.limits()));
    }
    String groupText = groupText();
    List<Integer> groupColumns = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      groupColumns.add(i);
    }
    return new Spread.Finish(
        groupText + noGroups(),
        Merges.grouped(groupColumns, aggregates, List.of(), RowWindow.ALL, 0),
        new FinalQuery(select.toString(), groupText, rest.toString(), columns.size()));
  }

  /** For LIMIT 0 a server computes nothing, and the shards neither. */
  private String noGroups() {
    LimitRewrite.Change change = new LimitRewrite(sql, tokens, query).dropped();
    return change == null ? "" : change.text().stripTrailing();
  }

  /** What the shards are asked: everything up to HAVING, with groups and aggregates selected. */
  private String groupText() {
    int select = core.items().get(0).expression().from() - 1;
    while (select >= 0 && !tokens.word(select, "select")) {
      select--;
    }
    int end = query.to();
    if (!core.groupBy().isEmpty()) {
      end = core.groupBy().get(0).from() - 1;
      while (tokens.symbol(end, "(")) {
        end--;
      }
      if (!tokens.word(end, "by") || !tokens.word(--end, "group")) {
        throw new SyntaxException("its GROUP BY is not a list of columns");
      }
    } else if (core.having() != null) {
      end = core.having().from() - 1;
    } else if (!query.orderBy().isEmpty()) {
      end = query.orderBy().get(0).expression().from() - 2;
    } else if (query.limits() != null) {
      end = query.limits().from();
    }
    if (select < 0 || end <= core.endOfItems()) {
      throw new SyntaxException("its groups are not found in the text");
    }
    StringBuilder text = new StringBuilder(sql.substring(0, tokens.at(select).start()));
    text.append("SELECT ").append(String.join(", ", columns)).append(' ');
    text.append(sql, tokens.at(core.endOfItems()).start(), tokens.at(end - 1).end());
    for (int i = 0; i < groups.size(); i++) {
      text.append(i == 0 ? " GROUP BY " : ", ").append('(').append(columns.get(i)).append(')');
    }
    return text.toString();
  }

  private String order(SortItem item) {
    if (item.using()) {
      throw new SyntaxException("ORDER BY ... USING cannot be merged");
    }
    Expression expression = item.expression();
    boolean one = expression.to() - expression.from() == 1;
    Token token = tokens.at(expression.from());
    String key;
    if (one && token.kind() == Token.Kind.INTEGER) {
      key = text(expression);
    } else if (one && token.isName() && isLabel(token.text())) {
      key = quoted(token.text());
    } else {
      key = finished(expression);
    }
    return key
        + (item.descending() ? " DESC" : " ASC")
        + (item.nullsFirst() ? " NULLS FIRST" : " NULLS LAST");
  }

  private boolean isLabel(String name) {
    return core.items().stream().anyMatch(item -> name.equals(cores.label(item)));
  }

  // ---- expressions over columns of merged groups ----

  private String finished(Expression expression) {
    requireNoQuery(expression);
    StringBuilder text = new StringBuilder();
    int copied = tokens.at(expression.from()).start();
    int i = expression.from();
    while (i < expression.to()) {
      if (tokens.word(i, "grouping") && tokens.symbol(i + 1, "(")) {
        throw new SyntaxException("GROUPING() is told by GROUP BY itself");
      }
      int end = i;
      int column = -1;
      int group = groupAt(i, expression);
      if (group >= 0) {
        end = i + groups.get(group).to() - groups.get(group).from();
        column = group;
      } else {
        end = callEnd(i);
        column = end > i ? aggregate(i, end) : -1;
        if (column < 0) {
          end = nameEnd(i, expression.to());
          column = end > i ? groupOfColumn(i, end) : -1;
        }
      }
      if (column >= 0) {
        text.append(sql, copied, tokens.at(i).start()).append(FinalQuery.column(column));
        copied = tokens.at(end - 1).end();
      }
      i = Math.max(end, i + 1);
    }
    return text.append(sql, copied, tokens.at(expression.to() - 1).end()).toString();
  }

  private static void requireNoQuery(Expression expression) {
    if (!expression.nested().isEmpty()) {
      throw new SyntaxException("a subquery stands beside aggregates");
    }
  }

  /** The group that is written here as an operand of its own, or -1. */
  private int groupAt(int i, Expression within) {
    for (int group = 0; group < groups.size(); group++) {
      Expression by = groups.get(group);
      int end = i + by.to() - by.from();
      boolean same = end <= within.to() && tokens.sameTokens(sql, i, end, by.from(), by.to());
      if (same && by.to() - by.from() > 1 && isOperand(i, end, within)) {
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

  /** The end of a call with its FILTER, if one begins here; else i. */
  private int callEnd(int i) {
    boolean qualified = tokens.at(i).isName() && tokens.symbol(i + 1, ".");
    int name = qualified ? i + 2 : i;
    if (tokens.symbol(i - 1, ".") || !CallScan.isCall(tokens, name)) {
      return i;
    }
    int close = tokens.partner(name + 1);
    boolean filter = tokens.word(close + 1, "filter") && tokens.symbol(close + 2, "(");
    return filter ? tokens.partner(close + 2) + 1 : close + 1;
  }

  /** The column of an aggregate; -1 for another function, whose arguments are looked at then. */
  private int aggregate(int from, int to) {
    int name = tokens.symbol(from + 1, ".") ? from + 2 : from;
    Kind kind = Functions.kind(tokens.at(name).text());
    if (OF_VALUES.contains(kind)) {
      return -1;
    }
    Expression call = new Expression(from, to, List.of());
    HiddenColumns sumAndCount = new HiddenColumns(sql, tokens);
    AggregateScan scan = new AggregateScan(sql, tokens, sumAndCount);
    if (kind != Kind.AGGREGATE || !scan.isAggregate(call)) {
      throw new SyntaxException(
          "function " + tokens.at(name).text() + "() cannot be computed of several shards' groups");
    }
    String text = text(call);
    int known = aggregateTexts.indexOf(text);
    if (known >= 0) {
      return aggregateColumns.get(known);
    }
    int column = columns.size();
    scan.add(call, column, textOrder.apply(scan.argument(call)));
    columns.add(text);
    columns.addAll(sumAndCount.texts());
    aggregateTexts.add(text);
    aggregateColumns.add(column);
    aggregates.addAll(scan.resolvedBehind(column));
    return column;
  }

  /** The end of {@code name} or {@code table.name} that may be a column; else i. */
  private int nameEnd(int i, int to) {
    boolean begins =
        tokens.at(i).isName()
            && !tokens.symbol(i - 1, ".")
            && !tokens.symbol(i - 1, "::")
            && !tokens.word(i - 1, "as")
            && !(tokens.symbol(i - 1, "(") && tokens.word(i - 2, "extract"));
    if (!begins) {
      return i;
    }
    int end = i + 1;
    while (end + 1 < to && tokens.symbol(end, ".") && tokens.at(end + 1).isName()) {
      end += 2;
    }
    boolean other = tokens.symbol(end, "(") || tokens.at(end).kind() == Token.Kind.STRING;
    return other ? i : end;
  }

  /** The group that a column is; -1 for a name that is none. */
  @SuppressWarnings("ReferenceEquality") // the same column of the same table
  private int groupOfColumn(int from, int to) {
    Found column = analyzer.operands().column(from, to, scope);
    for (int group = 0; group < groups.size(); group++) {
      Expression by = groups.get(group);
      if (tokens.sameTokens(sql, from, to, by.from(), by.to())) {
        return group;
      }
      Found key = analyzer.operands().column(by.from(), by.to(), scope);
      if (column != null && key != null && column.output() == key.output()) {
        return group;
      }
    }
    if (column != null || tokens.at(to - 1).kind() == Token.Kind.QUOTED) {
      throw new SyntaxException(
          "\"" + tokens.at(to - 1).text() + "\" is neither grouped nor in an aggregate");
    }
    return -1;
  }

  private String text(Expression expression) {
    return sql.substring(
        tokens.at(expression.from()).start(), tokens.at(expression.to() - 1).end());
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
