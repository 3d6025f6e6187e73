package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** The tokens of a statement with their parentheses matched. */
final class TokenRange {
  private static final Token NONE = new Token(Kind.END, 0, 0, "");

  private final String sql;
  private final List<Token> tokens;
  private final int[] partner;

  /**
   * @param sql that the tokens are of
   * @throws SyntaxException if brackets do not match or a token does not end
   */
  TokenRange(String sql, List<Token> tokens) {
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
          throw new SyntaxException("unmatched " + token.text());
        }
        partner[i] = open.pop();
        partner[partner[i]] = i;
      } else if (token.kind() == Kind.UNTERMINATED) {
        throw new SyntaxException("unterminated string, comment or identifier");
      }
    }
    if (!open.isEmpty()) {
      throw new SyntaxException("unmatched parenthesis");
    }
  }

  int size() {
    return tokens.size();
  }

  /** The whole text. */
  String sql() {
    return sql;
  }

  /** The text of a token. */
  String text(Token token) {
    return sql.substring(token.start(), token.end());
  }

  /** The text from one token up to another one, exclusive. */
  String text(int from, int to) {
    return sql.substring(at(from).start(), at(to - 1).end());
  }

  String text(Syntax.Expression expression) {
    return text(expression.from(), expression.to());
  }

  /** Whether anything in it can name something. */
  boolean hasName(Syntax.Expression expression) {
    return tokens.subList(expression.from(), expression.to()).stream().anyMatch(Token::isName);
  }

  /** The token, or one of kind END outside the range. */
  Token at(int index) {
    return index >= 0 && index < tokens.size() ? tokens.get(index) : NONE;
  }

  boolean word(int index, String word) {
    return at(index).isWord(word) && !at(index - 1).isSymbol(".");
  }

  boolean symbol(int index, String symbol) {
    return at(index).isSymbol(symbol);
  }

  /** The other bracket of a pair; -1 if there is none. */
  int partner(int index) {
    return index >= 0 && index < partner.length ? partner[index] : -1;
  }

  /** The token after this one at the same depth: behind the closing bracket of an opening one. */
  int skip(int index) {
    return partner(index) > index ? partner(index) + 1 : index + 1;
  }

  /** The token after {@code name}, or {@code table.name} and the like, that begins here. */
  int afterName(int index) {
    int end = index + 1;
    while (symbol(end, ".") && at(end + 1).isName()) {
      end += 2;
    }
    return end;
  }

  /** The parts that commas outside parentheses separate; one at least. */
  List<int[]> parts(int from, int to) {
    List<int[]> parts = new ArrayList<>();
    int start = from;
    for (int i = from; i < to; i = skip(i)) {
      if (symbol(i, ",")) {
        parts.add(new int[] {start, i});
        start = i + 1;
      }
    }
    parts.add(new int[] {start, to});
    return parts;
  }

  /** First token of the range without parentheses around all of it. */
  int stripFrom(int from, int to) {
    int start = from;
    int end = to;
    while (end - start > 2 && symbol(start, "(") && partner(start) == end - 1) {
      start++;
      end--;
    }
    return start;
  }

  /**
   * Whether both ranges are written with the same tokens (names folded, values compared by text).
   */
  boolean sameTokens(int from, int to, int otherFrom, int otherTo) {
    if (to - from != otherTo - otherFrom) {
      return false;
    }
    for (int i = 0; i < to - from; i++) {
      Token left = at(from + i);
      Token right = at(otherFrom + i);
      boolean same =
          left.kind() == right.kind()
              && left.text().equals(right.text())
              && (!left.text().isEmpty() || text(left).equals(text(right)));
      if (!same) {
        return false;
      }
    }
    return true;
  }
}
