package io.shardmark.proxy.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads a statement's tokens from left to right. */
public class TokenCursor {
  private static final Token END = new Token(Token.TokenKind.END, 0, 0, "");

  private final TokenRange tokens;
  private int at;
  private int end;

  /** Before the first of the tokens. */
  public TokenCursor(TokenRange tokens) {
    this.tokens = tokens;
    this.end = tokens.size();
  }

  /** All of them. */
  public final TokenRange tokens() {
    return tokens;
  }

  /** The position of the next token. */
  public final int at() {
    return at;
  }

  /** Goes on from that position. */
  public final void moveTo(int position) {
    at = position;
  }

  /** The position up to which it reads. */
  public final int end() {
    return end;
  }

  /** Whether all is read. */
  public final boolean done() {
    return at >= end;
  }

  /** The next token; one of kind END if there is none. */
  public final Token peek() {
    return peek(0);
  }

  /** The token that follows so many others. */
  public final Token peek(int ahead) {
    return at + ahead < end ? tokens.at(at + ahead) : END;
  }

  /** Takes one token. */
  public final Token take() {
    Token token = peek();
    at++;
    return token;
  }

  /** Whether these words or symbols follow. */
  public final boolean sees(String... words) {
    for (int i = 0; i < words.length; i++) {
      Token token = peek(i);
      if (!token.isWord(words[i]) && !token.isSymbol(words[i])) {
        return false;
      }
    }
    return true;
  }

  /** Takes the words or symbols if they follow, all of them or none. */
  public final boolean take(String... words) {
    boolean found = sees(words);
    at += found ? words.length : 0;
    return found;
  }

  /** Takes one of these words if it is next. */
  public final boolean takeAny(String... words) {
    for (String word : words) {
      if (take(word)) {
        return true;
      }
    }
    return false;
  }

  /** Takes a word that must be there. */
  final void require(String word) {
    if (!take(word)) {
      throw new SyntaxException("expected " + word);
    }
  }

  /** A name, "" if none follows. */
  public final String name() {
    return peek().isName() ? take().text() : "";
  }

  final String requireName() {
    if (!peek().isName()) {
      throw new SyntaxException("expected a name");
    }
    return take().text();
  }

  /** A name with those before it and their dots; null if none follows. */
  public final @Nullable Name path() {
    if (!peek().isName()) {
      return null;
    }
    int start = peek().start();
    List<String> path = new ArrayList<>(List.of(take().text()));
    while (sees(".") && peek(1).isName()) {
      take();
      path.add(take().text());
    }
    return new Name(path, start, tokens.at(at - 1).end());
  }

  /** One or more, with commas between them. */
  public final <T> List<T> list(Supplier<T> one) {
    List<T> all = new ArrayList<>();
    do {
      all.add(one.get());
    } while (take(","));
    return all;
  }

  /** Reads other tokens, and stays where it is. */
  final <T> T within(int from, int to, Supplier<T> reader) {
    int savedAt = at;
    int savedEnd = end;
    at = from;
    end = to;
    T read = reader.get();
    at = savedAt;
    end = savedEnd;
    return read;
  }

  /** Reads the tokens up to there, and is after them. */
  final <T> T upTo(int to, Supplier<T> reader) {
    T read = within(at, to, reader);
    at = to;
    return read;
  }

  /** Reads what is in the parentheses that must follow, and is after them. */
  final <T> T parenthesised(Supplier<T> reader) {
    int close = tokens.partner(at);
    if (!sees("(") || close < 0) {
      throw new SyntaxException("expected (");
    }
    T read = within(at + 1, close, reader);
    at = close + 1;
    return read;
  }

  /** A name or the value of a literal, "" if none follows. */
  public final String value() {
    Token token = take();
    return switch (token.kind()) {
      case WORD, QUOTED -> token.text();
      case STRING -> LiteralText.unquoted(tokens.sql(), token.start(), token.end());
      case INTEGER, NUMBER -> tokens.text(token);
      case OPERATOR -> token.text().equals("-") ? "-" + value() : "";
      default -> "";
    };
  }

  /** The text from here to the end. */
  public final String rest() {
    return done() ? "" : tokens.sql().substring(peek().start()).strip();
  }
}
