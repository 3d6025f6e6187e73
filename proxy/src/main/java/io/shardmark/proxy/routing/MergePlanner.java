package io.shardmark.proxy.routing;

import static java.util.Objects.requireNonNull;

import io.shardmark.proxy.merge.MergeSpec;
import io.shardmark.proxy.merge.OrderItem;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.sql.Analyzer;
import io.shardmark.proxy.sql.Block;
import io.shardmark.proxy.sql.Block.Facts;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.CoreAnalyzer;
import io.shardmark.proxy.sql.LimitRewrite;
import io.shardmark.proxy.sql.Placement.Split;
import io.shardmark.proxy.sql.Scope;
import io.shardmark.proxy.sql.Scope.Found;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.Syntax;
import io.shardmark.proxy.sql.Syntax.Core;
import io.shardmark.proxy.sql.Syntax.Distinct;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.SortItem;
import io.shardmark.proxy.sql.SyntaxException;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenRange;
import io.shardmark.proxy.sql.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the rows of a query over several shards are merged, and what each shard is asked. */
final class MergePlanner {
  private static final Set<String> TEXT_TYPES =
      Set.of("text", "varchar", "char", "character", "bpchar");

  private final Analyzer analyzer;
  private final TokenRange tokens;
  private final CoreAnalyzer cores;

  MergePlanner(Analyzer analyzer) {
    this.analyzer = analyzer;
    this.tokens = analyzer.tokens();
    this.cores = new CoreAnalyzer(analyzer);
  }

  ScatterStrategy plan(Syntax.QuerySyntax query, Block block) {
    try {
      return merge(query, block);
    } catch (SyntaxException e) {
      return new ScatterStrategy.RefuseScatter(
          "the statement needs several shards, and " + e.getMessage(),
          "Fix the sharding columns to one key, or fetch the rows and do the rest in the"
              + " application.");
    }
  }

  private static SyntaxException cannot(String why) {
    return new SyntaxException(why);
  }

  private ScatterStrategy merge(Syntax.QuerySyntax query, Block block) {
    if (!(block.placement() instanceof Split split)) {
      throw cannot("it is not a plain query over sharded tables");
    }
    Facts computable = query.locking() ? null : facts(block);
    if (split.unlessAnchored() == null) {
      boolean texts =
          computable != null && query.orderBy().stream().anyMatch(item -> isText(item, computable));
      try {
        if (!texts) {
          return streamed(query, block, block.facts());
        }
      } catch (SyntaxException e) {
        if (computable == null) {
          throw e;
        }
      }
    } else if (computable == null || (computable.local() && !computable.windows())) {
      throw cannot(String.valueOf(split.unlessAnchored()));
    }
    return computed(query, requireNonNull(computable), split);
  }

  /** If one server can compute the query of the joined rows that the shards have. */
  private static @Nullable Facts facts(Block block) {
    Facts facts = block.facts();
    return facts != null && facts.rows() instanceof Split rows && rows.unlessAnchored() == null
        ? facts
        : null;
  }

  private ScatterStrategy computed(Syntax.QuerySyntax query, Facts facts, Split split) {
    String momentary = split.unlessAnchored() == null ? null : momentary();
    if (momentary != null) {
      throw cannot(momentary + " has another value on each shard");
    }
    if (split.unlessAnchored() != null && facts.grouped() && !facts.windows()) {
      try {
        return new GroupsPlanner(analyzer, query, facts).plan();
      } catch (SyntaxException e) {
        // The rows themselves will do.
      }
    }
    return new RowsPlanner(analyzer, query, facts).plan();
  }

  /** The shards' rows are right: they follow each other, or are merged into one order. */
  private ScatterStrategy streamed(Syntax.QuerySyntax query, Block block, @Nullable Facts facts) {
    if (query.withTies()) {
      throw cannot("WITH TIES cannot be merged");
    }
    if (query.locking() && query.limits() != null) {
      throw cannot("LIMIT would lock other rows than those it gives");
    }
    LimitRewrite limit = new LimitRewrite(tokens, query);
    List<String> hidden = new ArrayList<>();
    List<OrderItem> order = order(query, block, hidden);
    boolean distinct = facts != null && facts.core().distinct() != Distinct.NO;
    if (distinct && !hidden.isEmpty()) {
      throw cannot("DISTINCT is ordered by what is not selected");
    }
    LimitRewrite.Count rows = limit.limit();
    LimitRewrite.Count skipped = limit.offset();
    return new ScatterStrategy.Merge(
        rewritten(query, facts, hidden, limit.pushed()),
        new MergeSpec(fromTheEnd(order, hidden.size()), skipped.rows(), rows.rows(), hidden.size()),
        rows.parameter(),
        skipped.parameter());
  }

  /** Whether a collation may order it that only servers know. */
  private boolean isText(SortItem item, Facts facts) {
    Core core = facts.core();
    int column = cores.itemIndex(item.expression(), core);
    boolean one = item.expression().size() == 1;
    boolean named = one && column >= 0 && !hasStar(core, column + 1);
    Expression meant = named ? core.items().get(column).expression() : item.expression();
    if (tokens.word(meant.to() - 2, "collate")) {
      return !isByteOrdered(meant, facts.scope());
    }
    for (int i = meant.from(); i < meant.to(); i++) {
      int end = tokens.afterName(i);
      Found found = analyzer.operands().column(Span.of(i, end), facts.scope());
      boolean whole = i == meant.from() && end == meant.to();
      boolean cast = tokens.symbol(i - 1, "::") || tokens.word(i - 1, "as");
      if (tokens.at(i).kind() == TokenKind.STRING
          || (found != null && isText(found, whole))
          || (cast && TEXT_TYPES.contains(tokens.at(i).text()))) {
        return true;
      }
      i = end - 1;
    }
    return false;
  }

  /**
   * @param whole whether the column is all that it is ordered by
   */
  private static boolean isText(Found column, boolean whole) {
    Variable variable = column.variable();
    return !column.output().byteOrdered()
        || (!whole && variable != null && variable.type() == KeyType.TEXT);
  }

  /** Parts of the statement that each shard computes for itself must be the same on all. */
  private @Nullable String momentary() {
    for (int i = 1; i < tokens.size(); i++) {
      if (tokens.word(i, "select") && !tokens.word(i - 1, "as")) {
        return CallFacts.of(tokens, Span.of(0, tokens.size())).momentary();
      }
    }
    return null;
  }

  private String rewritten(
      Syntax.QuerySyntax query, @Nullable Facts facts, List<String> hidden, String limit) {
    StringBuilder text = new StringBuilder(tokens.sql());
    if (query.limits() != null) {
      int end = tokens.at(query.limits().to() - 1).end();
      text.replace(tokens.at(query.limits().from()).start(), end, limit);
    }
    if (facts != null) {
      int end = tokens.at(facts.core().endOfItems() - 1).end();
      // Under names that ORDER BY does not mean.
      for (int i = hidden.size(); i > 0; i--) {
        text.insert(end, ", " + hidden.get(i - 1) + " AS shardmark_" + i);
      }
    }
    return text.toString();
  }

  /** Of the columns after the client's, which were numbered from -1 down as they were found. */
  private static List<OrderItem> fromTheEnd(List<OrderItem> order, int hidden) {
    return order.stream()
        .map(
            item ->
                item.column() >= 0
                    ? item
                    : new OrderItem(
                        -1 - hidden - item.column(),
                        item.descending(),
                        item.nullsFirst(),
                        item.byteOrdered()))
        .toList();
  }

  /**
   * @param hidden gets what is ordered by and not selected
   */
  private List<OrderItem> order(Syntax.QuerySyntax query, Block block, List<String> hidden) {
    List<OrderItem> order = new ArrayList<>();
    for (SortItem item : query.orderBy()) {
      if (item.using()) {
        throw cannot("ORDER BY ... USING cannot be merged");
      }
      MergedColumn column = column(item, block, hidden);
      order.add(
          new OrderItem(
              column.position(), item.descending(), item.nullsFirst(), column.byteOrdered()));
    }
    return order;
  }

  /** A column of the answer with what is known of its order. */
  private record MergedColumn(int position, boolean byteOrdered) {}

  private MergedColumn column(SortItem item, Block block, List<String> hidden) {
    Expression expression = item.expression();
    MergedColumn ofResult = resultColumn(expression, block);
    if (ofResult != null) {
      return ofResult;
    }
    Facts facts = block.facts();
    if (facts == null) {
      throw cannot("ORDER BY of a set operation names no column that is known");
    }
    Core core = facts.core();
    for (int i = 0; i < core.items().size(); i++) {
      boolean same = tokens.same(expression, core.items().get(i).expression());
      if (same && !hasStar(core, i + 1)) {
        return new MergedColumn(i, isByteOrdered(expression, facts.scope()));
      }
    }
    if (core.distinct() != Distinct.NO) {
      throw cannot("DISTINCT is ordered by what is not selected");
    }
    hidden.add(tokens.text(expression));
    return new MergedColumn(-hidden.size(), isByteOrdered(expression, facts.scope()));
  }

  /** By number or name of a result column. */
  private @Nullable MergedColumn resultColumn(Expression expression, Block block) {
    if (expression.size() != 1) {
      return null;
    }
    Token token = tokens.at(expression.from());
    List<Scope.ScopeOutput> outputs = block.outputs();
    if (token.kind() == TokenKind.INTEGER) {
      int position = analyzer.operands().smallNumber(token) - 1;
      if (position < 0) {
        throw cannot("ORDER BY has a number that is no column");
      }
      boolean bytes =
          block.complete() && position < outputs.size() && outputs.get(position).byteOrdered();
      return new MergedColumn(position, bytes);
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
    return new MergedColumn(found, outputs.get(found).byteOrdered());
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

  private boolean isByteOrdered(Expression expression, Scope scope) {
    int last = expression.to() - 1;
    if (tokens.word(last - 1, "collate")) {
      return tokens.at(last).text().equals("C") || tokens.at(last).text().equals("POSIX");
    }
    Found column = analyzer.operands().column(expression, scope);
    return column != null && column.output().byteOrdered();
  }
}
