package io.shardmark.proxy.sql;

import io.shardmark.proxy.sql.Syntax.Core;
import io.shardmark.proxy.sql.Syntax.Cte;
import io.shardmark.proxy.sql.Syntax.Distinct;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.FromItem;
import io.shardmark.proxy.sql.Syntax.Nested;
import io.shardmark.proxy.sql.Syntax.Parenthesised;
import io.shardmark.proxy.sql.Syntax.SetOperation;
import io.shardmark.proxy.sql.Syntax.SortItem;
import io.shardmark.proxy.sql.Syntax.Statement;
import io.shardmark.proxy.sql.Syntax.With;
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
public final class QueryParser extends TokenCursor {
  static final Set<String> AFTER_CORE =
      Set.of("union intersect except order limit offset fetch for".split(" ", -1));
  private static final Set<String> AFTER_ITEMS =
      Set.of(
          ("into from where group having window union intersect except order limit"
                  + " offset fetch for")
              .split(" ", -1));
  private final TokenRange tokens;
  private final FromParser from = new FromParser(this);
  private final List<Expression> expressions = new ArrayList<>();
  private final BitSet bodies = new BitSet();

  /**
   * @throws SyntaxException if brackets do not match or a token does not end
   */
  public QueryParser(TokenRange tokens) {
    super(tokens.checked());
    this.tokens = tokens;
  }

  /** The query, INSERT, UPDATE or DELETE that goes on to the end. */
  public Statement statement() {
    return new ChangeParser(this, from).statement();
  }

  /** How many SELECT, VALUES and TABLE bodies were read. */
  public int queryCount() {
    return bodies.cardinality();
  }

  /** The query that goes on to the end. */
  Syntax.QuerySyntax query() {
    int start = at();
    return query(start, with());
  }

  /** The same after its WITH, which began at a token. */
  Syntax.QuerySyntax query(int start, With with) {
    Syntax.BodySyntax body = setExpression();
    Tail tail = new Tail();
    while (!done()) {
      tailClause(tail);
    }
    Expression limits =
        tail.limitsFrom < 0 ? null : new Expression(tail.limitsFrom, tail.limitsTo, List.of());
    return new Syntax.QuerySyntax(
        with,
        body,
        tail.orderBy,
        tail.limit,
        tail.offset,
        limits,
        tail.withTies,
        tail.locking,
        start,
        end());
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
    int start = at();
    if (take("order")) {
      take();
      tail.orderBy =
          upTo(clauseEnd(AFTER_CORE), () -> expressions().stream().map(this::sortItem).toList());
    } else if (take("limit")) {
      tail.limit = clause(AFTER_CORE);
      tail.limits(start, at());
    } else if (take("offset")) {
      int to = clauseEnd(AFTER_CORE);
      boolean rows = tokens.word(to - 1, "rows") || tokens.word(to - 1, "row");
      tail.offset = expression(at(), rows ? to - 1 : to);
      moveTo(to);
      tail.limits(start, to);
    } else if (take("fetch")) {
      fetch(tail);
      tail.limits(start, at());
    } else if (take("for")) {
      tail.locking = true;
      moveTo(clauseEnd(AFTER_CORE));
    } else {
      throw new SyntaxException("unexpected " + peek().text());
    }
  }

  /** After FETCH: FIRST [count] ROW[S] ONLY | WITH TIES. */
  private void fetch(Tail tail) {
    int to = clauseEnd(AFTER_CORE);
    tail.withTies = tokens.word(to - 1, "ties");
    int countTo = to - (tail.withTies ? 3 : 2);
    if (countTo <= at() + 1) {
      throw new SyntaxException("FETCH without a count");
    }
    tail.limit = expression(at() + 1, countTo);
    moveTo(to);
  }

  /** The first token from here on, outside parentheses, that starts another clause. */
  int clauseEnd(Set<String> stops) {
    int i = at();
    while (i < end() && !(stops.contains(tokens.at(i).text()) && isStop(i))) {
      i = tokens.skip(i);
    }
    return i;
  }

  /** Whether a reserved word is one, not a label, an attribute or part of another construct. */
  private boolean isStop(int i) {
    if (tokens.at(i).kind() != Token.TokenKind.WORD
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

  /** WITH, if it follows. */
  With with() {
    return take("with") ? new With(take("recursive"), list(this::cte)) : With.NONE;
  }

  private Cte cte() {
    String name = requireName();
    List<String> columns = sees("(") ? names() : List.of();
    require("as");
    take("not");
    take("materialized");
    Statement statement = parenthesised(this::statement);
    if (sees("search") || sees("cycle")) {
      throw new SyntaxException("SEARCH and CYCLE");
    }
    return new Cte(name, columns, statement);
  }

  private Syntax.BodySyntax setExpression() {
    Syntax.BodySyntax left = intersection();
    while (sees("union") || sees("except")) {
      left = new SetOperation(take().text(), all(), left, intersection());
    }
    return left;
  }

  private Syntax.BodySyntax intersection() {
    Syntax.BodySyntax left = primary();
    while (take("intersect")) {
      left = new SetOperation("intersect", all(), left, primary());
    }
    return left;
  }

  private boolean all() {
    return !take("distinct") && take("all");
  }

  private Syntax.BodySyntax primary() {
    if (sees("(")) {
      return new Parenthesised(parenthesised(this::query));
    }
    bodies.set(at());
    if (take("select")) {
      return core(at() - 1);
    }
    if (take("values")) {
      return new Syntax.RowsSyntax(list(() -> parenthesised(this::expressions)));
    }
    if (take("table")) {
      return table(at() - 1);
    }
    throw new SyntaxException("no query");
  }

  private Syntax.BodySyntax table(int start) {
    FromItem item = from.table();
    Expression star = new Expression(start, start, List.of());
    return new Core(
        Distinct.NO,
        List.of(),
        List.of(new Syntax.SyntaxItem(star, "*")),
        start,
        start,
        at(),
        List.of(item),
        null,
        List.of(),
        null,
        false);
  }

  private Core core(int select) {
    Distinct distinct = Distinct.NO;
    List<Expression> distinctOn = List.of();
    if (take("distinct", "on")) {
      distinct = Distinct.ON;
      distinctOn = parenthesised(this::expressions);
    } else if (take("distinct")) {
      distinct = Distinct.ROWS;
    } else {
      take("all");
    }
    List<Syntax.SyntaxItem> items = upTo(clauseEnd(AFTER_ITEMS), this::items);
    if (sees("into")) {
      throw new SyntaxException("SELECT INTO; use CREATE TABLE AS");
    }
    final int endOfItems = at();
    List<FromItem> tables = take("from") ? from.list(AFTER_ITEMS) : List.of();
    Expression where = take("where") ? clause(AFTER_ITEMS) : null;
    final int endOfWhere = at();
    List<Expression> groupBy = new ArrayList<>();
    if (take("group")) {
      take();
      int to = clauseEnd(AFTER_ITEMS);
      groups(at(), to, groupBy);
      moveTo(to);
    }
    Expression having = take("having") ? clause(AFTER_ITEMS) : null;
    boolean windows = take("window");
    if (windows) {
      clause(AFTER_ITEMS);
    }
    return new Core(
        distinct,
        distinctOn,
        items,
        select,
        endOfItems,
        endOfWhere,
        tables,
        where,
        groupBy,
        having,
        windows);
  }

  /** GROUP BY (a, b) groups by a and b; ROW(a, b) stays what it is. */
  private void groups(int from, int to, List<Expression> groups) {
    for (Span part : tokens.parts(from, to)) {
      int last = part.to() - 1;
      boolean parenthesised =
          last > part.from() + 1
              && tokens.symbol(part.from(), "(")
              && tokens.partner(part.from()) == last
              && !startsQuery(part.from());
      if (parenthesised) {
        groups(part.from() + 1, last, groups);
      } else {
        groups.add(expression(part.from(), part.to()));
      }
    }
  }

  /** The expression up to where another clause starts. */
  Expression clause(Set<String> stops) {
    int to = clauseEnd(stops);
    return upTo(to, () -> expression(at(), to));
  }

  /** A select list that goes on to the end. */
  List<Syntax.SyntaxItem> items() {
    return expressions().stream().map(this::item).toList();
  }

  private Syntax.SyntaxItem item(Expression part) {
    int last = part.to() - 1;
    if (last < part.from()) {
      throw new SyntaxException("empty item");
    }
    String label = tokens.at(last).text();
    if (tokens.at(last).isName() && last >= part.from() + 2 && tokens.word(last - 1, "as")) {
      return new Syntax.SyntaxItem(part.upTo(last - 1), label);
    }
    return new ColumnNames(tokens).isBareLabel(part.from(), last)
        ? new Syntax.SyntaxItem(part.upTo(last), label)
        : new Syntax.SyntaxItem(part, null);
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
    Expression key = part.upTo(to);
    boolean using = tokens.find(key, "using") < to;
    return new SortItem(key, descending, nullsFirst == null ? descending : nullsFirst, using);
  }

  /** The expressions of a list, parted by commas, that goes on to the end. */
  List<Expression> expressions() {
    return tokens.parts(at(), end()).stream()
        .map(part -> expression(part.from(), part.to()))
        .toList();
  }

  Expression expression(int from, int to) {
    List<Nested> nested = new ArrayList<>();
    for (int i = from; i < to; i++) {
      if (tokens.symbol(i, "(") && startsQuery(i)) {
        int close = tokens.partner(i);
        nested.add(new Nested(i, close, within(i + 1, close, this::query)));
        i = close;
      }
    }
    Expression expression = new Expression(from, to, List.copyOf(nested));
    expressions.add(expression);
    return expression;
  }

  /** All expressions read; some several times. */
  public List<Expression> allExpressions() {
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

  /** Names in parentheses. */
  List<String> names() {
    return parenthesised(
        () -> {
          List<String> names = list(this::requireName);
          if (!done()) {
            throw new SyntaxException("list of names");
          }
          return names;
        });
  }
}
