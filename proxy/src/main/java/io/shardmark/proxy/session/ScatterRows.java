package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;

/** Rows of a merged result that no Execute has asked for yet. */
final class ScatterRows {
  private final Deque<ByteBuf> rows = new ArrayDeque<>();
  private final String verb;

  ScatterRows(String verb) {
    this.verb = verb;
  }

  String verb() {
    return verb;
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
