package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Syntax.Alias;
import io.shardmark.proxy.routing.Syntax.DerivedItem;
import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Syntax.FromItem;
import io.shardmark.proxy.routing.Syntax.FunctionItem;
import io.shardmark.proxy.routing.Syntax.JoinItem;
import io.shardmark.proxy.routing.Syntax.JoinKind;
import io.shardmark.proxy.routing.Syntax.TableItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** FROM, USING of DELETE, and the tables that statements name. */
final class FromParser {
  private static final Set<String> JOIN_WORDS =
      Set.of("join inner left right full cross natural".split(" ", -1));
  private static final Set<String> NO_ALIAS =
      Set.of(
          ("on using join inner left right full cross natural where set values"
                  + " select default returning overriding tablesample with as group when"
                  + " lateral table having window into")
              .split(" ", -1));

  private final QueryParser parser;
  private final TokenRange tokens;
  private int at;
  private int end;

  FromParser(QueryParser parser, TokenRange tokens) {
    this.parser = parser;
    this.tokens = tokens;
  }

  /** The token after what was parsed last. */
  int position() {
    return at;
  }

  /** All items of the range, which they fill. */
  List<FromItem> list(int from, int to) {
    int savedEnd = end;
    List<FromItem> items = new ArrayList<>();
    at = from;
    end = to;
    items.add(joins());
    while (at < end && tokens.symbol(at, ",")) {
      at++;
      items.add(joins());
    }
    if (at != end) {
      throw new SyntaxException("FROM: unexpected " + tokens.at(at).text());
    }
    end = savedEnd;
    return items;
  }

  private FromItem joins() {
    FromItem left = item();
    while (at < end && startsJoin(at)) {
      left = join(left);
    }
    return left;
  }

  private boolean startsJoin(int i) {
    Token token = tokens.at(i);
    if (token.kind() != Token.Kind.WORD || !JOIN_WORDS.contains(token.text())) {
      return false;
    }
    if (tokens.symbol(i - 1, ".") || tokens.word(i - 1, "as")) {
      return false;
    }
    Token next = tokens.at(i + 1);
    return token.text().equals("join")
        || next.isWord("join")
        || next.isWord("outer")
        || (token.text().equals("natural") && JOIN_WORDS.contains(next.text()));
  }

  private FromItem join(FromItem left) {
    boolean natural = tokens.word(at, "natural");
    if (natural) {
      at++;
    }
    JoinKind kind = JoinKind.INNER;
    boolean cross = false;
    if (!tokens.word(at, "join")) {
      cross = tokens.word(at, "cross");
      kind =
          switch (tokens.at(at).text()) {
            case "left" -> JoinKind.LEFT;
            case "right" -> JoinKind.RIGHT;
            case "full" -> JoinKind.FULL;
            default -> JoinKind.INNER;
          };
      at++;
      if (tokens.word(at, "outer")) {
        at++;
      }
    }
    if (!tokens.word(at, "join")) {
      throw new SyntaxException("JOIN");
    }
    at++;
    FromItem right = item();
    if (cross || natural) {
      return new JoinItem(kind, left, right, null, List.of(), natural);
    }
    // a JOIN b JOIN c ON ... ON ...: the first condition belongs to the inner join
    while (at < end && startsJoin(at)) {
      right = join(right);
    }
    return condition(kind, left, right);
  }

  private FromItem condition(JoinKind kind, FromItem left, FromItem right) {
    if (tokens.word(at, "using") && tokens.symbol(at + 1, "(")) {
      int close = tokens.partner(at + 1);
      List<String> columns = new ArrayList<>();
      for (int i = at + 2; i < close; i += 2) {
        columns.add(tokens.at(i).text());
      }
      at = close + 1;
      if (tokens.word(at, "as")) {
        throw new SyntaxException("JOIN USING ... AS");
      }
      return new JoinItem(kind, left, right, null, columns, false);
    }
    if (!tokens.word(at, "on")) {
      throw new SyntaxException("JOIN without a condition");
    }
    int from = at + 1;
    int to = from;
    while (to < end && !endsCondition(to)) {
      to = tokens.skip(to);
    }
    Expression on = parser.expression(from, to);
    at = to; // after the queries in the condition, which move it
    return new JoinItem(kind, left, right, on, List.of(), false);
  }

  private boolean endsCondition(int i) {
    return tokens.symbol(i, ",")
        || startsJoin(i)
        || tokens.word(i, "on")
        || (tokens.word(i, "using") && tokens.symbol(i + 1, "("));
  }

  private FromItem item() {
    boolean lateral = tokens.word(at, "lateral");
    if (lateral) {
      at++;
    }
    if (at >= end) {
      throw new SyntaxException("FROM ends early");
    }
    if (tokens.symbol(at, "(")) {
      return parenthesised(lateral);
    }
    if (tokens.word(at, "rows") && tokens.word(at + 1, "from")) {
      at++;
      return function("rows from", at);
    }
    int last = tokens.afterName(at) - 1;
    if (tokens.at(at).isName() && tokens.symbol(last + 1, "(") && !tokens.word(at, "only")) {
      return function(tokens.at(last).text(), last);
    }
    return table(at);
  }

  private FromItem parenthesised(boolean lateral) {
    int close = tokens.partner(at);
    if (parser.startsQuery(at)) {
      Syntax.Query query = parser.query(at + 1, close);
      at = close + 1;
      return new DerivedItem(query, lateral, alias(at, end, false));
    }
    int savedEnd = end;
    at++;
    end = close;
    FromItem inner = joins();
    if (at != close) {
      throw new SyntaxException("FROM: parenthesis");
    }
    end = savedEnd;
    at = close + 1;
    if (alias(at, end, false).name() != null) {
      throw new SyntaxException("a join with an alias");
    }
    return inner;
  }

  /** {@code last} is the last token of its name. */
  private FunctionItem function(String name, int last) {
    int close = tokens.partner(last + 1);
    Expression call = parser.expression(at, close + 1);
    at = close + 1;
    if (tokens.word(at, "with") && tokens.word(at + 1, "ordinality")) {
      at += 2;
    }
    return new FunctionItem(name, call, alias(at, end, true));
  }

  /** A table, with what may follow its name in FROM, UPDATE, DELETE and INSERT. */
  TableItem table(int from) {
    int limit = Math.max(end, from + 1);
    at = from;
    boolean parentheses = false;
    if (tokens.word(at, "only")) {
      at++;
      parentheses = tokens.symbol(at, "(");
      at += parentheses ? 1 : 0;
    }
    if (!tokens.at(at).isName()) {
      throw new SyntaxException("expected a table, found " + tokens.at(at).text());
    }
    String name = tokens.at(at++).text();
    String schema = null;
    while (tokens.symbol(at, ".") && tokens.at(at + 1).isName()) {
      schema = name; // of database.schema.table the last two count
      name = tokens.at(at + 1).text();
      at += 2;
    }
    if (parentheses) {
      at++;
    }
    if (tokens.symbol(at, "*")) {
      at++;
    }
    Alias alias = alias(at, Math.max(limit, tokens.size()), false);
    if (tokens.word(at, "tablesample")) {
      throw new SyntaxException("TABLESAMPLE");
    }
    return new TableItem(schema, name, alias, from, at);
  }

  /** {@code [AS] name [(column, ...)]} at {@code from}. */
  Alias alias(int from, int to, boolean typesAllowed) {
    at = from;
    boolean as = at < to && tokens.word(at, "as");
    if (as) {
      at++;
    }
    Token token = at < to ? tokens.at(at) : tokens.at(-1);
    String name = null;
    boolean word = token.kind() == Token.Kind.WORD;
    boolean stop =
        word
            && !as
            && (NO_ALIAS.contains(token.text()) || QueryParser.AFTER_CORE.contains(token.text()));
    if (token.isName() && !stop) {
      name = token.text();
      at++;
    } else if (as && !(typesAllowed && tokens.symbol(at, "("))) {
      throw new SyntaxException("AS");
    }
    if ((name != null || as) && at < to && tokens.symbol(at, "(")) {
      return new Alias(name, columns(tokens.partner(at)));
    }
    return new Alias(name, List.of());
  }

  /** Names of columns, perhaps with types. */
  private List<String> columns(int close) {
    List<String> columns = new ArrayList<>();
    boolean first = true;
    for (int i = at + 1; i < close; i = tokens.skip(i)) {
      if (first && tokens.at(i).isName()) {
        columns.add(tokens.at(i).text());
      }
      first = tokens.symbol(i, ",");
    }
    at = close + 1;
    return columns;
  }
}
