package io.shardmark.proxy.sql;

import io.shardmark.proxy.sql.Analysis.Fact;
import io.shardmark.proxy.sql.Block.Facts;
import io.shardmark.proxy.sql.Placement.Split;
import io.shardmark.proxy.sql.Scope.Found;
import io.shardmark.proxy.sql.Scope.Relation;
import io.shardmark.proxy.sql.Syntax.Core;
import io.shardmark.proxy.sql.Syntax.Distinct;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.Nested;
import io.shardmark.proxy.sql.Syntax.SortItem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** One SELECT: where its joined rows are, and its groups, distinct rows and columns. */
public final class CoreAnalyzer {
  private static final Set<String> GROUPING = Set.of("grouping", "rollup", "cube", "distinct");

  private final Analyzer analyzer;
  private final TokenRange tokens;

  public CoreAnalyzer(Analyzer analyzer) {
    this.analyzer = analyzer;
    this.tokens = analyzer.tokens();
  }

  Block core(Core core, Syntax.QuerySyntax query, Scope scope, List<Split> enclosing) {
    analyzer.analysis().hasScope(core, scope);
    FromNode node = analyzer.from().items(core.from(), scope, enclosing);
    Placement rows = rows(node, core.where(), scope, enclosing);
    List<Split> here = inside(rows, enclosing);
    core.items().forEach(item -> analyzer.nested(item.expression(), scope, here));
    core.groupBy().forEach(expression -> analyzer.nested(expression, scope, here));
    core.distinctOn().forEach(expression -> analyzer.nested(expression, scope, here));
    query.orderBy().forEach(item -> analyzer.nested(item.expression(), scope, here));
    if (core.having() != null) {
      analyzer.nested(core.having(), scope, here);
    }
    return finish(core, query, scope, rows);
  }

  /** Takes WHERE into account; where the joined rows are. */
  Placement rows(
      @Nullable FromNode node, @Nullable Expression where, Scope scope, List<Split> enclosing) {
    Equalities equal = new Equalities();
    if (where != null) {
      analyzer.predicates().apply(where, scope, variable -> true, equal);
    }
    Placement rows = Placement.EVERYWHERE;
    if (node != null) {
      FromNode.PlacedTable placed = FromNode.place(node, equal);
      rows = placed.placement();
      if (rows instanceof Split split) {
        Equalities kept = new Equalities();
        kept.addAll(placed.kept());
        kept.addAll(equal);
        rows = split.carriedBy(kept.closure(split.carriers()));
      }
    }
    if (where != null) {
      nestedInWhere(where, scope, inside(rows, enclosing));
    }
    return rows;
  }

  static List<Split> inside(Placement rows, List<Split> enclosing) {
    if (!(rows instanceof Split split)) {
      return enclosing;
    }
    List<Split> all = new ArrayList<>(enclosing);
    all.add(split);
    return all;
  }

  /** {@code key IN (SELECT key ...)} needs only rows of its shard, as a join does. */
  private void nestedInWhere(Expression where, Scope scope, List<Split> here) {
    Set<Integer> semijoins = new HashSet<>();
    for (Span conjunct : analyzer.predicates().conjuncts(where)) {
      for (Nested nested : where.nested()) {
        int in = membership(conjunct, nested);
        Found column =
            in < 0 ? null : analyzer.operands().column(Span.of(conjunct.from(), in), scope);
        if (column != null && column.variable() != null) {
          semijoins.add(nested.open());
          semijoin(nested.query(), column, scope, here);
        }
      }
    }
    List<Nested> others =
        where.nested().stream().filter(nested -> !semijoins.contains(nested.open())).toList();
    analyzer.nested(new Expression(where.from(), where.to(), others), scope, here);
  }

  /** The token IN, or = before ANY, if the conjunct is {@code x IN (query)}; else -1. */
  private int membership(Span conjunct, Nested nested) {
    if (nested.close() != conjunct.to() - 1 || nested.open() <= conjunct.from()) {
      return -1;
    }
    int before = nested.open() - 1;
    if (tokens.word(before, "in") && !tokens.word(before - 1, "not")) {
      return before;
    }
    boolean any = tokens.word(before, "any") || tokens.word(before, "some");
    return any && tokens.symbol(before - 1, "=") ? before - 1 : -1;
  }

  private void semijoin(Syntax.QuerySyntax query, Found column, Scope scope, List<Split> here) {
    Block block = analyzer.inner(query, analyzer.query(query, scope, here));
    Variable inner = block.outputs().isEmpty() ? null : block.outputs().get(0).variable();
    Variable outer = column.variable();
    if (inner == null || outer == null || inner.type() != outer.type()) {
      analyzer.check(block, here);
      return;
    }
    outer.implies(inner);
    if (!column.outer()) {
      inner.implies(outer);
    }
    boolean sameShard =
        block.placement() instanceof Split split
            && split.unlessAnchored() == null
            && split.carriers().contains(inner)
            && here.stream().anyMatch(s -> s.sameRule(split) && s.carriers().contains(outer));
    if (!sameShard) {
      analyzer.check(block, here);
    }
  }

  private Block finish(Core core, Syntax.QuerySyntax query, Scope scope, Placement rows) {
    List<Variable> groups = grouped(core, scope);
    boolean windows = core.windows() || has(core, query, i -> tokens.word(i, "over"));
    boolean grouped =
        !core.groupBy().isEmpty()
            || core.having() != null
            || has(core, query, this::callsAggregate);
    Set<Variable> on = new HashSet<>();
    core.distinctOn().forEach(expression -> addDistinct(on, expression, core, scope));
    boolean plain = query.limits() == null && !windows && !hasSets(core);
    Outputs outputs = outputs(core, scope);
    Set<Variable> carriers = new HashSet<>();
    List<Scope.ScopeOutput> results = new ArrayList<>();
    for (Scope.ScopeOutput output : outputs.columns()) {
      Variable inner = output.variable();
      if (inner == null) {
        results.add(output);
        continue;
      }
      Variable result = new Variable(inner.type());
      inner.implies(result);
      boolean pushable =
          plain
              && (core.groupBy().isEmpty() || groups.contains(inner))
              && (core.distinct() != Distinct.ON || on.contains(inner));
      if (pushable) {
        result.implies(inner);
      }
      if (rows instanceof Split split && split.carriers().contains(inner)) {
        carriers.add(result);
      }
      results.add(new Scope.ScopeOutput(output.name(), result, output.byteOrdered()));
    }
    if (!(rows instanceof Split split)) {
      Facts facts = new Facts(core, scope, rows, grouped, true, windows);
      return new Block(rows, results, outputs.complete(), facts);
    }
    boolean localGroups =
        !grouped || (!hasSets(core) && groups.stream().anyMatch(split.carriers()::contains));
    boolean localRows =
        switch (core.distinct()) {
          case NO -> true;
          case ROWS -> !carriers.isEmpty();
          case ON -> on.stream().anyMatch(split.carriers()::contains);
        };
    Split placed = split.alsoCarriedBy(carriers);
    if (windows) {
      placed = placed.because("a window function reaches over several shards");
    }
    if (!localGroups) {
      placed = placed.because("groups reach over several shards");
    }
    if (!localRows) {
      placed = placed.because("DISTINCT reaches over several shards");
    }
    Facts facts = new Facts(core, scope, rows, grouped, localGroups && localRows, windows);
    return new Block(placed, results, outputs.complete(), facts);
  }

  /** Whether GROUP BY is more than a list of expressions. */
  public boolean hasSets(Core core) {
    return core.groupBy().stream()
        .anyMatch(
            group ->
                GROUPING.contains(tokens.at(group.from()).text())
                    || group.size() == 0
                    || (tokens.symbol(group.from(), "(") && tokens.symbol(group.from() + 1, ")")));
  }

  private boolean callsAggregate(int i) {
    return CallFacts.isCall(tokens, i)
        && Functions.kind(tokens.at(i).text()) == Functions.FunctionKind.AGGREGATE;
  }

  /** Whether the select list or ORDER BY has such a token, outside of queries in them. */
  private static boolean has(Core core, Syntax.QuerySyntax query, IntPredicate token) {
    for (Expression expression : visible(core, query)) {
      for (int i = expression.from(); i < expression.to(); i++) {
        i = CallFacts.afterNested(expression, i);
        if (token.test(i)) {
          return true;
        }
      }
    }
    return false;
  }

  static List<Expression> visible(Core core, Syntax.QuerySyntax query) {
    List<Expression> all = new ArrayList<>();
    core.items().forEach(item -> all.add(item.expression()));
    query.orderBy().stream().map(SortItem::expression).forEach(all::add);
    return all;
  }

  /** The columns of GROUP BY. */
  private List<Variable> grouped(Core core, Scope scope) {
    Set<Variable> variables = new HashSet<>();
    core.groupBy().forEach(expression -> addGroup(variables, expression, core, scope));
    return new ArrayList<>(variables);
  }

  private void addGroup(Set<Variable> to, Expression expression, Core core, Scope scope) {
    Found column = analyzer.operands().column(expression, scope);
    if (column != null) {
      add(to, column);
      return;
    }
    int item = groupItem(expression, core, scope);
    if (item >= 0) {
      addColumn(to, core.items().get(item).expression(), scope);
    }
  }

  /**
   * Position in the select list of what a number or label in GROUP BY means; -1 if it means none,
   * or not certainly one: columns of the tables come before labels, unlike in ORDER BY.
   */
  public int groupItem(Expression expression, Core core, Scope scope) {
    if (expression.size() != 1) {
      return -1;
    }
    Token name = tokens.at(expression.from());
    return name.isName() && scope.mayHave(name.text()) ? -1 : itemIndex(expression, core);
  }

  /** Numbers and labels come first here, as in ORDER BY. */
  private void addDistinct(Set<Variable> to, Expression expression, Core core, Scope scope) {
    boolean one = expression.size() == 1;
    Token token = tokens.at(expression.from());
    int item = itemIndex(expression, core);
    if (item >= 0) {
      addColumn(to, core.items().get(item).expression(), scope);
    } else if (!one
        || core.items().stream()
            .noneMatch(i -> token.text().equals(label(i)) || mayBeCalled(i, token.text()))) {
      addColumn(to, expression, scope);
    }
  }

  /** Position in the select list of what a number or label means; -1 if not certainly one. */
  public int itemIndex(Expression expression, Core core) {
    Token token = tokens.at(expression.from());
    if (token.kind() == Token.TokenKind.INTEGER) {
      analyzer.analysis().note(Fact.LITERALS_MATTER);
      int position = analyzer.operands().smallNumber(token);
      return position >= 1 && position <= core.items().size() ? position - 1 : -1;
    }
    int found = -1;
    for (int i = 0; token.isName() && i < core.items().size(); i++) {
      if (token.text().equals(label(core.items().get(i)))) {
        found = found < 0 ? i : -2;
      }
    }
    return Math.max(found, -1);
  }

  /** The name a column of the result has; null if that is not certain. */
  public @Nullable String label(Syntax.SyntaxItem item) {
    if (item.label() != null || star(item) != null) {
      return item.label();
    }
    return new ColumnNames(tokens).of(item.expression());
  }

  /** Whether an item without a certain name may have this one. */
  public boolean mayBeCalled(Syntax.SyntaxItem item, String name) {
    return label(item) == null
        && star(item) == null
        && new ColumnNames(tokens).mayBe(name, item.expression());
  }

  private void addColumn(Set<Variable> to, Expression expression, Scope scope) {
    Found column = analyzer.operands().column(expression, scope);
    if (column != null) {
      add(to, column);
    }
  }

  private static void add(Set<Variable> to, Found column) {
    if (column.variable() != null) {
      to.add(column.variable());
    }
  }

  private record Outputs(List<Scope.ScopeOutput> columns, boolean complete) {}

  private Outputs outputs(Core core, Scope scope) {
    List<Scope.ScopeOutput> columns = new ArrayList<>();
    boolean complete = true;
    for (Syntax.SyntaxItem item : core.items()) {
      String star = star(item);
      if (star == null) {
        columns.add(output(item, scope));
        continue;
      }
      complete &= !scope.hasMergedColumns();
      for (Relation relation : scope.relations()) {
        if (star.isEmpty() || star.equals(relation.name())) {
          columns.addAll(relation.columns());
          complete &= relation.complete();
        }
      }
    }
    return new Outputs(columns, complete);
  }

  private Scope.ScopeOutput output(Syntax.SyntaxItem item, Scope scope) {
    Found column = analyzer.operands().column(item.expression(), scope);
    String label = label(item);
    if (column == null) {
      return new Scope.ScopeOutput(label, null, false);
    }
    boolean bytes = column.output().byteOrdered();
    return new Scope.ScopeOutput(label, column.outer() ? null : column.variable(), bytes);
  }

  /** "" for {@code *}, the table's name for {@code t.*}, null for another item. */
  public @Nullable String star(Syntax.SyntaxItem item) {
    if ("*".equals(item.label()) && item.expression().from() == item.expression().to()) {
      return ""; // TABLE name
    }
    int last = item.expression().to() - 1;
    if (last < item.expression().from() || !tokens.symbol(last, "*")) {
      return null;
    }
    if (last == item.expression().from()) {
      return "";
    }
    return tokens.symbol(last - 1, ".") ? tokens.at(last - 2).text() : null;
  }
}
