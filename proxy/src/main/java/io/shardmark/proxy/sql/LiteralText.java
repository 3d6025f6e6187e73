package io.shardmark.proxy.sql;

/** Literals in SQL text. */
public final class LiteralText {
  private LiteralText() {}

  /** Whether normalising replaces such a token by a parameter. */
  public static boolean isReplaced(Token.TokenKind kind) {
    return switch (kind) {
      case INTEGER, NUMBER, STRING, ESCAPED_STRING, DOLLAR_STRING -> true;
      default -> false;
    };
  }

  /** The value of '...'. */
  public static String unquoted(String sql, int start, int end) {
    String inner = sql.substring(start + 1, end - 1);
    return inner.indexOf('\'') < 0 ? inner : inner.replace("''", "'");
  }
}
