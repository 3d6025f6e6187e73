package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.RowCount;
import io.shardmark.proxy.merge.RowWindow;
import io.shardmark.proxy.routing.Syntax.Expression;
import io.shardmark.proxy.routing.Syntax.Query;
import io.shardmark.proxy.routing.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** LIMIT and OFFSET of the client, and what the shards get instead. */
final class LimitRewrite {
  /** Characters from (inclusive) to (exclusive) become {@code text}. */
  record Change(int from, int to, String text) {}

  private final TokenRange tokens;
  private final Query query;
  private final RowCount limit;
  private final RowCount offset;

  /**
   * @throws SyntaxException if the numbers are neither constants nor parameters
   */
  LimitRewrite(TokenRange tokens, Query query) {
    this.tokens = tokens;
    this.query = query;
    this.limit = count(query.limit());
    this.offset = count(query.offset());
  }

  RowWindow window() {
    return new RowWindow(limit, offset);
  }

  private RowCount count(@Nullable Expression expression) {
    if (expression == null) {
      return RowCount.None.INSTANCE;
    }
    int from = tokens.stripFrom(expression.from(), expression.to());
    int to = expression.to() - (from - expression.from());
    boolean cast = to - from == 3 && tokens.symbol(from + 1, "::");
    Token token = tokens.at(from);
    String digits = tokens.text(token);
    if ((to - from == 1 || cast) && token.kind() == Kind.PARAMETER && digits.length() <= 6) {
      return new RowCount.Parameter(Integer.parseInt(digits.substring(1)) - 1);
    }
    if (to - from == 1 && token.kind() == Kind.INTEGER && digits.length() <= 18) {
      return new RowCount.Constant(Long.parseLong(digits));
    }
    if (to - from == 1 && (token.isWord("all") || token.isWord("null"))) {
      return RowCount.None.INSTANCE;
    }
    throw new SyntaxException("LIMIT or OFFSET is neither a constant nor a parameter");
  }

  /** The shards give their first limit + offset rows, none for LIMIT 0. Null if nothing changes. */
  @Nullable Change pushed() {
    if (limit instanceof RowCount.None) {
      return dropped();
    }
    if (query.offset() == null) {
      return null;
    }
    if (limit instanceof RowCount.Constant rows && offset instanceof RowCount.Constant skipped) {
      boolean none = rows.rows() == 0 || rows.rows() + skipped.rows() < 0;
      return change(" LIMIT " + (none ? 0 : rows.rows() + skipped.rows()) + " ");
    }
    // The greatest bigint as a limit means all; NULL does too, and least() leaves it out.
    // What is negative is refused when the rows are merged.
    String sum =
        "greatest(least(%s::numeric + %s, %d), 0)::bigint"
            .formatted(text(limit), text(offset), Long.MAX_VALUE);
    return change(" LIMIT CASE WHEN %s = 0 THEN 0 ELSE %s END ".formatted(text(limit), sum));
  }

  private static String text(RowCount count) {
    if (count instanceof RowCount.Parameter parameter) {
      return "$" + (parameter.index() + 1) + "::bigint";
    }
    return count instanceof RowCount.Constant constant ? Long.toString(constant.rows()) : "0";
  }

  /**
   * The shards give all rows, but none for LIMIT 0: a server does not compute them either.
   * Parameters stay, as a server counts them.
   */
  @Nullable Change dropped() {
    if (query.limits() == null) {
      return null;
    }
    List<String> bounds = new ArrayList<>();
    if (limit instanceof RowCount.Constant constant && constant.rows() == 0) {
      bounds.add("0");
    } else if (limit instanceof RowCount.Parameter) {
      bounds.add("CASE WHEN " + text(limit) + " = 0 THEN 0::bigint END");
    }
    if (offset instanceof RowCount.Parameter) {
      bounds.add("nullif(" + text(offset) + ", " + text(offset) + ")");
    }
    return change(
        switch (bounds.size()) {
          case 0 -> " ";
          case 1 -> " LIMIT " + bounds.get(0) + " ";
          default -> " LIMIT coalesce(" + String.join(", ", bounds) + ") ";
        });
  }

  private Change change(String text) {
    Expression limits = query.limits();
    if (limits == null) {
      throw new IllegalStateException("no LIMIT to change");
    }
    int from = tokens.at(limits.from()).start();
    return new Change(from, tokens.at(limits.to() - 1).end(), text);
  }
}
