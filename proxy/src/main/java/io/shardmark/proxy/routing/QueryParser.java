package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Syntax.Body;
import io.shardmark.proxy.routing.Syntax.Core;
import io.shardmark.proxy.routing.Syntax.Cte;
import io.shardmark.proxy.routing.Syntax.Distinct;
import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Syntax.FromItem;
import io.shardmark.proxy.routing.Syntax.Item;
import io.shardmark.proxy.routing.Syntax.Nested;
import io.shardmark.proxy.routing.Syntax.Parenthesised;
import io.shardmark.proxy.routing.Syntax.Query;
import io.shardmark.proxy.routing.Syntax.Rows;
import io.shardmark.proxy.routing.Syntax.SetOperation;
import io.shardmark.proxy.routing.Syntax.SortItem;
import io.shardmark.proxy.routing.Syntax.Statement;
import io.shardmark.proxy.routing.Syntax.With;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a query into its clauses (PG18 sql-select). Works because all words that end a clause are
 * reserved: outside parentheses they cannot be anything else, but for the few places {@link
 * #isStop} knows.
 */
final class QueryParser {
  static final Set<String> AFTER_CORE =
      Set.of("union intersect except order limit offset fetch for".split(" ", -1));
  private static final Set<String> AFTER_ITEMS =
      Set.of(
          ("into from where group having window union intersect except order limit"
                  + " offset fetch for")
              .split(" ", -1));
  private final TokenRange tokens;
  private final FromParser fromParser;
  private int at;
  private int end;
  private final List<Expression> expressions = new ArrayList<>();
  private final BitSet bodies = new BitSet();

  QueryParser(TokenRange tokens) {
    this.tokens = tokens;
    this.fromParser = new FromParser(this, tokens);
  }

  /** How many SELECT, VALUES and TABLE bodies were read. */
  int queryCount() {
    return bodies.cardinality();
  }

  TokenRange tokens() {
    return tokens;
  }

  /** The query that fills the range. */
  Query query(int from, int to) {
    int savedAt = at;
    int savedEnd = end;
    at = from;
    end = to;
    Query query = wholeQuery(from, to);
    at = savedAt;
    end = savedEnd;
    return query;
  }

  private Query wholeQuery(int from, int to) {
    With with = with();
    Body body = setExpression();
    Tail tail = new Tail();
    while (at < end) {
      tailClause(tail);
    }
    Expression limits =
        tail.limitsFrom < 0 ? null : new Expression(tail.limitsFrom, tail.limitsTo, List.of());
    return new Query(
        with,
        body,
        tail.orderBy,
        tail.limit,
        tail.offset,
        limits,
        tail.withTies,
        tail.locking,
        from,
        to);
  }

  private static final class Tail {
    private List<SortItem> orderBy = List.of();
    private @Nullable Expression limit;
    private @Nullable Expression offset;
    private int limitsFrom = -1;
    private int limitsTo;
    private boolean withTies;
    private boolean locking;

    private void limits(int from, int to) {
      if (limitsFrom >= 0 && limitsTo != from) {
        throw new SyntaxException("LIMIT and OFFSET apart");
      }
      limitsFrom = limitsFrom < 0 ? from : limitsFrom;
      limitsTo = to;
    }
  }

  private void tailClause(Tail tail) {
    int from = at;
    if (tokens.word(at, "order")) {
      at += 2;
      tail.orderBy = sortItems(clauseEnd(AFTER_CORE));
    } else if (tokens.word(at, "limit")) {
      at++;
      tail.limit = expression(at, clauseEnd(AFTER_CORE));
      at = tail.limit.to();
      tail.limits(from, at);
    } else if (tokens.word(at, "offset")) {
      at++;
      int to = clauseEnd(AFTER_CORE);
      boolean rows = tokens.word(to - 1, "rows") || tokens.word(to - 1, "row");
      tail.offset = expression(at, rows ? to - 1 : to);
      at = to;
      tail.limits(from, at);
    } else if (tokens.word(at, "fetch")) {
      fetch(tail);
      tail.limits(from, at);
    } else if (tokens.word(at, "for")) {
      tail.locking = true;
      at++;
      at = clauseEnd(AFTER_CORE);
    } else {
      throw new SyntaxException("unexpected " + tokens.at(at).text());
    }
  }

  /** FETCH FIRST [count] ROW[S] ONLY | WITH TIES. */
  private void fetch(Tail tail) {
    int to = clauseEndAfter(AFTER_CORE);
    boolean ties = tokens.word(to - 1, "ties");
    tail.withTies = ties;
    int countTo = to - (ties ? 3 : 2);
    if (countTo < at + 2) {
      throw new SyntaxException("FETCH");
    }
    if (countTo == at + 2) {
      throw new SyntaxException("FETCH without a count");
    }
    tail.limit = expression(at + 2, countTo);
    at = to;
  }

  private int clauseEndAfter(Set<String> stops) {
    return clauseEnd(at + 1, end, stops);
  }

  private int clauseEnd(Set<String> stops) {
    return clauseEnd(at, end, stops);
  }

  /** The first token from {@code from} on, outside parentheses, that starts another clause. */
  int clauseEnd(int from, int to, Set<String> stops) {
    int i = from;
    while (i < to && !(stops.contains(tokens.at(i).text()) && isStop(i))) {
      i = tokens.skip(i);
    }
    return i;
  }

  /** Whether a reserved word is one, not a label, an attribute or part of another construct. */
  boolean isStop(int i) {
    if (tokens.at(i).kind() != Token.Kind.WORD
        || tokens.symbol(i - 1, ".")
        || tokens.word(i - 1, "as")) {
      return false;
    }
    return switch (tokens.at(i).text()) {
      case "from" ->
          !(tokens.word(i - 1, "distinct")
              && (tokens.word(i - 2, "is") || tokens.word(i - 2, "not")));
      case "group" -> !tokens.word(i - 1, "within");
      default -> true;
    };
  }

  private With with() {
    if (!tokens.word(at, "with")) {
      return With.NONE;
    }
    at++;
    boolean recursive = tokens.word(at, "recursive");
    if (recursive) {
      at++;
    }
    List<Cte> ctes = new ArrayList<>();
    do {
      ctes.add(cte());
    } while (accept(","));
    return new With(recursive, ctes);
  }

  private Cte cte() {
    String name = name();
    List<String> columns = tokens.symbol(at, "(") ? nameList() : List.of();
    word("as");
    if (tokens.word(at, "not")) {
      at++;
    }
    if (tokens.word(at, "materialized")) {
      at++;
    }
    if (!tokens.symbol(at, "(")) {
      throw new SyntaxException("WITH");
    }
    int close = tokens.partner(at);
    Statement statement = nestedStatement(at + 1, close);
    at = close + 1;
    if (tokens.word(at, "search") || tokens.word(at, "cycle")) {
      throw new SyntaxException("SEARCH and CYCLE");
    }
    return new Cte(name, columns, statement);
  }

  private Statement nestedStatement(int from, int to) {
    int savedAt = at;
    int savedEnd = end;
    Statement statement = ChangeParser.of(this, tokens).statement(from, to);
    at = savedAt;
    end = savedEnd;
    return statement;
  }

  /** Reads WITH at {@code from}; {@link #position} is then behind it. */
  With with(int from, int to) {
    at = from;
    end = to;
    return with();
  }

  private Body setExpression() {
    Body left = intersection();
    while (tokens.word(at, "union") || tokens.word(at, "except")) {
      String operator = tokens.at(at).text();
      at++;
      left = new SetOperation(operator, all(), left, intersection());
    }
    return left;
  }

  private Body intersection() {
    Body left = primary();
    while (tokens.word(at, "intersect")) {
      at++;
      left = new SetOperation("intersect", all(), left, primary());
    }
    return left;
  }

  private boolean all() {
    if (tokens.word(at, "all") || tokens.word(at, "distinct")) {
      at++;
      return tokens.word(at - 1, "all");
    }
    return false;
  }

  private Body primary() {
    if (at < end && tokens.symbol(at, "(")) {
      int close = tokens.partner(at);
      Query inner = query(at + 1, close);
      at = close + 1;
      return new Parenthesised(inner);
    }
    if (at < end && tokens.word(at, "select")) {
      return core();
    }
    if (at < end && tokens.word(at, "values")) {
      return values();
    }
    if (at < end && tokens.word(at, "table")) {
      return table();
    }
    throw new SyntaxException("no query");
  }

  private Body table() {
    bodies.set(at);
    int from = at;
    at++;
    FromItem item = fromParser.table(at);
    at = fromParser.position();
    Expression star = new Expression(from, from, List.of());
    return new Core(
        Distinct.NO,
        List.of(),
        List.of(new Item(star, "*")),
        from,
        from,
        at,
        List.of(item),
        null,
        List.of(),
        null,
        false);
  }

  private Body values() {
    bodies.set(at);
    at++;
    List<List<Expression>> rows = new ArrayList<>();
    do {
      if (!tokens.symbol(at, "(")) {
        throw new SyntaxException("VALUES");
      }
      int close = tokens.partner(at);
      rows.add(expressions(at + 1, close));
      at = close + 1;
    } while (accept(","));
    return new Rows(rows);
  }

  private Core core() {
    final int select = at;
    bodies.set(at);
    at++;
    Distinct distinct = Distinct.NO;
    List<Expression> distinctOn = List.of();
    if (tokens.word(at, "distinct")) {
      at++;
      distinct = Distinct.ROWS;
      if (tokens.word(at, "on")) {
        distinct = Distinct.ON;
        distinctOn = expressions(at + 2, tokens.partner(at + 1));
        at = tokens.partner(at + 1) + 1;
      }
    } else if (tokens.word(at, "all")) {
      at++;
    }
    int endOfItems = clauseEnd(AFTER_ITEMS);
    List<Item> items = items(at, endOfItems);
    at = endOfItems;
    if (tokens.word(at, "into")) {
      throw new SyntaxException("SELECT INTO; use CREATE TABLE AS");
    }
    return afterItems(select, distinct, distinctOn, items);
  }

  private Core afterItems(
      int select, Distinct distinct, List<Expression> distinctOn, List<Item> items) {
    final int endOfItems = at;
    List<FromItem> from = List.of();
    if (at < end && tokens.word(at, "from")) {
      int to = clauseEndAfter(AFTER_ITEMS);
      from = fromParser.list(at + 1, to);
      at = to;
    }
    Expression where = at < end && tokens.word(at, "where") ? clause(1) : null;
    final int endOfWhere = at;
    List<Expression> groupBy = List.of();
    if (at < end && tokens.word(at, "group")) {
      Expression clause = clause(2);
      groupBy = groups(clause.from(), clause.to());
    }
    Expression having = at < end && tokens.word(at, "having") ? clause(1) : null;
    boolean windows = at < end && tokens.word(at, "window");
    if (windows) {
      clause(1);
    }
    return new Core(
        distinct,
        distinctOn,
        items,
        select,
        endOfItems,
        endOfWhere,
        from,
        where,
        groupBy,
        having,
        windows);
  }

  /** GROUP BY (a, b) groups by a and b; ROW(a, b) stays what it is. */
  private List<Expression> groups(int from, int to) {
    List<Expression> groups = new ArrayList<>();
    for (Expression part : expressions(from, to)) {
      int last = part.to() - 1;
      boolean parenthesised =
          last > part.from() + 1
              && tokens.symbol(part.from(), "(")
              && tokens.partner(part.from()) == last
              && part.nested().stream().noneMatch(nested -> nested.open() == part.from());
      if (parenthesised) {
        groups.addAll(groups(part.from() + 1, last));
      } else {
        groups.add(part);
      }
    }
    return groups;
  }

  private Expression clause(int words) {
    at += words;
    Expression expression = expression(at, clauseEnd(AFTER_ITEMS));
    at = expression.to();
    return expression;
  }

  List<Item> items(int from, int to) {
    return expressions(from, to).stream().map(this::item).toList();
  }

  private Item item(Expression part) {
    int last = part.to() - 1;
    if (last < part.from()) {
      throw new SyntaxException("empty item");
    }
    if (tokens.at(last).isName() && last >= part.from() + 2 && tokens.word(last - 1, "as")) {
      return new Item(new Expression(part.from(), last - 1, part.nested()), tokens.at(last).text());
    }
    if (new ColumnNames(tokens).isBareLabel(part.from(), last)) {
      return new Item(new Expression(part.from(), last, part.nested()), tokens.at(last).text());
    }
    return new Item(part, null);
  }

  private List<SortItem> sortItems(int to) {
    List<SortItem> items = expressions(at, to).stream().map(this::sortItem).toList();
    at = to;
    return items;
  }

  private SortItem sortItem(Expression part) {
    int to = part.to();
    Boolean nullsFirst = null;
    if (tokens.word(to - 2, "nulls")) {
      nullsFirst = tokens.word(to - 1, "first");
      to -= 2;
    }
    boolean descending = tokens.word(to - 1, "desc");
    if (descending || tokens.word(to - 1, "asc")) {
      to--;
    }
    boolean using = false;
    for (int i = part.from(); i < to; i = tokens.skip(i)) {
      using |= tokens.word(i, "using");
    }
    return new SortItem(
        new Expression(part.from(), to, part.nested()),
        descending,
        nullsFirst == null ? descending : nullsFirst,
        using);
  }

  /** The expressions of a list, parted by commas. */
  List<Expression> expressions(int from, int to) {
    List<Expression> parts = new ArrayList<>();
    if (from < to) {
      tokens.parts(from, to).forEach(part -> parts.add(expression(part[0], part[1])));
    }
    return parts;
  }

  Expression expression(int from, int to) {
    List<Nested> nested = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (tokens.symbol(i, "(") && startsQuery(i)) {
        nested.add(new Nested(i, tokens.partner(i), query(i + 1, tokens.partner(i))));
        i = tokens.partner(i);
      }
    }
    Expression expression = new Expression(from, to, List.copyOf(nested));
    expressions.add(expression);
    return expression;
  }

  /** All expressions read; some several times. */
  List<Expression> expressions() {
    return expressions;
  }

  /**
   * Whether the parenthesis holds a query: directly, or as the first operand of UNION or the like.
   */
  boolean startsQuery(int open) {
    Token first = tokens.at(open + 1);
    if (first.isWord("select") || first.isWord("values") || first.isWord("with")) {
      return true;
    }
    if (first.isWord("table")) {
      return tokens.at(open + 2).isName();
    }
    if (!first.isSymbol("(") || !startsQuery(open + 1)) {
      return false;
    }
    int after = tokens.partner(open + 1) + 1;
    return after == tokens.partner(open) || AFTER_CORE.contains(tokens.at(after).text());
  }

  boolean accept(String symbol) {
    boolean found = at < end && tokens.symbol(at, symbol);
    if (found) {
      at++;
    }
    return found;
  }

  void word(String word) {
    if (!tokens.word(at, word)) {
      throw new SyntaxException("expected " + word);
    }
    at++;
  }

  String name() {
    Token token = tokens.at(at);
    if (!token.isName()) {
      throw new SyntaxException("expected a name");
    }
    at++;
    return token.text();
  }

  List<String> nameList() {
    List<String> names = new ArrayList<>();
    int close = tokens.partner(at);
    at++;
    do {
      names.add(name());
    } while (accept(","));
    if (at != close) {
      throw new SyntaxException("list of names");
    }
    at++;
    return names;
  }

  int position() {
    return at;
  }
}
