package io.shardmark.proxy.sql;

/**
 * A token of SQL text; comments and white space are none.
 *
 * @param start offset of its first character in the text
 * @param end offset after its last character
 * @param text WORD: folded to lower case; QUOTED: the identifier without its quotes; OPERATOR and
 *     PUNCTUATION: the characters; the others: "", their value is read when it is needed
 */
public record Token(TokenKind kind, int start, int end, String text) {
  /** What a token is. */
  public enum TokenKind {
    /** An identifier without quotes, or a key word. */
    WORD,
    /** An identifier in double quotes. */
    QUOTED,
    /** Decimal digits only. */
    INTEGER,
    /** Any other number. */
    NUMBER,
    /** '...' */
    STRING,
    /** E'...' */
    ESCAPED_STRING,
    /** $tag$...$tag$ */
    DOLLAR_STRING,
    /** B'', X'', U&'', U&"": nothing that a route is read from. */
    OTHER_STRING,
    /** $1 */
    PARAMETER,
    OPERATOR,
    /** Parentheses, brackets, comma, semicolon, dot, colon. */
    PUNCTUATION,
    /** Only {@link SqlLexer} itself gives it. */
    COMMENT,
    /** An unterminated string, comment or identifier: reaches to the end of the text. */
    UNTERMINATED,
    /** The end of the text; only {@link SqlLexer} itself gives it. */
    END
  }

  /** Whether it is this key word (or unquoted identifier), given in lower case. */
  public boolean isWord(String word) {
    return kind == TokenKind.WORD && text.equals(word);
  }

  /** Whether it is this operator or punctuation. */
  public boolean isSymbol(String symbol) {
    return (kind == TokenKind.PUNCTUATION || kind == TokenKind.OPERATOR) && text.equals(symbol);
  }

  /** Whether it can name something: an identifier, or a key word used as one. */
  public boolean isName() {
    return kind == TokenKind.WORD || kind == TokenKind.QUOTED;
  }
}
