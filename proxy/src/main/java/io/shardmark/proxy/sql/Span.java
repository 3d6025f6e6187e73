package io.shardmark.proxy.sql;

/** Tokens of a statement, from one (inclusive) to another (exclusive). */
public interface Span {
  /** The first token. */
  int from();

  /** One after the last token. */
  int to();

  /** How many tokens it is. */
  default int size() {
    return to() - from();
  }

  /** Nothing but these tokens. */
  public static Span of(int from, int to) {
    record Plain(int from, int to) implements Span {}
    return new Plain(from, to);
  }
}
