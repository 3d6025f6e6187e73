package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.Aggregate;
import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.merge.Merges;
import io.shardmark.proxy.merge.OrderItem;
import io.shardmark.proxy.merge.RowWindow;
import io.shardmark.proxy.merge.TextOrder;
import io.shardmark.proxy.routing.Block.Facts;
import io.shardmark.proxy.routing.Placement.Split;
import io.shardmark.proxy.routing.Scope.Found;
import io.shardmark.proxy.routing.Scope.Output;
import io.shardmark.proxy.routing.Syntax.Core;
import io.shardmark.proxy.routing.Syntax.Distinct;
import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Syntax.Item;
import io.shardmark.proxy.routing.Syntax.Query;
import io.shardmark.proxy.routing.Syntax.SortItem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the rows of a query over several shards are merged, and what each shard is asked. */
final class MergePlanner {
  private final String sql;
  private final Analyzer analyzer;
  private final TokenRange tokens;
  private final CoreAnalyzer cores;

  MergePlanner(String sql, Analyzer analyzer) {
    this.sql = sql;
    this.analyzer = analyzer;
    this.tokens = analyzer.tokens();
    this.cores = new CoreAnalyzer(analyzer);
  }

  Spread plan(Query query, Block block) {
    try {
      return merge(query, block);
    } catch (SyntaxException e) {
      return new Spread.Refuse(
          "the statement needs several shards, and " + e.getMessage(),
          "Fix the sharding columns to one key, or fetch the rows and do the rest in the"
              + " application.");
    }
  }

  private static SyntaxException cannot(String why) {
    return new SyntaxException(why);
  }

  private Spread merge(Query query, Block block) {
    if (!(block.placement() instanceof Split split)) {
      throw cannot("it is not a plain query over sharded tables");
    }
    if (query.withTies()) {
      throw cannot("WITH TIES cannot be merged");
    }
    if (query.locking() && query.limits() != null) {
      throw cannot("LIMIT would lock other rows than those it gives");
    }
    LimitRewrite limit = new LimitRewrite(sql, tokens, query);
    HiddenColumns hidden = new HiddenColumns(sql, tokens);
    Facts facts = block.facts();
    if (split.unlessAnchored() == null) {
      List<OrderItem> order = order(query, block, hidden);
      boolean distinct = facts != null && facts.core().distinct() != Distinct.NO;
      if (distinct && hidden.count() > 0) {
        throw cannot("DISTINCT is ordered by what is not selected");
      }
      MergeSpec spec = Merges.sorted(hidden.resolve(order), limit.window(), hidden.count());
      return new Spread.Merge(rewritten(facts, hidden, limit.pushed()), spec);
    }
    boolean rowsAreRight =
        facts != null
            && facts.rows() instanceof Split rows
            && rows.unlessAnchored() == null
            && !facts.windows()
            && !facts.local();
    if (facts == null || !rowsAreRight) {
      throw cannot(String.valueOf(split.unlessAnchored()));
    }
    return facts.grouped()
        ? groupedOrFinished(query, block, facts, limit)
        : distinct(query, block, facts, limit);
  }

  /** What the proxy cannot do by itself one server does of the merged groups. */
  private Spread groupedOrFinished(Query query, Block block, Facts facts, LimitRewrite limit) {
    Core core = facts.core();
    if (hasStar(core) || cores.hasSets(core) || core.distinct() == Distinct.ON) {
      throw cannot("its groups reach over several shards");
    }
    requireEquality(core);
    try {
      return grouped(query, block, facts, limit);
    } catch (SyntaxException e) {
      List<Expression> groups = groupExpressions(core, facts.scope());
      return new FinalPlanner(
              sql, analyzer, query, facts, groups, of -> textOrder(of, facts.scope()))
          .plan();
    }
  }

  private Spread distinct(Query query, Block block, Facts facts, LimitRewrite limit) {
    if (facts.core().distinct() != Distinct.ROWS) {
      throw cannot("DISTINCT ON reaches over several shards");
    }
    requireEquality(facts.core());
    HiddenColumns hidden = new HiddenColumns(sql, tokens);
    List<OrderItem> order = order(query, block, hidden);
    if (hidden.count() > 0) {
      throw cannot("DISTINCT is ordered by what is not selected");
    }
    MergeSpec spec = Merges.distinct(order, limit.window(), 0);
    String text = rewritten(facts, hidden, order.isEmpty() ? limit.dropped() : limit.pushed());
    return new Spread.Merge(text, spec);
  }

  private void requireEquality(Core core) {
    Equality.Stars stars = hasStar(core) ? Equality.Stars.SOME : Equality.Stars.NONE;
    boolean groups = !core.groupBy().isEmpty() || core.distinct() != Distinct.NO;
    String why =
        groups ? new Equality(sql, tokens, analyzer.analysis()).obstacle(core, stars) : null;
    if (why != null) {
      throw cannot(why);
    }
  }

  private String rewritten(
      @Nullable Facts facts, HiddenColumns hidden, LimitRewrite.@Nullable Change limit) {
    StringBuilder text = new StringBuilder(sql);
    if (limit != null) {
      text.replace(limit.from(), limit.to(), limit.text());
    }
    if (facts != null && hidden.count() > 0) {
      int end = tokens.at(facts.core().endOfItems() - 1).end();
      text.insert(end, hidden.text());
    }
    return text.toString();
  }

  private List<OrderItem> order(Query query, Block block, HiddenColumns hidden) {
    List<OrderItem> order = new ArrayList<>();
    for (SortItem item : query.orderBy()) {
      if (item.using()) {
        throw cannot("ORDER BY ... USING cannot be merged");
      }
      order.add(orderItem(item, column(item, block, hidden)));
    }
    return order;
  }

  /** A column of the answer with what is known of its order. */
  private record Column(int position, TextOrder textOrder) {}

  private static OrderItem orderItem(SortItem item, Column column) {
    return new OrderItem(
        column.position(),
        item.descending() ? OrderItem.Direction.DESCENDING : OrderItem.Direction.ASCENDING,
        item.nullsFirst() ? OrderItem.Nulls.FIRST : OrderItem.Nulls.LAST,
        column.textOrder());
  }

  private Column column(SortItem item, Block block, HiddenColumns hidden) {
    Expression expression = item.expression();
    Column ofResult = resultColumn(expression, block);
    if (ofResult != null) {
      return ofResult;
    }
    Facts facts = block.facts();
    if (facts == null) {
      throw cannot("ORDER BY of a set operation names no column that is known");
    }
    Core core = facts.core();
    for (int i = 0; i < core.items().size(); i++) {
      Expression other = core.items().get(i).expression();
      boolean plain = !hasStar(core, i + 1);
      if (plain && sameText(expression, other)) {
        return new Column(i, textOrder(expression, facts.scope()));
      }
    }
    if (core.distinct() != Distinct.NO) {
      throw cannot("DISTINCT is ordered by what is not selected");
    }
    return new Column(hidden.add(expression), textOrder(expression, facts.scope()));
  }

  /** By number or name of a result column. */
  private @Nullable Column resultColumn(Expression expression, Block block) {
    if (expression.to() - expression.from() != 1) {
      return null;
    }
    Token token = tokens.at(expression.from());
    List<Output> outputs = block.outputs();
    if (token.kind() == Token.Kind.INTEGER) {
      int position = analyzer.operands().smallNumber(token) - 1;
      if (position < 0) {
        throw cannot("ORDER BY has a number that is no column");
      }
      boolean bytes =
          block.complete() && position < outputs.size() && outputs.get(position).byteOrdered();
      return new Column(position, bytes ? TextOrder.BYTES : TextOrder.UNKNOWN);
    }
    boolean certain = block.complete() || block.facts() == null || !hasStar(block.facts().core());
    if (!token.isName() || !certain) {
      return null;
    }
    int found = -1;
    for (int i = 0; i < outputs.size(); i++) {
      if (token.text().equals(outputs.get(i).name())) {
        if (found >= 0) {
          return null;
        }
        found = i;
      }
    }
    if (found < 0) {
      requireNoName(token.text(), block);
      return null;
    }
    return new Column(
        found, outputs.get(found).byteOrdered() ? TextOrder.BYTES : TextOrder.UNKNOWN);
  }

  /** A name in ORDER BY means a column of the result before one of a table. */
  private void requireNoName(String name, Block block) {
    Facts facts = block.facts();
    if (facts != null && facts.core().items().stream().anyMatch(i -> cores.mayBeCalled(i, name))) {
      throw cannot("ORDER BY " + name + " may mean a column of the result that has no name");
    }
  }

  private boolean hasStar(Core core) {
    return hasStar(core, core.items().size());
  }

  private boolean hasStar(Core core, int before) {
    for (int i = 0; i < before; i++) {
      if (cores.star(core.items().get(i)) != null) {
        return true;
      }
    }
    return false;
  }

  private boolean sameText(Expression one, Expression other) {
    return tokens.sameTokens(sql, one.from(), one.to(), other.from(), other.to());
  }

  private TextOrder textOrder(Expression expression, Scope scope) {
    int last = expression.to() - 1;
    if (tokens.word(last - 1, "collate")) {
      boolean bytes = tokens.at(last).text().equals("C") || tokens.at(last).text().equals("POSIX");
      return bytes ? TextOrder.BYTES : TextOrder.UNKNOWN;
    }
    Found column = analyzer.operands().column(expression.from(), expression.to(), scope);
    return column != null && column.output().byteOrdered() ? TextOrder.BYTES : TextOrder.UNKNOWN;
  }

  private Spread grouped(Query query, Block block, Facts facts, LimitRewrite limit) {
    Core core = facts.core();
    if (core.having() != null) {
      throw cannot("HAVING is decided on groups that reach over several shards");
    }
    HiddenColumns hidden = new HiddenColumns(sql, tokens);
    AggregateScan aggregates = new AggregateScan(sql, tokens, hidden);
    List<Integer> groups = new ArrayList<>();
    List<Expression> seen = groupExpressions(core, facts.scope());
    for (int i = 0; i < core.items().size(); i++) {
      Expression item = core.items().get(i).expression();
      int group = indexOf(item, seen);
      if (group >= 0) {
        groups.add(i);
        seen.remove(group);
      } else if (!aggregates.add(item, i, textOrder(aggregates.argument(item), facts.scope()))
          && !isConstant(item)) {
        throw cannot(
            "a column of its groups is neither grouped nor count, sum, min, max, avg or bool_*");
      }
    }
    for (Expression rest : seen) {
      groups.add(hidden.add(rest));
    }
    List<OrderItem> order = groupedOrder(query, block, facts, aggregates, hidden);
    List<Aggregate> list = aggregates.resolved();
    List<Integer> columns = groups.stream().map(hidden::position).toList();
    List<OrderItem> items = hidden.resolve(order);
    RowWindow window = limit.window();
    MergeSpec spec =
        core.distinct() == Distinct.ROWS
            ? Merges.groupedDistinct(columns, list, items, window, hidden.count())
            : Merges.grouped(columns, list, items, window, hidden.count());
    return new Spread.Merge(rewritten(facts, hidden, limit.dropped()), spec);
  }

  private List<OrderItem> groupedOrder(
      Query query, Block block, Facts facts, AggregateScan aggregates, HiddenColumns hidden) {
    List<OrderItem> order = new ArrayList<>();
    for (SortItem item : query.orderBy()) {
      HiddenColumns none = new HiddenColumns(sql, tokens);
      Column column = column(item, block, none);
      if (none.count() > 0) {
        Expression expression = item.expression();
        int position = hidden.indexOf(expression);
        if (position == HiddenColumns.NONE) {
          if (facts.core().distinct() != Distinct.NO || !aggregates.isAggregate(expression)) {
            throw cannot("groups are ordered by what is neither selected nor an aggregate");
          }
          TextOrder text = textOrder(aggregates.argument(expression), facts.scope());
          position = hidden.add(expression);
          aggregates.add(expression, position, text);
        }
        column = new Column(position, textOrder(expression, facts.scope()));
      }
      if (item.using()) {
        throw cannot("ORDER BY ... USING cannot be merged");
      }
      order.add(orderItem(item, column));
    }
    return order;
  }

  /** GROUP BY with numbers and labels resolved to the expressions they mean. */
  private List<Expression> groupExpressions(Core core, Scope scope) {
    List<Expression> expressions = new ArrayList<>();
    for (Expression expression : core.groupBy()) {
      int from = tokens.stripFrom(expression.from(), expression.to());
      int to = expression.to() - (from - expression.from());
      Expression stripped = new Expression(from, to, expression.nested());
      // A name means a table's column first; equal text in the select list is then the same column.
      int item = indexOf(stripped, core.items().stream().map(Item::expression).toList());
      if (item < 0) {
        item = cores.groupItem(stripped, core, scope);
      }
      boolean unknown = item < 0 && analyzer.operands().column(from, to, scope) == null;
      if (unknown && tokens.at(from).isName() && cores.itemIndex(stripped, core) >= 0) {
        throw cannot(tokens.at(from).text() + " in GROUP BY may be a column of a function");
      }
      Expression meant = item < 0 ? stripped : core.items().get(item).expression();
      if (indexOf(meant, expressions) < 0) {
        expressions.add(meant);
      }
    }
    return expressions;
  }

  private int indexOf(Expression expression, List<Expression> among) {
    for (int i = 0; i < among.size(); i++) {
      if (sameText(expression, among.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private boolean isConstant(Expression item) {
    for (int i = item.from(); i < item.to(); i++) {
      if (!LiteralText.isReplaced(tokens.at(i).kind()) && !tokens.word(i, "null")) {
        return false;
      }
    }
    return true;
  }
}
