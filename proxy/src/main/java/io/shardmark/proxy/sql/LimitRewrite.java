package io.shardmark.proxy.sql;

import io.shardmark.proxy.sql.Syntax.Expression;
import org.jspecify.annotations.Nullable;

/** LIMIT and OFFSET of the client, and what the shards get instead. */
public final class LimitRewrite {
  /** More rows than there are. */
  private static final long ALL = Long.MAX_VALUE;

  /**
   * What a clause says.
   *
   * @param text in SQL
   * @param rows the number if it is a constant, else the value for no clause
   * @param parameter index from 0, or -1
   */
  public record Count(String text, long rows, int parameter) {}

  private final TokenRange tokens;
  private final Syntax.QuerySyntax query;
  private final Count limit;
  private final Count offset;

  /**
   * @throws SyntaxException if the numbers are neither constants nor parameters
   */
  public LimitRewrite(TokenRange tokens, Syntax.QuerySyntax query) {
    this.tokens = tokens;
    this.query = query;
    this.limit = count(query.limit(), new Count("NULL", ALL, -1));
    this.offset = count(query.offset(), new Count("0", 0, -1));
  }

  public Count limit() {
    return limit;
  }

  public Count offset() {
    return offset;
  }

  private Count count(@Nullable Expression expression, Count none) {
    if (expression == null) {
      return none;
    }
    Span span = tokens.stripped(expression);
    boolean cast = span.size() == 3 && tokens.symbol(span.from() + 1, "::");
    boolean one = span.size() == 1;
    Token token = tokens.at(span.from());
    String digits = tokens.text(token);
    if ((one || cast) && token.kind() == Token.TokenKind.PARAMETER && digits.length() <= 6) {
      return new Count(digits + "::bigint", none.rows(), Integer.parseInt(digits.substring(1)) - 1);
    }
    if (one && token.kind() == Token.TokenKind.INTEGER && digits.length() <= 18) {
      return new Count(digits, Long.parseLong(digits), -1);
    }
    if (one && (token.isWord("all") || token.isWord("null"))) {
      return none;
    }
    throw new SyntaxException("LIMIT or OFFSET is neither a constant nor a parameter");
  }

  /** The clause for the shards, which give their first limit + offset rows; "" if there is none. */
  public String pushed() {
    if (query.limits() == null) {
      return "";
    }
    if (query.offset() == null) {
      return tokens.text(query.limits());
    }
    if (limit.rows() == 0) {
      return none();
    }
    if (limit.parameter() < 0 && offset.parameter() < 0) {
      long sum = limit.rows() + offset.rows();
      return limit.rows() == ALL || sum < 0 ? "" : "LIMIT " + sum;
    }
    // The greatest bigint as a limit means all; NULL does too, and least() leaves it out. What is
    // negative is refused when the rows are merged.
    String sum =
        "greatest(least(%s::numeric + %s, %d), 0)::bigint"
            .formatted(limit.text(), offset.text(), ALL);
    return limit.parameter() < 0
        ? "LIMIT " + sum
        : "LIMIT CASE WHEN %s = 0 THEN 0 ELSE %s END".formatted(limit.text(), sum);
  }

  /** The clause for shards that give all rows but for LIMIT 0, for which a server computes none. */
  public String none() {
    if (limit.parameter() >= 0) {
      return "LIMIT CASE WHEN " + limit.text() + " = 0 THEN 0 END";
    }
    return limit.rows() == 0 ? "LIMIT 0" : "";
  }
}
