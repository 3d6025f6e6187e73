package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Functions.Kind;
import io.shardmark.proxy.routing.Syntax.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks through a text for what may have another value on each shard. Pure; for all threads. */
public final class SteadyExpression {
  private SteadyExpression() {}

  /** Whether a time that depends on the moment may be read from the text: 'now'. */
  public static boolean isMomentary(String text) {
    return CallFacts.isMomentary(text);
  }

  /**
   * The first thing found between two tokens, or null: a function that is not immutable or not
   * known, the time, a system column, an aggregate or window that hangs on the order of rows.
   */
  public static @Nullable String different(String sql, List<Token> tokens, int from, int to) {
    TokenRange range = new TokenRange(sql, tokens);
    if (CallScan.hasDistinctOn(range)) {
      return "DISTINCT ON";
    }
    return CallFacts.of(range, List.of(new Expression(from, to, List.of()))).different();
  }

  /**
   * The first thing found between two tokens that each server draws for itself, or null: the time,
   * chance, a number of a sequence.
   */
  public static @Nullable String drawn(String sql, List<Token> tokens, int from, int to) {
    List<Expression> range = List.of(new Expression(from, to, List.of()));
    CallFacts calls = CallFacts.of(new TokenRange(sql, tokens), range);
    boolean sequence = calls.has(Kind.SEQUENCE) || calls.has(Kind.SEQUENCE_STATE);
    return sequence ? calls.different() : calls.momentary();
  }
}
