package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.OrderItem;
import io.shardmark.proxy.routing.Syntax.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Columns added at the end of a select list. While they are collected their positions are numbers
 * from {@link #FIRST} on; {@link #position} then counts them from the end.
 */
final class HiddenColumns {
  static final int NONE = -1;
  private static final int FIRST = 1_000_000;

  private final String sql;
  private final TokenRange tokens;
  private final List<String> texts = new ArrayList<>();

  HiddenColumns(String sql, TokenRange tokens) {
    this.sql = sql;
    this.tokens = tokens;
  }

  int count() {
    return texts.size();
  }

  int add(Expression expression) {
    return add(textOf(expression));
  }

  int add(String text) {
    texts.add(text);
    return FIRST + texts.size() - 1;
  }

  /** Where an expression was added, or {@link #NONE}. */
  int indexOf(Expression expression) {
    int index = texts.indexOf(textOf(expression));
    return index < 0 ? NONE : FIRST + index;
  }

  private String textOf(Expression expression) {
    return sql.substring(
        tokens.at(expression.from()).start(), tokens.at(expression.to() - 1).end());
  }

  /** The position in a shard's answer, when all columns have been added. */
  int position(int collected) {
    return collected < FIRST ? collected : collected - FIRST - texts.size();
  }

  List<OrderItem> resolve(List<OrderItem> order) {
    return order.stream()
        .map(
            item ->
                new OrderItem(
                    position(item.column()), item.direction(), item.nulls(), item.textOrder()))
        .toList();
  }

  List<String> texts() {
    return texts;
  }

  /** What is put behind the select list, under names that ORDER BY does not mean. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < texts.size(); i++) {
      text.append(", ").append(texts.get(i)).append(" AS shardmark_").append(i + 1);
    }
    return text.toString();
  }
}
