package io.shardmark.proxy.sql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The tokens of a statement with their brackets matched. */
public final class TokenRange {
  private static final Token NONE = new Token(Token.TokenKind.END, 0, 0, "");

  private final String sql;
  private final List<Token> tokens;
  private final int[] partner;
  private @Nullable String fault;

  /**
   * @param sql that the tokens are of
   */
  public TokenRange(String sql, List<Token> tokens) {
    this.sql = sql;
    this.tokens = tokens;
    this.partner = new int[tokens.size()];
    Arrays.fill(partner, -1);
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.isSymbol("(") || token.isSymbol("[")) {
        open.push(i);
      } else if (token.isSymbol(")") || token.isSymbol("]")) {
        if (open.isEmpty()) {
          hasFault("unmatched " + token.text());
        } else {
          partner[i] = open.pop();
          partner[partner[i]] = i;
        }
      } else if (token.kind() == Token.TokenKind.UNTERMINATED) {
        hasFault("unterminated string, comment or identifier");
      }
    }
    if (!open.isEmpty()) {
      hasFault("unmatched parenthesis");
    }
  }

  private void hasFault(String what) {
    fault = fault == null ? what : fault;
  }

  /**
   * These tokens.
   *
   * @throws SyntaxException if brackets do not match or a token does not end
   */
  public TokenRange checked() {
    if (fault != null) {
      throw new SyntaxException(fault);
    }
    return this;
  }

  /** How many there are. */
  public int size() {
    return tokens.size();
  }

  /** The whole text. */
  public String sql() {
    return sql;
  }

  public List<Token> tokens() {
    return tokens;
  }

  /** The text of a token. */
  public String text(Token token) {
    return sql.substring(token.start(), token.end());
  }

  /** The text from one token up to another one, exclusive. */
  public String text(int from, int to) {
    return from < to ? sql.substring(at(from).start(), at(to - 1).end()) : "";
  }

  public String text(Span span) {
    return text(span.from(), span.to());
  }

  /** Whether anything in it can name something. */
  public boolean hasName(Span span) {
    return tokens.subList(span.from(), span.to()).stream().anyMatch(Token::isName);
  }

  /** Whether it has the name, quoted or not. */
  public boolean hasName(Span span, String name) {
    return tokens.subList(span.from(), span.to()).stream()
        .anyMatch(token -> token.isName() && token.text().equals(name));
  }

  /** Whether it has the word, at any depth. */
  public boolean hasWord(Span span, String word) {
    return IntStream.range(span.from(), span.to()).anyMatch(i -> word(i, word));
  }

  /** The token, or one of kind END outside the range. */
  public Token at(int index) {
    return index >= 0 && index < tokens.size() ? tokens.get(index) : NONE;
  }

  /** Whether the word is there, not as a part of a name. */
  public boolean word(int index, String word) {
    return at(index).isWord(word) && !at(index - 1).isSymbol(".");
  }

  /** Whether the symbol is there. */
  public boolean symbol(int index, String symbol) {
    return at(index).isSymbol(symbol);
  }

  /** The other bracket of a pair; -1 if there is none. */
  public int partner(int index) {
    return index >= 0 && index < partner.length ? partner[index] : -1;
  }

  /** The token after this one at the same depth: after the closing bracket of an opening one. */
  public int skip(int index) {
    return partner(index) > index ? partner(index) + 1 : index + 1;
  }

  /** The first such word or symbol outside of brackets; the end if there is none. */
  public int find(Span in, String what) {
    int i = in.from();
    while (i < in.to() && !word(i, what) && !symbol(i, what)) {
      i = skip(i);
    }
    return Math.min(i, in.to());
  }

  /** The token after {@code name}, or {@code table.name} and the like, that begins here. */
  public int afterName(int index) {
    int end = index + 1;
    while (symbol(end, ".") && at(end + 1).isName()) {
      end += 2;
    }
    return end;
  }

  /** The parts that commas outside of brackets separate; none of nothing. */
  public List<Span> parts(int from, int to) {
    List<Span> parts = new ArrayList<>();
    int start = from;
    while (start < to || (start == to && !parts.isEmpty())) {
      int end = find(Span.of(start, to), ",");
      parts.add(Span.of(start, end));
      start = end + 1;
    }
    return parts;
  }

  /** Without the parentheses around all of it. */
  public Span stripped(Span span) {
    int from = span.from();
    int to = span.to();
    while (to - from > 2 && symbol(from, "(") && partner(from) == to - 1) {
      from++;
      to--;
    }
    return from == span.from() ? span : Span.of(from, to);
  }

  /** Whether both are written with the same tokens (names folded, values compared by text). */
  public boolean same(Span one, Span other) {
    return one.size() == other.size()
        && IntStream.range(0, one.size())
            .allMatch(i -> same(at(one.from() + i), at(other.from() + i)));
  }

  private boolean same(Token left, Token right) {
    return left.kind() == right.kind()
        && left.text().equals(right.text())
        && (!left.text().isEmpty() || text(left).equals(text(right)));
  }
}
