package io.shardmark.proxy.routing;

import io.shardmark.proxy.merge.OrderItem;
import io.shardmark.proxy.routing.Syntax.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Columns added at the end of a select list. While they are collected their positions are numbers
 * from {@link #FIRST} on; {@link #resolve} then counts them from the end.
 */
final class HiddenColumns {
  private static final int FIRST = 1_000_000;

  private final TokenRange tokens;
  private final List<String> texts = new ArrayList<>();

  HiddenColumns(TokenRange tokens) {
    this.tokens = tokens;
  }

  int count() {
    return texts.size();
  }

  int add(Expression expression) {
    texts.add(tokens.text(expression));
    return FIRST + texts.size() - 1;
  }

  /** With the positions in a shard's answer, when all columns have been added. */
  List<OrderItem> resolve(List<OrderItem> order) {
    return order.stream().map(this::resolve).toList();
  }

  private OrderItem resolve(OrderItem item) {
    int column = item.column() < FIRST ? item.column() : item.column() - FIRST - texts.size();
    return new OrderItem(column, item.descending(), item.nullsFirst(), item.byteOrdered());
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
