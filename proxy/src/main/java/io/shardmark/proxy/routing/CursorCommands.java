package io.shardmark.proxy.routing;

import java.util.List;
import java.util.function.Function;

/** DECLARE, FETCH, MOVE and CLOSE (PG18 sql-declare, sql-fetch). */
final class CursorCommands {
  private CursorCommands() {}

  /**
   * @param queries plans the query of DECLARE
   * @throws SyntaxException if the statement is not understood
   */
  static StatementPlan plan(
      String sql, List<Token> tokens, Function<String, StatementPlan> queries) {
    Words words = new Words(sql, tokens);
    return switch (words.take().text()) {
      case "declare" -> declare(words, queries);
      case "fetch" -> fetch(words, tokens.size(), false);
      case "move" -> fetch(words, tokens.size(), true);
      default -> new StatementPlan.CloseCursor(words.take("all") ? "" : name(words));
    };
  }

  private static String name(Words words) {
    String name = words.name();
    if (name.isEmpty() || !words.done()) {
      throw new SyntaxException("a cursor's name");
    }
    return name;
  }

  private static StatementPlan declare(Words words, Function<String, StatementPlan> queries) {
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
    return plan instanceof StatementPlan.Query query
        ? new StatementPlan.DeclareCursor(name, plain, hold, inner, query)
        : plan;
  }

  private static StatementPlan fetch(Words words, int tokens, boolean move) {
    long count = count(words, tokens);
    if (!words.take("from")) {
      words.take("in");
    }
    return new StatementPlan.FetchCursor(name(words), count, move);
  }

  /** Rows forward, {@link StatementPlan.FetchCursor#ALL} or another direction. */
  private static long count(Words words, int tokens) {
    if (words.position() == tokens - 1) {
      return 1;
    }
    boolean forward = words.take("forward");
    if (words.take("next") || (forward && isBehindCount(words, tokens))) {
      return 1;
    }
    if (words.take("all")) {
      return StatementPlan.FetchCursor.ALL;
    }
    if (words.peek().kind() == Token.Kind.INTEGER) {
      String digits = words.value();
      return digits.length() > 18 ? StatementPlan.FetchCursor.OTHER : Long.parseLong(digits);
    }
    while (!isBehindCount(words, tokens)) {
      words.take();
    }
    return StatementPlan.FetchCursor.OTHER;
  }

  private static boolean isBehindCount(Words words, int tokens) {
    return words.position() >= tokens - 1
        || words.peek().isWord("from")
        || words.peek().isWord("in");
  }
}
