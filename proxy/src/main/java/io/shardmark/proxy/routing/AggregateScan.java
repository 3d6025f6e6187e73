package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.Aggregate;
import io.shardmark.proxy.merge.Aggregate.Function;
import io.shardmark.proxy.merge.TextOrder;
import io.shardmark.proxy.routing.Syntax.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the aggregates whose values of several shards can be combined. */
final class AggregateScan {
  private final String sql;
  private final TokenRange tokens;
  private final HiddenColumns hidden;
  private final List<Aggregate> found = new ArrayList<>();

  AggregateScan(String sql, TokenRange tokens, HiddenColumns hidden) {
    this.sql = sql;
    this.tokens = tokens;
    this.hidden = hidden;
  }

  /** Whether the whole expression is one such aggregate. */
  boolean isAggregate(Expression expression) {
    return function(expression) != null;
  }

  /** Notes it, if the expression in that column is one. */
  boolean add(Expression expression, int column, TextOrder textOrder) {
    Function function = function(expression);
    if (function == null) {
      return false;
    }
    if (function == Function.AVG) {
      String rest = rest(expression);
      int sum = hidden.add("sum" + rest);
      int count = hidden.add("count" + rest);
      found.add(Aggregate.average(column, sum, count));
    } else if (function == Function.MIN || function == Function.MAX) {
      found.add(Aggregate.extreme(function, column, textOrder));
    } else {
      found.add(Aggregate.of(function, column));
    }
    return true;
  }

  /** The argument, or the expression itself if it is no aggregate. */
  Expression argument(Expression expression) {
    if (function(expression) == null) {
      return expression;
    }
    int open = open(expression);
    return new Expression(open + 1, tokens.partner(open), List.of());
  }

  /** With the positions that hidden columns have in the end. */
  List<Aggregate> resolved() {
    return found.stream()
        .map(
            aggregate ->
                new Aggregate(
                    aggregate.function(),
                    hidden.position(aggregate.column()),
                    hidden.position(aggregate.sumColumn()),
                    hidden.position(aggregate.countColumn()),
                    aggregate.textOrder()))
        .toList();
  }

  /** The only aggregate, in that column, with the hidden columns right behind it. */
  List<Aggregate> resolvedBehind(int column) {
    return found.stream()
        .map(
            aggregate ->
                aggregate.function() == Function.AVG
                    ? Aggregate.average(column, column + 1, column + 2)
                    : aggregate)
        .toList();
  }

  /** {@code (x)} or {@code (x) FILTER (WHERE y)}. */
  private String rest(Expression expression) {
    int from = tokens.at(open(expression)).start();
    return sql.substring(from, tokens.at(expression.to() - 1).end());
  }

  private int open(Expression expression) {
    return tokens.symbol(expression.from() + 1, ".")
        ? expression.from() + 3
        : expression.from() + 1;
  }

  private @Nullable Function function(Expression expression) {
    int open = open(expression);
    boolean qualified = open == expression.from() + 3;
    if (!tokens.symbol(open, "(")
        || (qualified && !tokens.at(expression.from()).text().equals("pg_catalog"))) {
      return null;
    }
    int close = tokens.partner(open);
    boolean filter =
        tokens.word(close + 1, "filter")
            && tokens.symbol(close + 2, "(")
            && tokens.partner(close + 2) == expression.to() - 1;
    if (close != expression.to() - 1 && !filter) {
      return null;
    }
    Function function = byName(tokens.at(open - 1).text());
    boolean distinct = tokens.word(open + 1, "distinct");
    boolean extreme = function == Function.MIN || function == Function.MAX;
    boolean ordered = CallScan.hasWord(tokens, open + 1, close, "order");
    return (distinct && !extreme) || ordered ? null : function;
  }

  private static @Nullable Function byName(String name) {
    return switch (name) {
      case "count" -> Function.COUNT;
      case "sum" -> Function.SUM;
      case "min" -> Function.MIN;
      case "max" -> Function.MAX;
      case "avg" -> Function.AVG;
      case "bool_and", "every" -> Function.BOOL_AND;
      case "bool_or" -> Function.BOOL_OR;
      default -> null;
    };
  }
}
