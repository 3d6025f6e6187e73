package io.shardmark.proxy.merge;

import java.util.List;

/** ORDER BY; may be empty. */
record Sorting(List<OrderItem> items) {
  Sorting {
    items = List.copyOf(items);
  }

  boolean isEmpty() {
    return items.isEmpty();
  }
}
