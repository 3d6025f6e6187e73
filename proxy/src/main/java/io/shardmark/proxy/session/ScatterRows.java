package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.merge.MergeRefusedException;
import io.shardmark.proxy.protocol.SqlState;
import java.util.ArrayDeque;
import java.util.Deque;

/** Rows that writing on several shards has returned and no Execute has asked for yet. */
final class ScatterRows {
  private final Deque<ByteBuf> rows = new ArrayDeque<>();
  private final long limitBytes;
  private long heldBytes;
  private String tag = "";

  /**
   * @param limitBytes that may be held
   */
  ScatterRows(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** What to refuse with when more would have to be held. */
  static MergeRefusedException tooMany(long limitBytes) {
    return new MergeRefusedException(
        SqlState.OUT_OF_MEMORY.code(),
        "fetching the shards' rows in portions needs more than " + limitBytes + " bytes of memory",
        "Fetch without a row limit, or raise scatter_memory_limit.");
  }

  /** The tag at the end of what is no SELECT; a SELECT counts the rows of each Execute. */
  void setTag(String whole) {
    tag = whole;
  }

  String tag(int rowsSent) {
    return tag.isEmpty() ? "SELECT " + rowsSent : tag;
  }

  void add(ByteBuf row) {
    rows.add(row);
    heldBytes += row.readableBytes();
    if (heldBytes > limitBytes) {
      throw tooMany(limitBytes);
    }
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  ByteBuf next() {
    ByteBuf row = rows.remove();
    heldBytes -= row.readableBytes();
    return row;
  }

  void close() {
    rows.forEach(ByteBuf::release);
    rows.clear();
  }
}
