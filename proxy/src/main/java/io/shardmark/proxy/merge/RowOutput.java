package io.shardmark.proxy.merge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** The last steps of every merge: DISTINCT, OFFSET and LIMIT, the visible columns, the count. */
final class RowOutput {
  private static final byte DATA_ROW = 'D';

  private final int visible;
  private final RowKeys distinct;
  private final OpenWindow window;
  private final HeldMemory memory;
  private final Set<Object> seen = new HashSet<>();
  private ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
  private long count;

  RowOutput(int visible, RowKeys distinct, OpenWindow window, HeldMemory memory) {
    this.visible = visible;
    this.distinct = distinct;
    this.window = window;
    this.memory = memory;
  }

  HeldMemory memory() {
    return memory;
  }

  long count() {
    return count;
  }

  boolean isSatisfied() {
    return window.isExhausted();
  }

  /** Buffers come from where the rows' come from. */
  void allocateAs(ByteBuf dataRow) {
    allocator = dataRow.alloc();
  }

  /** Whether rows pass without a look at their columns. */
  boolean takesWholeRows(int columns) {
    return visible == columns && distinct.isEmpty();
  }

  /** A row that need not be looked at; borrowed. */
  void whole(ByteBuf dataRow, Consumer<ByteBuf> out) {
    if (!window.admits()) {
      return;
    }
    ByteBuf message = message(dataRow.readableBytes());
    message.writeBytes(dataRow, dataRow.readerIndex(), dataRow.readableBytes());
    count++;
    out.accept(message);
  }

  void row(Row row, Consumer<ByteBuf> out) {
    if (window.isExhausted() || !isFirst(row) || !window.admits()) {
      return;
    }
    int bytes = row.bodyBytes(visible);
    ByteBuf message = message(bytes);
    message.writeShort(visible);
    message.writeBytes(row.body(), Short.BYTES, bytes - Short.BYTES);
    count++;
    out.accept(message);
  }

  private boolean isFirst(Row row) {
    if (distinct.isEmpty()) {
      return true;
    }
    if (!seen.add(distinct.of(row))) {
      return false;
    }
    memory.take((long) HeldMemory.OVERHEAD_BYTES + row.bodyBytes(visible));
    return true;
  }

  private ByteBuf message(int bodyBytes) {
    ByteBuf message = allocator.buffer(1 + Integer.BYTES + bodyBytes);
    message.writeByte(DATA_ROW);
    message.writeInt(Integer.BYTES + bodyBytes);
    return message;
  }
}
