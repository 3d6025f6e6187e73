package io.shardmark.proxy.merge;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Consumer;

/** The last steps of every merge: OFFSET and LIMIT, the visible columns, the count. */
final class RowOutput {
  private static final byte DATA_ROW = 'D';

  private final int visible;
  private final OpenWindow window;
  private final HeldMemory memory;
  private ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
  private long count;

  RowOutput(int visible, OpenWindow window, HeldMemory memory) {
    this.visible = visible;
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
    return visible == columns;
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
    if (window.isExhausted() || !window.admits()) {
      return;
    }
    int bytes = row.bodyBytes(visible);
    ByteBuf message = message(bytes);
    message.writeShort(visible);
    message.writeBytes(row.body(), Short.BYTES, bytes - Short.BYTES);
    count++;
    out.accept(message);
  }

  private ByteBuf message(int bodyBytes) {
    ByteBuf message = allocator.buffer(1 + Integer.BYTES + bodyBytes);
    message.writeByte(DATA_ROW);
    message.writeInt(Integer.BYTES + bodyBytes);
    return message;
  }
}
