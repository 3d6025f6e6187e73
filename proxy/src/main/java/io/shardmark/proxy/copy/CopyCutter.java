package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyRows;
import org.jspecify.annotations.Nullable;

/** Cuts COPY data into rows, which may begin and end anywhere in CopyData messages. */
final class CopyCutter {
  /** Where a part goes that every shard needs: header and trailer. */
  static final int EVERYWHERE = -1;

  /** Where a part goes that no shard needs. */
  static final int NOWHERE = -2;

  /** A row longer than this cannot be one: MaxAllocSize of PostgreSQL. */
  private static final int MAX_ROW_BYTES = 0x3fff_ffff;

  private final CopyRowReader reader;
  private final Sink sink;
  private final ByteBuf pending;
  private final int maxRowBytes;

  /** Takes rows; the buffer is borrowed. */
  interface Sink {
    /**
     * @param shard index, or {@link #EVERYWHERE}
     */
    void row(int shard, ByteBuf rows, int start, int length);
  }

  /** Knows a format. */
  interface CopyRowReader {
    /**
     * Reads the part, mostly a row, that begins at the reader index; the next call is given the
     * same bytes and more, or those after them.
     *
     * @return its length; 0 if there is no whole one yet
     * @throws StatementException if its shard cannot be found
     */
    int next(ByteBuf data);

    /** The shard of the part that has been read last, or one of the constants. */
    int shard();

    /**
     * No more data come.
     *
     * @return the length of a last row, or 0
     * @throws StatementException if the data end where they must not
     */
    int last(ByteBuf data);
  }

  /**
   * @param limitBytes what a row, or what comes with its end in one message, may take
   */
  CopyCutter(CopyRowReader reader, ByteBufAllocator allocator, Sink sink, long limitBytes) {
    this.reader = reader;
    this.sink = sink;
    this.maxRowBytes = (int) Math.min(limitBytes, MAX_ROW_BYTES);
    this.pending = allocator.buffer(Math.min(256, maxRowBytes), maxRowBytes);
  }

  /**
   * The contents of one CopyData message; borrowed.
   *
   * @throws StatementException if a row's shard cannot be found, or it is too long to be held
   */
  void data(ByteBuf in, int start, int length) {
    if (length > maxRowBytes - pending.readableBytes()) {
      throw new StatementException(
          SqlState.OUT_OF_MEMORY,
          "a row of COPY data needs more than " + maxRowBytes + " bytes of memory",
          "Raise scatter_memory_limit; a row is never longer than 1 GB.");
    }
    pending.writeBytes(in, start, length);
    int bytes = reader.next(pending);
    while (bytes > 0) {
      pass(bytes);
      bytes = reader.next(pending);
    }
    if (pending.isReadable()) {
      pending.discardReadBytes();
    } else {
      pending.clear();
    }
  }

  /**
   * CopyDone.
   *
   * @throws StatementException if the data end where they must not
   */
  void finish() {
    int bytes = reader.last(pending);
    if (bytes > 0) {
      pass(bytes);
    }
  }

  private void pass(int bytes) {
    if (reader.shard() != NOWHERE) {
      sink.row(reader.shard(), pending, pending.readerIndex(), bytes);
    }
    pending.skipBytes(bytes);
  }

  /** Frees what is held. */
  void close() {
    pending.release();
  }

  /** A row that fits no partition fails on whichever shard gets it. */
  static int shardOf(CopyRows rows, @Nullable Object key) {
    return Math.max(0, rows.sharding().rule().shardOf(key));
  }
}
