package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.TableName;
import io.shardmark.proxy.sql.Analyzer;
import io.shardmark.proxy.sql.Block;
import io.shardmark.proxy.sql.CallFacts;
import io.shardmark.proxy.sql.Functions;
import io.shardmark.proxy.sql.Functions.FunctionKind;
import io.shardmark.proxy.sql.LimitRewrite;
import io.shardmark.proxy.sql.Scope;
import io.shardmark.proxy.sql.Scope.Found;
import io.shardmark.proxy.sql.Scope.Relation;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.Syntax;
import io.shardmark.proxy.sql.Syntax.Distinct;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.SortItem;
import io.shardmark.proxy.sql.SyntaxException;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Groups, aggregates, distinct rows, windows and orders that reach over several shards: the shards
 * give the columns that the client's expressions name, of the joined rows that WHERE leaves, and
 * one server computes the rest of the client's text, which stays as it is. Used once.
 */
final class RowsPlanner extends CorePlanner {
  private static final Set<String> QUERY = Set.of("select", "values", "with", "table");

  /** A column of the shards' rows. */
  private record GivenRows(Relation relation, Scope.ScopeOutput output) {
    String text() {
      return quoted(relation.name()) + "." + quoted(output.name());
    }
  }

  private final Set<String> names = new HashSet<>();
  private final boolean stars;

  RowsPlanner(Analyzer analyzer, Syntax.QuerySyntax query, Block.Facts facts) {
    super(analyzer, query, facts);
    this.stars = core.items().stream().anyMatch(item -> cores.star(item) != null);
  }

  private static String quoted(@Nullable String name) {
    return TableName.quoted(String.valueOf(name));
  }

  @Override
  ScatterStrategy.Finish plan() {
    if (query.body() != core || core.items().isEmpty()) {
      throw new SyntaxException("its groups are in parentheses");
    }
    requireNoOrder(0, core.select());
    requireNoOrder(core.endOfItems(), core.endOfWhere());
    read(core.select(), core.endOfItems());
    read(core.endOfWhere(), query.to());
    List<GivenRows> columns = columns();
    String list =
        columns.isEmpty()
            ? "1 AS " + RowSource.column(0)
            : RowSource.list(
                columns.size(), i -> columns.get(i).text() + " AS " + RowSource.column(i));
    String rows = core.text(tokens, (isGivenOnce(columns) ? "SELECT DISTINCT " : "SELECT ") + list);
    String rest =
        core.endOfWhere() < query.to() ? " " + tokens.text(core.endOfWhere(), query.to()) : "";
    GatheredTables.GatheredTableRows source =
        new GatheredTables.GatheredTableRows(rows + " LIMIT 0", alias(columns), List.of());
    return new ScatterStrategy.Finish(
        rows + limited(), new GatheredTables(List.of(items() + " FROM ", rest), List.of(source)));
  }

  /** Aggregates take the rows of a subquery in its order, which rows of shards together lose. */
  private void requireNoOrder(int from, int to) {
    for (int i = from; i + 1 < to; i++) {
      if (tokens.word(i, "order") && tokens.word(i + 1, "by")) {
        throw new SyntaxException("a subquery has an order");
      }
    }
  }

  /** What the text of the client's that stays names. */
  private void read(int from, int to) {
    for (int i = from; i < to; i++) {
      Token token = tokens.at(i);
      boolean row =
          token.isName()
              && !tokens.symbol(i + 1, ".")
              && !tokens.word(i - 1, "as")
              && scope.relations().stream().anyMatch(r -> token.text().equals(r.name()))
              && scope.find(null, token.text()) == null;
      if (row || (tokens.symbol(i, "*") && tokens.symbol(i - 1, ".") && !endsItem(i))) {
        throw new SyntaxException("a whole row of a table is used");
      }
      if (tokens.symbol(i - 1, "(") && QUERY.contains(token.text())) {
        throw new SyntaxException("a subquery is used with aggregates");
      }
      if (token.kind() == TokenKind.OTHER_STRING) {
        throw new SyntaxException("a name may be written with U&");
      }
      if (token.isName()) {
        names.add(token.text());
      }
    }
  }

  private boolean endsItem(int star) {
    return core.items().stream()
        .anyMatch(item -> item.expression().to() == star + 1 && cores.star(item) != null);
  }

  private List<GivenRows> columns() {
    if (scope.hasMergedColumns(names) || (stars && scope.hasMergedColumns())) {
      throw new SyntaxException("a column of JOIN USING belongs to two tables");
    }
    List<GivenRows> columns = new ArrayList<>();
    for (Relation relation : scope.relations()) {
      if (!relation.complete() || relation.name() == null) {
        throw new SyntaxException("the columns of what it reads are not known");
      }
      for (Scope.ScopeOutput output : relation.columns()) {
        if (output.name() == null) {
          throw new SyntaxException("the columns of what it reads are not known");
        }
        if (names.contains(output.name()) || isStarred(relation)) {
          columns.add(new GivenRows(relation, output));
        }
      }
    }
    return columns;
  }

  private boolean isStarred(Relation relation) {
    return core.items().stream()
        .map(cores::star)
        .anyMatch(star -> "".equals(star) || (star != null && star.equals(relation.name())));
  }

  /** The shards' rows, and from them each table with the columns that it has under its name. */
  private String alias(List<GivenRows> columns) {
    StringBuilder alias = new StringBuilder("\"shardmark\" (");
    alias.append(RowSource.list(Math.max(1, columns.size()), RowSource::column)).append(')');
    int next = 0;
    while (next < columns.size()) {
      int first = next;
      Relation relation = columns.get(first).relation();
      while (next < columns.size() && columns.get(next).relation().equals(relation)) {
        next++;
      }
      int size = next - first;
      alias.append(
          " CROSS JOIN LATERAL (SELECT %s) AS %s (%s)"
              .formatted(
                  RowSource.list(size, i -> RowSource.column(first + i)),
                  quoted(relation.name()),
                  RowSource.list(size, i -> quoted(columns.get(first + i).output().name()))));
    }
    return alias.toString();
  }

  /** The select list; {@code *} would be the shards' rows as well. */
  private String items() {
    StringBuilder text = new StringBuilder();
    int copied = tokens.at(core.select()).start();
    for (Syntax.SyntaxItem item : core.items()) {
      if ("".equals(cores.star(item))) {
        Token star = tokens.at(item.expression().from());
        text.append(tokens.sql(), copied, star.start());
        text.append(
            RowSource.list(
                scope.relations().size(), i -> quoted(scope.relations().get(i).name()) + ".*"));
        copied = star.end();
      }
    }
    return text.append(tokens.sql(), copied, tokens.at(core.endOfItems() - 1).end()).toString();
  }

  /**
   * Whether each shard may leave duplicates out: they count nowhere, and nothing distinguishes
   * equal values apart, as a cast to text does with 1.0 and 1.00.
   */
  private boolean isGivenOnce(List<GivenRows> columns) {
    if ((!facts.grouped() && core.distinct() != Distinct.ROWS) || facts.windows()) {
      return false;
    }
    Set<Scope.ScopeOutput> comparable = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Span> compared = new ArrayList<>();
    for (Expression group : core.groupBy()) {
      int item = cores.groupItem(group, core, scope);
      compared.add(item < 0 ? group : core.items().get(item).expression());
    }
    if (core.distinct() == Distinct.ROWS) {
      scope.relations().stream()
          .filter(this::isStarred)
          .forEach(relation -> comparable.addAll(relation.columns()));
      core.items().stream()
          .filter(item -> cores.star(item) == null)
          .forEach(item -> compared.add(item.expression()));
    }
    for (int i = core.select(); i < query.to(); i++) {
      if (i == core.endOfItems()) {
        i = core.endOfWhere();
      }
      String name = tokens.at(i).text();
      if (CallFacts.isCall(tokens, i) && Functions.kind(name) == FunctionKind.AGGREGATE) {
        int close = tokens.partner(i + 1);
        boolean distinct = tokens.word(i + 2, "distinct");
        boolean once = distinct || name.equals("min") || name.equals("max");
        if (!once || tokens.word(close + 1, "filter")) {
          return false;
        }
        compared.add(Span.of(i + (distinct ? 3 : 2), close));
      }
    }
    for (Span expression : compared) {
      Found found = analyzer.operands().column(expression, scope);
      if (found == null) {
        return false;
      }
      comparable.add(found.output());
    }
    return columns.stream().allMatch(column -> comparable.contains(column.output()));
  }

  /** Of plain rows the shards give the first ones only. */
  private String limited() {
    boolean plain = !facts.grouped() && core.distinct() == Distinct.NO && !facts.windows();
    if (!plain || query.limits() == null || query.withTies()) {
      return "";
    }
    try {
      return ordered() + " " + new LimitRewrite(tokens, query).pushed();
    } catch (SyntaxException e) {
      return ""; // all of them: the last server knows what is meant
    }
  }

  /** ORDER BY in the shards' own columns. */
  private String ordered() {
    List<String> keys = new ArrayList<>();
    for (SortItem item : query.orderBy()) {
      Expression key = item.expression();
      Token token = tokens.at(key.from());
      boolean one = key.size() == 1;
      int column = one ? cores.itemIndex(key, core) : -1;
      boolean uncertain =
          item.using()
              || (stars && token.kind() == TokenKind.INTEGER)
              || (column < 0 && mayMeanUnnamed(item));
      if (uncertain) {
        throw new SyntaxException("what it is ordered by");
      }
      Expression meant = column < 0 ? key : core.items().get(column).expression();
      if (tokens.hasName(meant)) { // else it orders nothing, and a number would count columns
        keys.add("(" + tokens.text(meant) + ")" + item.direction());
      }
    }
    return keys.isEmpty() ? "" : " ORDER BY " + String.join(", ", keys);
  }
}
