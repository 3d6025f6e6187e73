package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;

/** Rows of a merged result that no Execute has asked for yet. */
final class ScatterRows {
  private final Deque<ByteBuf> rows = new ArrayDeque<>();
  private String tag = "";

  /** The tag at the end of what is no SELECT; a SELECT counts the rows of each Execute. */
  void setTag(String whole) {
    tag = whole;
  }

  String tag(int rowsSent) {
    return tag.isEmpty() ? "SELECT " + rowsSent : tag;
  }

  void add(ByteBuf row) {
    rows.add(row);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  ByteBuf next() {
    return rows.remove();
  }

  void close() {
    rows.forEach(ByteBuf::release);
    rows.clear();
  }
}
