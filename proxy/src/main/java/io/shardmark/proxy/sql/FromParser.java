package io.shardmark.proxy.sql;

import io.shardmark.proxy.sql.Syntax.Alias;
import io.shardmark.proxy.sql.Syntax.DerivedItem;
import io.shardmark.proxy.sql.Syntax.Expression;
import io.shardmark.proxy.sql.Syntax.FromItem;
import io.shardmark.proxy.sql.Syntax.FunctionItem;
import io.shardmark.proxy.sql.Syntax.JoinItem;
import io.shardmark.proxy.sql.Syntax.JoinKind;
import io.shardmark.proxy.sql.Syntax.TableItem;
import java.util.List;
import java.util.Set;

/** FROM, USING of DELETE, and the tables that statements name. */
public record FromParser(QueryParser parser) {
  private static final Set<String> JOIN_WORDS =
      Set.of("join inner left right full cross natural".split(" ", -1));
  private static final Set<String> NO_ALIAS =
      Set.of(
          ("on using join inner left right full cross natural where set values"
                  + " select default returning overriding tablesample with as group when"
                  + " lateral table having window into")
              .split(" ", -1));

  private TokenRange tokens() {
    return parser.tokens();
  }

  /** The items from here to where another clause starts. */
  List<FromItem> list(Set<String> stops) {
    return parser.upTo(
        parser.clauseEnd(stops),
        () -> {
          List<FromItem> items = parser.list(this::joins);
          if (!parser.done()) {
            throw new SyntaxException("FROM: unexpected " + parser.peek().text());
          }
          return items;
        });
  }

  private FromItem joins() {
    return joined(item());
  }

  private FromItem joined(FromItem first) {
    FromItem left = first;
    while (!parser.done() && startsJoin(parser.at())) {
      left = join(left);
    }
    return left;
  }

  private boolean startsJoin(int i) {
    Token token = tokens().at(i);
    if (token.kind() != Token.TokenKind.WORD || !JOIN_WORDS.contains(token.text())) {
      return false;
    }
    if (tokens().symbol(i - 1, ".") || tokens().word(i - 1, "as")) {
      return false;
    }
    Token next = tokens().at(i + 1);
    return token.text().equals("join")
        || next.isWord("join")
        || next.isWord("outer")
        || (token.text().equals("natural") && JOIN_WORDS.contains(next.text()));
  }

  private FromItem join(FromItem left) {
    final boolean natural = parser.take("natural");
    final boolean cross = parser.take("cross");
    JoinKind kind =
        switch (parser.peek().text()) {
          case "left" -> JoinKind.LEFT;
          case "right" -> JoinKind.RIGHT;
          case "full" -> JoinKind.FULL;
          default -> JoinKind.INNER;
        };
    parser.takeAny("inner", "left", "right", "full");
    parser.take("outer");
    parser.require("join");
    FromItem right = item();
    if (cross || natural) {
      return new JoinItem(kind, left, right, null, List.of(), natural);
    }
    // a JOIN b JOIN c ON ... ON ...: the first condition belongs to the inner join
    return condition(kind, left, joined(right));
  }

  private FromItem condition(JoinKind kind, FromItem left, FromItem right) {
    if (parser.sees("using", "(")) {
      parser.take();
      List<String> columns = parser.names();
      if (parser.sees("as")) {
        throw new SyntaxException("JOIN USING ... AS");
      }
      return new JoinItem(kind, left, right, null, columns, false);
    }
    if (!parser.take("on")) {
      throw new SyntaxException("JOIN without a condition");
    }
    int to = parser.at();
    while (to < parser.end() && !endsCondition(to)) {
      to = tokens().skip(to);
    }
    Expression on = parser.expression(parser.at(), to);
    parser.moveTo(to);
    return new JoinItem(kind, left, right, on, List.of(), false);
  }

  private boolean endsCondition(int i) {
    return tokens().symbol(i, ",")
        || startsJoin(i)
        || tokens().word(i, "on")
        || (tokens().word(i, "using") && tokens().symbol(i + 1, "("));
  }

  private FromItem item() {
    boolean lateral = parser.take("lateral");
    if (parser.done()) {
      throw new SyntaxException("FROM ends early");
    }
    if (parser.sees("(")) {
      return parenthesised(lateral);
    }
    boolean rows = parser.sees("rows", "from");
    int last = rows ? parser.at() + 1 : tokens().afterName(parser.at()) - 1;
    boolean call = parser.peek().isName() && tokens().symbol(last + 1, "(");
    return call && !parser.sees("only") ? function(last) : table();
  }

  private FromItem parenthesised(boolean lateral) {
    if (parser.startsQuery(parser.at())) {
      return new DerivedItem(parser.parenthesised(parser::query), lateral, alias(false));
    }
    FromItem inner =
        parser.parenthesised(
            () -> {
              FromItem joins = joins();
              if (!parser.done()) {
                throw new SyntaxException("FROM: parenthesis");
              }
              return joins;
            });
    if (alias(false).name() != null) {
      throw new SyntaxException("a join with an alias");
    }
    return inner;
  }

  /** {@code last} is the last token of its name. */
  private FunctionItem function(int last) {
    Expression call = parser.expression(parser.at(), tokens().partner(last + 1) + 1);
    parser.moveTo(call.to());
    parser.take("with", "ordinality");
    return new FunctionItem(tokens().at(last).text(), call, alias(true));
  }

  /** A table, with what may follow its name in FROM, UPDATE, DELETE and INSERT. */
  TableItem table() {
    final int from = parser.at();
    final boolean parentheses = parser.take("only") && parser.take("(");
    Name name = parser.path();
    if (name == null) {
      throw new SyntaxException("expected a table, found " + parser.peek().text());
    }
    if (parentheses) {
      parser.take();
    }
    parser.take("*");
    Alias alias = alias(false);
    if (parser.take("tablesample")) {
      if (parser.path() == null) {
        throw new SyntaxException("TABLESAMPLE");
      }
      sampling();
      if (parser.take("repeatable")) {
        sampling();
      }
    }
    return new TableItem(name.schema(), name.name(), alias, from, parser.at());
  }

  /** Arguments of TABLESAMPLE or REPEATABLE. */
  private void sampling() {
    int after = tokens().skip(parser.at());
    if (!parser.sees("(") || !parser.expression(parser.at(), after).nested().isEmpty()) {
      throw new SyntaxException("TABLESAMPLE");
    }
    parser.moveTo(after);
  }

  /** {@code [AS] name [(column, ...)]}, if it follows. */
  private Alias alias(boolean typesAllowed) {
    boolean as = parser.take("as");
    Token token = parser.peek();
    boolean stop =
        token.kind() == Token.TokenKind.WORD
            && !as
            && (NO_ALIAS.contains(token.text()) || QueryParser.AFTER_CORE.contains(token.text()));
    String name = token.isName() && !stop ? parser.take().text() : null;
    if (as && name == null && !(typesAllowed && parser.sees("("))) {
      throw new SyntaxException("AS");
    }
    boolean columns = (name != null || as) && parser.sees("(");
    return new Alias(name, columns ? parser.parenthesised(this::columns) : List.of());
  }

  /** Names of columns, perhaps with types. */
  private List<String> columns() {
    return tokens().parts(parser.at(), parser.end()).stream()
        .map(part -> tokens().at(part.from()))
        .filter(Token::isName)
        .map(Token::text)
        .toList();
  }
}
