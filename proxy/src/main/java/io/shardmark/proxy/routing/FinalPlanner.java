package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.FinalQuery.Part;
import io.shardmark.proxy.routing.Functions.Kind;
import io.shardmark.proxy.routing.Scope.Found;
import io.shardmark.proxy.routing.Scope.Output;
import io.shardmark.proxy.routing.Scope.Relation;
import io.shardmark.proxy.routing.Syntax.Core;
import io.shardmark.proxy.routing.Syntax.Distinct;
import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Syntax.Item;
import io.shardmark.proxy.routing.Syntax.Query;
import io.shardmark.proxy.routing.Syntax.SortItem;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Groups, aggregates, distinct rows and windows that reach over several shards: one server computes
 * them of what the shards give. In the client's expressions each part that the shards have computed
 * becomes a column. Used once.
 */
final class FinalPlanner {
  /** Functions that give the same for the shards' values as for those of one server. */
  private static final Set<Kind> OF_VALUES = EnumSet.of(Kind.IMMUTABLE, Kind.STABLE, Kind.VOLATILE);

  private final String sql;
  private final TokenRange tokens;
  private final Analyzer analyzer;
  private final CoreAnalyzer cores;
  private final Query query;
  private final Core core;
  private final Scope scope;
  private final Block.Facts facts;
  private final List<Expression> groups;
  private final Given given;
  private final boolean grouped;
  private final List<String> columns = new ArrayList<>();
  private final List<@Nullable Output> outputs = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private final Set<String> comparable = new HashSet<>();
  private boolean countsDuplicates;

  /** What the shards give. */
  private enum Given {
    /** Each its groups, with aggregates whose values of several shards can be combined. */
    GROUPS,
    /** The columns that the client's expressions use, of all joined rows. */
    ROWS
  }

  private FinalPlanner(Analyzer analyzer, Query query, Block.Facts facts, Given given) {
    this.sql = analyzer.tokens().sql();
    this.analyzer = analyzer;
    this.tokens = analyzer.tokens();
    this.cores = new CoreAnalyzer(analyzer);
    this.query = query;
    this.core = facts.core();
    this.scope = facts.scope();
    this.facts = facts;
    this.given = given;
    this.groups = groupExpressions();
    this.grouped = isGrouped();
  }

  /**
   * The plan.
   *
   * @throws SyntaxException if it cannot be computed of what the shards give; says why
   */
  static ScatterStrategy.Finish plan(Analyzer analyzer, Query query, Block.Facts facts) {
    if (facts.grouped() && !facts.windows() && facts.core().distinct() != Distinct.ON) {
      try {
        return new FinalPlanner(analyzer, query, facts, Given.GROUPS).plan();
      } catch (SyntaxException e) {
        // The rows themselves will do.
      }
    }
    return new FinalPlanner(analyzer, query, facts, Given.ROWS).plan();
  }

  private ScatterStrategy.Finish plan() {
    if (query.body() != core || core.items().isEmpty()) {
      throw new SyntaxException("its groups stand in parentheses");
    }
    if (core.windows() || cores.hasSets(core)) {
      throw new SyntaxException("WINDOW, GROUPING SETS, CUBE and ROLLUP reach over several shards");
    }
    if (groups.stream().anyMatch(this::isConstant)) {
      throw new SyntaxException("a constant is grouped by");
    }
    if (given == Given.GROUPS) {
      for (Expression group : groups) {
        requireNoQuery(group);
        requireLasting(group);
        add(tokens.text(group), null, Part.VALUE);
      }
    } else {
      requireKnownColumns();
    }
    String select = select();
    String rest = rest();
    if (columns.isEmpty()) {
      add(
          given == Given.GROUPS ? "count(*)" : "1",
          null,
          given == Given.GROUPS ? Part.COUNT : Part.VALUE);
    }
    String rows = given == Given.GROUPS ? groupText() : rowText();
    return new ScatterStrategy.Finish(
        rows + limited(), new FinalQuery(select, rows, rest, given == Given.GROUPS, parts));
  }

  private String select() {
    StringBuilder select = new StringBuilder("SELECT ");
    if (core.distinct() == Distinct.ROWS) {
      select.append("DISTINCT ");
    } else if (core.distinct() == Distinct.ON) {
      List<String> keys = core.distinctOn().stream().map(this::key).toList();
      select.append("DISTINCT ON (").append(String.join(", ", keys)).append(") ");
    }
    List<String> items = new ArrayList<>();
    for (Item item : core.items()) {
      if (cores.star(item) != null) {
        addStar(item, items);
        continue;
      }
      noteComparable(item.expression());
      String label = cores.label(item);
      items.add(
          finished(item.expression()) + (label == null ? "" : " AS " + TableName.quoted(label)));
    }
    return select.append(String.join(", ", items)).toString();
  }

  private void addStar(Item item, List<String> items) {
    String star = cores.star(item);
    if (scope.hasMergedColumns() || given == Given.GROUPS) {
      throw new SyntaxException("* is not a list of columns that are grouped");
    }
    for (Relation relation : scope.relations()) {
      if ("".equals(star) || String.valueOf(star).equals(relation.name())) {
        for (Output output : relation.columns()) {
          String name = TableName.quoted(String.valueOf(output.name()));
          String text = TableName.quoted(String.valueOf(relation.name())) + "." + name;
          if (core.distinct() == Distinct.ROWS) {
            comparable.add(text);
          }
          items.add(RowSource.column(raw(text, output)) + " AS " + name);
        }
      }
    }
  }

  /** DISTINCT compares its columns, so that their types can be compared. */
  private void noteComparable(Expression item) {
    if (core.distinct() == Distinct.ROWS) {
      comparable.add(tokens.text(item));
    }
  }

  private String rest() {
    StringBuilder rest = new StringBuilder();
    if (given == Given.ROWS && !groups.isEmpty()) {
      for (int i = 0; i < groups.size(); i++) {
        comparable.add(tokens.text(groups.get(i)));
        rest.append(i == 0 ? " GROUP BY (" : ", (").append(finished(groups.get(i))).append(')');
      }
    }
    if (core.having() != null) {
      rest.append(given == Given.ROWS ? " HAVING " : " WHERE ").append(finished(core.having()));
    }
    for (int i = 0; i < query.orderBy().size(); i++) {
      rest.append(i == 0 ? " ORDER BY " : ", ").append(order(query.orderBy().get(i)));
    }
    if (query.limits() != null) {
      rest.append(' ').append(tokens.text(query.limits()));
    }
    return rest.toString();
  }

  /** GROUP BY with numbers and labels resolved to the expressions they mean. */
  private List<Expression> groupExpressions() {
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
        throw new SyntaxException(
            tokens.at(from).text() + " in GROUP BY may be a column of a function");
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
      if (tokens.sameTokens(
          expression.from(), expression.to(), among.get(i).from(), among.get(i).to())) {
        return i;
      }
    }
    return -1;
  }

  // ---- what the shards are asked ----

  /**
   * Of plain rows the shards give the first ones only; for LIMIT 0 a server computes nothing, and
   * the shards neither.
   */
  private String limited() {
    try {
      LimitRewrite limit = new LimitRewrite(tokens, query);
      boolean plain = !grouped && core.distinct() == Distinct.NO && !facts.windows();
      if (plain && query.limits() != null && !query.withTies()) {
        LimitRewrite.Change change = limit.pushed();
        return ordered() + (change == null ? " " + tokens.text(query.limits()) : change.text());
      }
      LimitRewrite.Change change = limit.dropped();
      return change == null ? "" : change.text().stripTrailing();
    } catch (SyntaxException e) {
      return ""; // an expression, which the last server computes
    }
  }

  /** ORDER BY in the shards' own columns. */
  private String ordered() {
    boolean stars = core.items().stream().anyMatch(item -> cores.star(item) != null);
    List<String> keys = new ArrayList<>();
    for (SortItem item : query.orderBy()) {
      Expression key = item.expression();
      boolean one = key.to() - key.from() == 1;
      int column = one ? cores.itemIndex(key, core) : -1;
      if (stars && tokens.at(key.from()).kind() == Token.Kind.INTEGER) {
        throw new SyntaxException("a number counts the columns of *");
      }
      Expression meant = column < 0 ? key : core.items().get(column).expression();
      if (!isConstant(meant)) { // which orders nothing, and a number would count columns
        keys.add("(" + tokens.text(meant) + ")" + direction(item));
      }
    }
    return keys.isEmpty() ? "" : " ORDER BY " + String.join(", ", keys);
  }

  private boolean isConstant(Expression expression) {
    for (int i = expression.from(); i < expression.to(); i++) {
      if (tokens.at(i).isName()) {
        return false;
      }
    }
    return true;
  }

  private static String direction(SortItem item) {
    return (item.descending() ? " DESC" : " ASC")
        + (item.nullsFirst() ? " NULLS FIRST" : " NULLS LAST");
  }

  /** Everything up to HAVING, with groups and aggregates selected. */
  private String groupText() {
    StringBuilder text = fromText("SELECT ");
    for (int i = 0; i < groups.size(); i++) {
      text.append(i == 0 ? " GROUP BY " : ", ").append('(').append(columns.get(i)).append(')');
    }
    return text.toString();
  }

  /** Everything up to GROUP BY, with the columns selected; once, where duplicates do not count. */
  private String rowText() {
    boolean once = grouped || core.distinct() == Distinct.ROWS;
    boolean distinct =
        once && !countsDuplicates && !facts.windows() && comparable.containsAll(columns);
    return fromText(distinct ? "SELECT DISTINCT " : "SELECT ").toString();
  }

  private StringBuilder fromText(String select) {
    int start = core.items().get(0).expression().from() - 1;
    while (start >= 0 && !tokens.word(start, "select")) {
      start--;
    }
    int end = query.to();
    if (!core.groupBy().isEmpty()) {
      end = clauseStart("group", core.groupBy().get(0), "its GROUP BY is not a list of columns");
    } else if (core.having() != null) {
      end = core.having().from() - 1;
    } else if (!query.orderBy().isEmpty()) {
      Expression first = query.orderBy().get(0).expression();
      end = clauseStart("order", first, "its ORDER BY is not found in the text");
    } else if (query.limits() != null) {
      end = query.limits().from();
    }
    if (start < 0 || end <= core.endOfItems()) {
      throw new SyntaxException("its groups are not found in the text");
    }
    StringBuilder text = new StringBuilder(sql.substring(0, tokens.at(start).start()));
    text.append(select).append(String.join(", ", columns)).append(' ');
    return text.append(sql, tokens.at(core.endOfItems()).start(), tokens.at(end - 1).end());
  }

  /** The first word of GROUP BY or ORDER BY. */
  private int clauseStart(String word, Expression first, String otherwise) {
    int by = first.from() - 1;
    while (tokens.symbol(by, "(")) {
      by--;
    }
    if (!tokens.word(by, "by") || !tokens.word(by - 1, word)) {
      throw new SyntaxException(otherwise);
    }
    return by - 1;
  }

  // ---- the client's expressions over what the shards give ----

  private String order(SortItem item) {
    if (item.using()) {
      throw new SyntaxException("ORDER BY ... USING cannot be merged");
    }
    return key(item.expression()) + direction(item);
  }

  /** Of ORDER BY or DISTINCT ON: a number or name of a result column, or an expression. */
  private String key(Expression expression) {
    boolean one = expression.to() - expression.from() == 1;
    Token token = tokens.at(expression.from());
    if (one && token.kind() == Token.Kind.INTEGER) {
      return tokens.text(expression);
    }
    boolean label =
        one
            && token.isName()
            && core.items().stream().anyMatch(item -> token.text().equals(cores.label(item)));
    if (!label
        && one
        && core.items().stream().anyMatch(item -> cores.mayBeCalled(item, token.text()))) {
      throw new SyntaxException(
          "ORDER BY " + token.text() + " may mean a column of the result that has no name");
    }
    return label ? TableName.quoted(token.text()) : finished(expression);
  }

  private String finished(Expression expression) {
    requireNoQuery(expression);
    return finished(expression.from(), expression.to(), expression, !grouped);
  }

  /**
   * @param inner whether columns that are not grouped may stand here
   */
  private String finished(int from, int to, Expression within, boolean inner) {
    StringBuilder text = new StringBuilder();
    int copied = tokens.at(from).start();
    int i = from;
    while (i < to) {
      int end = i;
      String replaced = null;
      int group = inner ? -1 : groupAt(i, within);
      if (group >= 0) {
        Expression by = groups.get(group);
        end = i + by.to() - by.from();
        replaced = given == Given.GROUPS ? RowSource.column(group) : finished(i, end, within, true);
      } else if (!inner && isAggregate(i)) {
        end = callEnd(i);
        replaced = aggregate(i, end, within);
      } else {
        end = nameEnd(i, to);
        replaced = end > i ? column(i, end, inner) : null;
      }
      if (replaced != null) {
        text.append(sql, copied, tokens.at(i).start()).append(replaced);
        copied = tokens.at(end - 1).end();
        i = end;
      } else {
        i = Math.max(nameEnd(i, to), i + 1);
      }
    }
    return text.append(sql, copied, tokens.at(to - 1).end()).toString();
  }

  private static void requireNoQuery(Expression expression) {
    if (!expression.nested().isEmpty()) {
      throw new SyntaxException("a subquery stands beside aggregates");
    }
  }

  /** The time, or chance: one server has one value for a statement, several have several. */
  private void requireLasting(Expression expression) {
    String momentary = CallFacts.of(tokens, List.of(expression)).momentary();
    if (momentary != null) {
      throw new SyntaxException(momentary + " has another value on each shard");
    }
  }

  /** The group that is written here as an operand of its own, or -1. */
  private int groupAt(int i, Expression within) {
    for (int group = 0; group < groups.size(); group++) {
      Expression by = groups.get(group);
      int end = i + by.to() - by.from();
      boolean same = end <= within.to() && tokens.sameTokens(i, end, by.from(), by.to());
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

  // ---- aggregates ----

  /** The end of a call with WITHIN GROUP and FILTER, if one begins here; else i. */
  private int callEnd(int i) {
    int name = nameOfCall(i);
    if (tokens.symbol(i - 1, ".") || !CallScan.isCall(tokens, name)) {
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

  /** Whether the call of an aggregate begins here, which is not one of a window. */
  private boolean isAggregate(int i) {
    int end = callEnd(i);
    return end > i
        && Functions.kind(tokens.at(nameOfCall(i)).text()) == Kind.AGGREGATE
        && !tokens.word(end, "over");
  }

  private boolean isGrouped() {
    boolean found = !core.groupBy().isEmpty() || core.having() != null;
    for (Expression expression : CoreAnalyzer.visible(core, query)) {
      for (int i = expression.from(); i < expression.to(); i++) {
        found |= isAggregate(i);
        requireComputable(i);
      }
    }
    return found;
  }

  private void requireComputable(int i) {
    if (callEnd(i) > i) {
      String name = tokens.at(nameOfCall(i)).text();
      Kind kind = Functions.kind(name);
      if (!OF_VALUES.contains(kind) && kind != Kind.AGGREGATE && kind != Kind.WINDOW) {
        throw new SyntaxException(
            "function " + name + "() cannot be computed of what several shards give");
      }
    }
  }

  private String aggregate(int from, int to, Expression within) {
    int open = nameOfCall(from) + 1;
    String name = tokens.at(open - 1).text();
    boolean distinct = tokens.word(open + 1, "distinct");
    boolean once = name.equals("min") || name.equals("max") || Part.BOOL_OR == part(name);
    if (given == Given.ROWS) {
      countsDuplicates |= !distinct && !once && part(name) != Part.BOOL_AND;
      if (distinct) {
        comparable.add(tokens.text(open + 2, tokens.partner(open)));
      }
      return finished(from, to, within, true);
    }
    Part part = part(name);
    boolean ordered = CallScan.hasWord(tokens, open + 1, tokens.partner(open), "order");
    if (part == null
        || ordered
        || (distinct && !once)
        || tokens.word(tokens.partner(open) + 1, "within")) {
      throw new SyntaxException(
          "function " + name + "() cannot be computed of several shards' groups");
    }
    Expression call = new Expression(from, to, List.of());
    requireLasting(call);
    String text = tokens.text(call);
    int known = columns.lastIndexOf(text);
    if (known >= groups.size()) {
      return RowSource.column(known);
    }
    int column = add(text, null, part);
    if (part == Part.AVERAGE) {
      String rest = tokens.text(open, to);
      add("pg_catalog.sum" + rest, null, Part.SUM_OF_AVERAGE);
      add("pg_catalog.count" + rest, null, Part.COUNT_OF_AVERAGE);
    }
    return RowSource.column(column);
  }

  private static @Nullable Part part(String aggregate) {
    return switch (aggregate) {
      case "count" -> Part.COUNT;
      case "sum" -> Part.SUM;
      case "min" -> Part.MIN;
      case "max" -> Part.MAX;
      case "avg" -> Part.AVERAGE;
      case "bool_and", "every" -> Part.BOOL_AND;
      case "bool_or" -> Part.BOOL_OR;
      case "bit_and" -> Part.BIT_AND;
      case "bit_or" -> Part.BIT_OR;
      case "bit_xor" -> Part.BIT_XOR;
      default -> null;
    };
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
    if (!begins) {
      return i;
    }
    int end = i + 1;
    while (end + 1 < to && tokens.symbol(end, ".") && tokens.at(end + 1).isName()) {
      end += 2;
    }
    if (given == Given.ROWS && tokens.symbol(end, ".")) {
      throw new SyntaxException("a whole row of " + tokens.at(i).text() + " is used");
    }
    boolean other = tokens.symbol(end, "(") || tokens.at(end).kind() == Token.Kind.STRING;
    return other ? i : end;
  }

  /** What a name becomes; null for one that is no column. */
  private @Nullable String column(int from, int to, boolean inner) {
    Found column = analyzer.operands().column(from, to, scope);
    int group = inner ? -1 : groupOf(from, to, column);
    if (group >= 0 && given == Given.GROUPS) {
      return RowSource.column(group);
    }
    Token last = tokens.at(to - 1);
    if (column != null && (group >= 0 || inner)) {
      return RowSource.column(raw(tokens.text(from, to), column.output()));
    }
    boolean table =
        given == Given.ROWS
            && scope.relations().stream().anyMatch(r -> last.text().equals(r.name()));
    if (column != null || table || to - from > 1 || last.kind() == Token.Kind.QUOTED) {
      throw new SyntaxException("\"" + last.text() + "\" is neither grouped nor in an aggregate");
    }
    return null;
  }

  @SuppressWarnings("ReferenceEquality") // the same column of the same table
  private int groupOf(int from, int to, @Nullable Found column) {
    for (int group = 0; group < groups.size(); group++) {
      Expression by = groups.get(group);
      Found key = analyzer.operands().column(by.from(), by.to(), scope);
      if (tokens.sameTokens(from, to, by.from(), by.to())
          || (column != null && key != null && column.output() == key.output())) {
        return group;
      }
    }
    return -1;
  }

  /** The column of the shards' rows with that column's values. */
  @SuppressWarnings("ReferenceEquality") // the same column of the same table
  private int raw(String text, Output output) {
    for (int i = 0; i < columns.size(); i++) {
      // A column of JOIN USING is not always that of one of the tables.
      boolean same = outputs.get(i) == output && !scope.hasMergedColumns();
      if (same || columns.get(i).equals(text)) {
        return i;
      }
    }
    return add(text, output, Part.VALUE);
  }

  private int add(String text, @Nullable Output output, Part part) {
    columns.add(text);
    outputs.add(output);
    parts.add(part);
    return columns.size() - 1;
  }

  private void requireKnownColumns() {
    for (Relation relation : scope.relations()) {
      boolean known =
          relation.complete()
              && relation.name() != null
              && relation.columns().stream().noneMatch(output -> output.name() == null);
      if (!known) {
        throw new SyntaxException("the columns of what it reads are not known");
      }
    }
  }
}
