package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.routing.CopyRows;

/** Cuts COPY data into rows, which may begin and end anywhere in CopyData messages. */
sealed interface CopyCutter permits CopySplitter, CopyBinarySplitter {
  /** Where a part goes that every shard needs: header and trailer. */
  int EVERYWHERE = -1;

  /** A row longer than this cannot be one. */
  int MAX_ROW_BYTES = 0x3fff_ffff;

  /** Takes rows; the buffer is borrowed. */
  interface Sink {
    /**
     * @param shard index, or {@link #EVERYWHERE}
     */
    void row(int shard, ByteBuf rows, int start, int length);
  }

  /** For that format. */
  static CopyCutter of(CopyRows rows, int columns, ByteBufAllocator allocator, Sink sink) {
    return rows.format() == CopyRows.Format.BINARY
        ? new CopyBinarySplitter(rows, columns, allocator, sink)
        : new CopySplitter(rows, allocator, sink);
  }

  /**
   * The contents of one CopyData message; borrowed.
   *
   * @throws StatementException if a row's shard cannot be found
   */
  void data(ByteBuf in, int start, int length);

  /**
   * CopyDone.
   *
   * @throws StatementException if the data end where they must not
   */
  void finish();

  /** Frees what is held. */
  void close();
}
