package io.shardmark.proxy.routing;

import java.util.List;

/** Reads a command's words from left to right. */
final class Words {
  private final String sql;
  private final List<Token> tokens;
  private int at;

  Words(String sql, List<Token> tokens) {
    this.sql = sql;
    this.tokens = tokens;
  }

  boolean done() {
    return at >= tokens.size();
  }

  Token peek() {
    return at < tokens.size() ? tokens.get(at) : new Token(Token.Kind.END, 0, 0, "");
  }

  Token peek(int ahead) {
    int index = at + ahead;
    return index < tokens.size() ? tokens.get(index) : new Token(Token.Kind.END, 0, 0, "");
  }

  Token take() {
    Token token = peek();
    at++;
    return token;
  }

  /** Takes the words if they follow, all of them or none. */
  boolean take(String... words) {
    for (int i = 0; i < words.length; i++) {
      Token token = peek(i);
      if (!token.isWord(words[i]) && !token.isSymbol(words[i])) {
        return false;
      }
    }
    at += words.length;
    return true;
  }

  /** A name, "" if none follows. */
  String name() {
    return peek().isName() ? take().text() : "";
  }

  /** A name or the value of a literal, "" if none follows. */
  String value() {
    Token token = take();
    return switch (token.kind()) {
      case WORD, QUOTED -> token.text();
      case STRING -> LiteralText.unquoted(sql, token.start(), token.end());
      case INTEGER, NUMBER -> sql.substring(token.start(), token.end());
      case OPERATOR -> token.text().equals("-") ? "-" + value() : "";
      default -> "";
    };
  }

  /** The next token as it is written. */
  String raw() {
    Token token = take();
    return sql.substring(token.start(), token.end());
  }

  /** The text from here to the end. */
  String rest() {
    return done() ? "" : sql.substring(peek().start()).strip();
  }

  int position() {
    return at;
  }
}
