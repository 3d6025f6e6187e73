package io.shardmark.proxy.routing;

import io.shardmark.proxy.sql.SyntaxException;
import io.shardmark.proxy.sql.Token.TokenKind;
import io.shardmark.proxy.sql.TokenCursor;
import io.shardmark.proxy.sql.TokenRange;
import java.util.function.Function;

/** DECLARE, FETCH, MOVE and CLOSE (PG18 sql-declare, sql-fetch). */
final class CursorCommands {
  private CursorCommands() {}

  /**
   * @param queries plans the query of DECLARE
   * @throws SyntaxException if the statement is not understood
   */
  static StatementPlan plan(TokenRange statement, Function<String, StatementPlan> queries) {
    TokenCursor words = new TokenCursor(statement);
    return switch (words.take().text()) {
      case "declare" -> declare(words, queries);
      case "fetch" -> fetch(words, false);
      case "move" -> fetch(words, true);
      default -> new StatementPlan.CloseCursor(words.take("all") ? "" : name(words));
    };
  }

  private static String name(TokenCursor words) {
    String name = words.name();
    if (name.isEmpty() || !words.done()) {
      throw new SyntaxException("a cursor's name");
    }
    return name;
  }

  private static StatementPlan declare(TokenCursor words, Function<String, StatementPlan> queries) {
    String name = words.name();
    boolean plain = true;
    while (!words.take("cursor")) {
      if (words.take("no", "scroll") || words.take("asensitive") || words.take("insensitive")) {
        continue;
      }
      if (!words.take("scroll") && !words.take("binary")) {
        throw new SyntaxException("DECLARE");
      }
      plain = false;
    }
    boolean hold = words.take("with", "hold");
    words.take("without", "hold");
    if (!words.take("for")) {
      throw new SyntaxException("DECLARE");
    }
    String inner = words.rest();
    StatementPlan plan = queries.apply(inner);
    return plan instanceof StatementPlan.QueryPlan query
        ? new StatementPlan.DeclareCursor(name, plain, hold, inner, query)
        : plan;
  }

  private static StatementPlan fetch(TokenCursor words, boolean move) {
    long count = count(words);
    if (!words.take("from")) {
      words.take("in");
    }
    return new StatementPlan.FetchCursor(name(words), count, move);
  }

  /** Rows forward, {@link StatementPlan.FetchCursor#ALL} or another direction. */
  private static long count(TokenCursor words) {
    if (words.at() == words.end() - 1) {
      return 1;
    }
    boolean forward = words.take("forward");
    if (words.take("next") || (forward && isBehindCount(words))) {
      return 1;
    }
    if (words.take("all")) {
      return StatementPlan.FetchCursor.ALL;
    }
    if (words.peek().kind() == TokenKind.INTEGER) {
      String digits = words.value();
      return digits.length() > 18 ? StatementPlan.FetchCursor.OTHER : Long.parseLong(digits);
    }
    while (!isBehindCount(words)) {
      words.take();
    }
    return StatementPlan.FetchCursor.OTHER;
  }

  private static boolean isBehindCount(TokenCursor words) {
    return words.at() >= words.end() - 1 || words.sees("from") || words.sees("in");
  }
}
