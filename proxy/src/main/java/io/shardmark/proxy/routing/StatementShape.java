package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.sql.KeyFormatException;
import io.shardmark.proxy.sql.KeyText;
import io.shardmark.proxy.sql.LiteralText;
import io.shardmark.proxy.sql.ParameterSource;
import io.shardmark.proxy.sql.SqlLexer;
import io.shardmark.proxy.sql.Token;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A statement's text with its literals replaced by marks of their kinds and without comments: equal
 * for statements that differ in values only. It is also the source of those values.
 */
final class StatementShape implements ParameterSource {
  /** Precedes the letter of a literal's kind; no statement may hold it. */
  private static final char MARK = '\u0001';

  private static final int MAX_LENGTH = 1 << 20;

  private final String sql;
  private final String shape;

  /** Start and end of each literal. */
  private final int[] literals;

  private StatementShape(String sql, String shape, int[] literals) {
    this.sql = sql;
    this.shape = shape;
    this.literals = literals;
  }

  /**
   * The shape of the only statement of a text; null if there is none, or more than one, or one that
   * must be planned by its exact text. A semicolon after it belongs to the text, not to the shape.
   */
  static @Nullable StatementShape of(String text) {
    if (text.length() > MAX_LENGTH || text.indexOf(MARK) >= 0) {
      return null;
    }
    String sql = text.strip();
    SqlLexer lexer = new SqlLexer(sql);
    StringBuilder shape = new StringBuilder(sql.length() + 16);
    int[] literals = new int[16];
    int count = 0;
    int copied = 0;
    int parentheses = 0;
    int end = sql.length();
    boolean first = true;
    for (Token.TokenKind kind = lexer.next(); kind != Token.TokenKind.END; kind = lexer.next()) {
      if (kind == Token.TokenKind.PARAMETER
          || kind == Token.TokenKind.UNTERMINATED
          || kind == Token.TokenKind.OTHER_STRING) {
        return null;
      }
      if (kind == Token.TokenKind.COMMENT) {
        if (sql.startsWith("shardmark_", indexOfMark(sql, lexer.start(), lexer.end()))) {
          return null;
        }
        if (end < sql.length()) {
          continue;
        }
        shape.append(sql, copied, lexer.start()).append(' ');
        copied = lexer.end();
        continue;
      }
      if (end < sql.length() || (first && !beginsQuery(sql, kind, lexer))) {
        return null;
      }
      first = false;
      if (kind == Token.TokenKind.PUNCTUATION) {
        switch (sql.charAt(lexer.start())) {
          case '(' -> parentheses++;
          case ')' -> parentheses--;
          case ';' -> {
            if (parentheses > 0) {
              return null;
            }
            end = lexer.start();
          }
          default -> {}
        }
      } else if (LiteralText.isReplaced(kind)) {
        shape.append(sql, copied, lexer.start()).append(MARK).append(letter(kind));
        copied = lexer.end();
        if (2 * count == literals.length) {
          literals = Arrays.copyOf(literals, 2 * literals.length);
        }
        literals[2 * count] = lexer.start();
        literals[2 * count + 1] = lexer.end();
        count++;
      }
    }
    if (first) {
      return null;
    }
    shape.append(sql.substring(copied, Math.max(copied, end)).stripTrailing());
    return new StatementShape(sql, shape.toString(), Arrays.copyOf(literals, 2 * count));
  }

  /** Where a comment speaks of a route; its end if it does not. */
  private static int indexOfMark(String sql, int start, int end) {
    int at = sql.indexOf("shardmark_", start);
    return at < 0 || at >= end ? end : at;
  }

  private static boolean beginsQuery(String sql, Token.TokenKind kind, SqlLexer lexer) {
    if (kind == Token.TokenKind.PUNCTUATION) {
      return sql.charAt(lexer.start()) == '(';
    }
    int length = lexer.end() - lexer.start();
    return kind == Token.TokenKind.WORD
        && length <= 6
        && Planner.isQuery(sql.substring(lexer.start(), lexer.end()).toLowerCase(Locale.ROOT));
  }

  private static char letter(Token.TokenKind kind) {
    return switch (kind) {
      case INTEGER -> 'i';
      case NUMBER -> 'n';
      case STRING -> 's';
      case ESCAPED_STRING -> 'e';
      default -> 'd';
    };
  }

  /** The statement itself. */
  String sql() {
    return sql;
  }

  String shape() {
    return shape;
  }

  @Override
  public @Nullable Object value(int index, KeyType type) {
    if (2 * index >= literals.length) {
      throw new KeyFormatException("the statement has no literal " + (index + 1));
    }
    int start = literals[2 * index];
    int end = literals[2 * index + 1];
    boolean quoted = sql.charAt(start) == '\'';
    String text = quoted ? LiteralText.unquoted(sql, start, end) : sql.substring(start, end);
    return KeyText.of(type, text);
  }

  @Override
  public List<Object> elements(int index, KeyType type) {
    throw new KeyFormatException("a literal is no array of keys");
  }
}
