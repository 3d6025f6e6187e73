package io.shardmark.proxy.merge;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.SqlState;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A row held in memory: the body of its DataRow message and where its columns are. PG18 §54.7
 * protocol-message-formats: a count of columns, then for each its length (-1 is NULL) and bytes.
 */
final class Row {
  private final byte[] body;
  private final int[] starts;

  private Row(byte[] body, int[] starts) {
    this.body = body;
    this.starts = starts;
  }

  /** A copy of a DataRow's body. */
  static Row copyOf(ByteBuf dataRow, int columns) {
    byte[] body = new byte[dataRow.readableBytes()];
    dataRow.getBytes(dataRow.readerIndex(), body);
    ByteBuffer in = ByteBuffer.wrap(body);
    if (body.length < Short.BYTES || in.getShort() != columns) {
      throw malformed(columns);
    }
    int[] starts = new int[columns + 1];
    for (int i = 0; i < columns; i++) {
      if (in.remaining() < Integer.BYTES) {
        throw malformed(columns);
      }
      int length = in.getInt();
      starts[i] = length < 0 ? -in.position() : in.position();
      if (length > in.remaining()) {
        throw malformed(columns);
      }
      in.position(in.position() + Math.max(length, 0));
    }
    starts[columns] = in.position() + Integer.BYTES;
    return new Row(body, starts);
  }

  private static MergeRefusedException malformed(int columns) {
    return new MergeRefusedException(
        SqlState.PROTOCOL_VIOLATION,
        "a shard's DataRow does not hold the " + columns + " columns of its description",
        "The statement's table may have changed meanwhile; try again.");
  }

  /** A column's bytes, or null for NULL. */
  byte @Nullable [] value(int column) {
    int start = starts[column];
    return start < 0 ? null : Arrays.copyOfRange(body, start, end(column));
  }

  /** Bytes of the body that hold the first columns. */
  int bodyBytes(int columns) {
    return Math.abs(starts[columns]) - Integer.BYTES;
  }

  byte[] body() {
    return body;
  }

  private int end(int column) {
    return Math.abs(starts[column + 1]) - Integer.BYTES;
  }
}
