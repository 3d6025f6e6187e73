package io.shardmark.proxy.sql;

import java.util.ArrayList;
import java.util.List;

/** Parts of a statement's text with their parameters numbered anew, from $1. */
public final class RenumberedText {
  private final TokenRange tokens;
  private final StringBuilder text = new StringBuilder();
  private final List<Integer> parameters = new ArrayList<>();

  public RenumberedText(TokenRange tokens) {
    this.tokens = tokens;
  }

  /** Adds the tokens from (inclusive) to (exclusive) with what is between them. */
  public RenumberedText copy(int from, int to) {
    if (from < to) {
      int at = tokens.at(from).start();
      for (int i = from; i < to; i++) {
        Token token = tokens.at(i);
        if (token.kind() == Token.TokenKind.PARAMETER) {
          text.append(tokens.sql(), at, token.start()).append('$').append(number(token));
          at = token.end();
        }
      }
      text.append(tokens.sql(), at, tokens.at(to - 1).end());
    }
    return this;
  }

  private int number(Token token) {
    Integer index = Integer.parseInt(tokens.text(token).substring(1)) - 1;
    int known = parameters.indexOf(index);
    if (known >= 0) {
      return known + 1;
    }
    parameters.add(index);
    return parameters.size();
  }

  public RenumberedText append(String words) {
    text.append(words);
    return this;
  }

  public String text() {
    return text.toString();
  }

  /** For each parameter of the text, the index (from 0) of the parameter it had been. */
  public List<Integer> parameters() {
    return parameters;
  }
}
