package io.shardmark.proxy.sql;

import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL's lexical rules (PG18 §4.1 sql-syntax-lexical), with standard_conforming_strings on. A
 * cursor: {@link #next} moves it, {@link #start} and {@link #end} are the token's place. It never
 * fails; what does not end is a token. Allocates nothing. Not for several threads.
 */
public final class SqlLexer {
  private static final String OPERATORS = "+-*/<>=~!@#%^&|`?";
  private static final String ALLOW_SIGN_AT_END = "~!@#%^&|`?";

  private final String text;
  private int start;
  private int end;

  /** Starts before the first token of {@code text}. */
  public SqlLexer(String text) {
    this.text = text;
  }

  /** All tokens of a text, without comments. */
  public static List<Token> tokens(String text) {
    List<Token> tokens = new ArrayList<>();
    SqlLexer lexer = new SqlLexer(text);
    for (Token.TokenKind kind = lexer.next(); kind != Token.TokenKind.END; kind = lexer.next()) {
      if (kind != Token.TokenKind.COMMENT) {
        tokens.add(new Token(kind, lexer.start, lexer.end, lexer.tokenText(kind)));
      }
    }
    return tokens;
  }

  /** Offset of the token's first character. */
  public int start() {
    return start;
  }

  /** Offset after the token's last character. */
  public int end() {
    return end;
  }

  /** Moves to the next token, comments included. */
  public Token.TokenKind next() {
    int at = end;
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
    start = at;
    if (at == text.length()) {
      end = at;
      return Token.TokenKind.END;
    }
    char first = text.charAt(at);
    if (isIdentifierStart(first)) {
      return word();
    }
    if (isDigit(first) || (first == '.' && isDigit(peek(at + 1)))) {
      return number();
    }
    return switch (first) {
      case '\'' -> quoted(at, '\'', Token.TokenKind.STRING);
      case '"' -> quoted(at, '"', Token.TokenKind.QUOTED);
      case '$' -> dollar();
      case '(', ')', '[', ']', ',', ';', '.' -> single(Token.TokenKind.PUNCTUATION);
      case ':' -> colon();
      default -> commentOrOperator();
    };
  }

  private Token.TokenKind single(Token.TokenKind kind) {
    end = start + 1;
    return kind;
  }

  private Token.TokenKind colon() {
    char second = peek(start + 1);
    end = start + (second == ':' || second == '=' ? 2 : 1);
    return end == start + 1 ? Token.TokenKind.PUNCTUATION : Token.TokenKind.OPERATOR;
  }

  private Token.TokenKind word() {
    char first = text.charAt(start);
    if (peek(start + 1) == '\'') {
      switch (first) {
        case 'e', 'E' -> {
          return escaped(start + 1);
        }
        case 'b', 'B', 'x', 'X', 'n', 'N' -> {
          return quoted(start + 1, '\'', Token.TokenKind.OTHER_STRING);
        }
        default -> {}
      }
    }
    if ((first == 'u' || first == 'U') && peek(start + 1) == '&') {
      char quote = peek(start + 2);
      if (quote == '\'' || quote == '"') {
        return quoted(start + 2, quote, Token.TokenKind.OTHER_STRING);
      }
    }
    int at = start + 1;
    while (at < text.length() && isIdentifierPart(text.charAt(at))) {
      at++;
    }
    end = at;
    return Token.TokenKind.WORD;
  }

  /**
   * Digits only are an INTEGER. What follows digits directly belongs to the number (hexadecimal,
   * underscores, exponents, or junk that a server refuses): which, differs between versions, so
   * nothing may be read from it.
   */
  private Token.TokenKind number() {
    int at = start;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    boolean plain = at > start;
    if (peek(at) == '.' && peek(at + 1) != '.') {
      plain = false;
      at++;
    }
    while (at < text.length()) {
      char next = text.charAt(at);
      boolean exponentSign =
          (next == '+' || next == '-')
              && (text.charAt(at - 1) | 0x20) == 'e'
              && isDigit(peek(at + 1));
      if (!isIdentifierPart(next) && !exponentSign) {
        break;
      }
      plain = false;
      at++;
    }
    end = at;
    return plain ? Token.TokenKind.INTEGER : Token.TokenKind.NUMBER;
  }

  private Token.TokenKind quoted(int open, char quote, Token.TokenKind kind) {
    int at = open + 1;
    while (true) {
      int close = text.indexOf(quote, at);
      if (close < 0) {
        return unterminated();
      }
      if (peek(close + 1) != quote) {
        end = close + 1;
        return kind;
      }
      at = close + 2;
    }
  }

  private Token.TokenKind escaped(int open) {
    int at = open + 1;
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == '\\') {
        at += 2;
      } else if (next != '\'') {
        at++;
      } else if (peek(at + 1) == '\'') {
        at += 2;
      } else {
        end = at + 1;
        return Token.TokenKind.ESCAPED_STRING;
      }
    }
    return unterminated();
  }

  private Token.TokenKind dollar() {
    int at = start + 1;
    if (isDigit(peek(at))) {
      while (at < text.length() && isDigit(text.charAt(at))) {
        at++;
      }
      // PostgreSQL refuses $1x; as one token it is no parameter that a route is read from.
      boolean junk = at < text.length() && isIdentifierStart(text.charAt(at));
      while (at < text.length() && junk && isIdentifierPart(text.charAt(at))) {
        at++;
      }
      end = at;
      return junk ? Token.TokenKind.OTHER_STRING : Token.TokenKind.PARAMETER;
    }
    while (at < text.length()
        && (isIdentifierStart(text.charAt(at)) || (at > start + 1 && isDigit(text.charAt(at))))) {
      at++;
    }
    if (peek(at) != '$') {
      return single(Token.TokenKind.OPERATOR);
    }
    String tag = text.substring(start, at + 1);
    int close = text.indexOf(tag, at + 1);
    if (close < 0) {
      return unterminated();
    }
    end = close + tag.length();
    return Token.TokenKind.DOLLAR_STRING;
  }

  private Token.TokenKind commentOrOperator() {
    if (text.startsWith("--", start)) {
      int at = start;
      while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
        at++;
      }
      end = at;
      return Token.TokenKind.COMMENT;
    }
    if (text.startsWith("/*", start)) {
      return blockComment();
    }
    int at = start;
    boolean signMayEnd = false;
    while (at < text.length() && OPERATORS.indexOf(text.charAt(at)) >= 0) {
      if (text.startsWith("--", at) || text.startsWith("/*", at)) {
        break;
      }
      signMayEnd |= ALLOW_SIGN_AT_END.indexOf(text.charAt(at)) >= 0;
      at++;
    }
    if (at == start) {
      return single(Token.TokenKind.OPERATOR);
    }
    while (at > start + 1 && !signMayEnd && "+-".indexOf(text.charAt(at - 1)) >= 0) {
      at--;
    }
    end = at;
    return Token.TokenKind.OPERATOR;
  }

  /** Comments nest, unlike in the SQL standard. */
  private Token.TokenKind blockComment() {
    int depth = 0;
    int at = start;
    while (at < text.length()) {
      if (text.startsWith("/*", at)) {
        depth++;
        at += 2;
      } else if (text.startsWith("*/", at)) {
        depth--;
        at += 2;
        if (depth == 0) {
          end = at;
          return Token.TokenKind.COMMENT;
        }
      } else {
        at++;
      }
    }
    return unterminated();
  }

  private Token.TokenKind unterminated() {
    end = text.length();
    return Token.TokenKind.UNTERMINATED;
  }

  private char peek(int at) {
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private String tokenText(Token.TokenKind kind) {
    return switch (kind) {
      case WORD -> folded(text, start, end);
      case QUOTED -> text.substring(start + 1, end - 1).replace("\"\"", "\"");
      case OPERATOR, PUNCTUATION -> text.substring(start, end);
      default -> "";
    };
  }

  /** Only ASCII letters are folded, as in a UTF-8 database. */
  private static String folded(String text, int start, int end) {
    for (int at = start; at < end; at++) {
      char letter = text.charAt(at);
      if (letter >= 'A' && letter <= 'Z') {
        char[] letters = text.substring(start, end).toCharArray();
        for (int i = 0; i < letters.length; i++) {
          if (letters[i] >= 'A' && letters[i] <= 'Z') {
            letters[i] = (char) (letters[i] | 0x20);
          }
        }
        return new String(letters);
      }
    }
    return text.substring(start, end);
  }

  static boolean isSpace(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isIdentifierStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
  }

  private static boolean isIdentifierPart(char c) {
    return isIdentifierStart(c) || isDigit(c) || c == '$';
  }
}
