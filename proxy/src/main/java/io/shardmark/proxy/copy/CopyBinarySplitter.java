package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyBinary;
import io.shardmark.proxy.routing.CopyRows;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.UuidKey;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Binary COPY data (PG18 sql-copy, Binary Format): the header goes to every shard, each tuple to
 * that of its key, the trailer to every shard. What is malformed is refused in PostgreSQL's words.
 */
final class CopyBinarySplitter implements CopyCutter {
  private static final int NULL = -1;

  private enum Part {
    HEADER,
    TUPLES,
    BEHIND_TRAILER
  }

  private final CopyRows format;
  private final int columns;
  private final Sink sink;
  private final ByteBuf pending;
  private Part part = Part.HEADER;

  /** In the first tuple of what is pending: how far it has been read, from its start. */
  private int seen;

  private int field;
  private int shard;

  /**
   * @param columns that each tuple must have
   */
  CopyBinarySplitter(CopyRows format, int columns, ByteBufAllocator allocator, Sink sink) {
    this.format = format;
    this.columns = columns;
    this.sink = sink;
    this.pending = allocator.buffer(256, MAX_ROW_BYTES);
  }

  @Override
  public void data(ByteBuf in, int start, int length) {
    if (length > MAX_ROW_BYTES - pending.readableBytes()) {
      throw new StatementException(
          SqlState.PROGRAM_LIMIT_EXCEEDED, "a row of COPY data is longer than 1 GB");
    }
    pending.writeBytes(in, start, length);
    boolean more = pending.isReadable();
    while (more) {
      more =
          switch (part) {
            case HEADER -> header();
            case TUPLES -> tuple();
            case BEHIND_TRAILER -> {
              if (pending.isReadable()) {
                throw malformed("received copy data after EOF marker");
              }
              yield false;
            }
          };
    }
    if (pending.isReadable()) {
      pending.discardReadBytes();
    } else {
      pending.clear();
    }
  }

  @Override
  public void finish() {
    if (part == Part.HEADER) {
      throw malformed(CopyBinary.missing(pending, pending.readerIndex(), pending.readableBytes()));
    }
    // As PostgreSQL: the trailer may be missing, and one byte of the next count is none.
    if (pending.readableBytes() >= Short.BYTES) {
      throw malformed("unexpected EOF in COPY data");
    }
  }

  @Override
  public void close() {
    pending.release();
  }

  private static StatementException malformed(String message) {
    return new StatementException(SqlState.BAD_COPY_FILE_FORMAT, message);
  }

  private boolean header() {
    int start = pending.readerIndex();
    String fault = CopyBinary.fault(pending, start, pending.readableBytes());
    if (fault != null) {
      throw malformed(fault);
    }
    int length = CopyBinary.headerBytes(pending, start, pending.readableBytes());
    if (length < 0) {
      return false;
    }
    sink.row(EVERYWHERE, pending, start, length);
    pending.skipBytes(length);
    part = Part.TUPLES;
    return true;
  }

  /** Reads on in a tuple; false: the rest of it is still to come. */
  private boolean tuple() {
    int start = pending.readerIndex();
    int available = pending.readableBytes();
    if (seen == 0 && !begin(start, available)) {
      return part != Part.TUPLES;
    }
    while (field < columns) {
      if (available - seen < Integer.BYTES) {
        return false;
      }
      int length = pending.getInt(start + seen);
      if (length < NULL) {
        throw malformed("invalid field size");
      }
      int bytes = Integer.BYTES + Math.max(0, length);
      if (bytes < 0 || available - seen < bytes) {
        return false;
      }
      if (field == format.keyField()) {
        shard = shardOf(start + seen + Integer.BYTES, length);
      }
      seen += bytes;
      field++;
    }
    sink.row(shard, pending, start, seen);
    pending.skipBytes(seen);
    seen = 0;
    return pending.isReadable();
  }

  /** The count of fields, or the trailer in its place. */
  private boolean begin(int start, int available) {
    if (available < Short.BYTES) {
      return false;
    }
    int count = pending.getShort(start);
    if (count == CopyBinary.TRAILER) {
      sink.row(EVERYWHERE, pending, start, Short.BYTES);
      pending.skipBytes(Short.BYTES);
      part = Part.BEHIND_TRAILER;
      return false;
    }
    if (count != columns) {
      throw malformed("row field count is " + count + ", expected " + columns);
    }
    seen = Short.BYTES;
    field = 0;
    shard = 0;
    return true;
  }

  /** A row that fits no partition, or whose key is none, fails on whichever shard gets it. */
  private int shardOf(int start, int length) {
    Object key;
    if (length == NULL) {
      return Math.max(0, format.sharding().rule().shardOf(null));
    }
    KeyType type = format.sharding().keyType();
    if (type == KeyType.TEXT) {
      key = text(start, length);
    } else if (type != KeyType.INTEGER) {
      key = uuid(start, length);
    } else {
      switch (length) {
        case Short.BYTES -> key = (long) pending.getShort(start);
        case Integer.BYTES -> key = (long) pending.getInt(start);
        case Long.BYTES -> key = pending.getLong(start);
        default -> {
          return 0;
        }
      }
    }
    return Math.max(0, format.sharding().rule().shardOf(key));
  }

  private Object uuid(int start, int length) {
    try {
      return UuidKey.ofBinary(pending.nioBuffer(start, length));
    } catch (IllegalArgumentException e) {
      throw new StatementException(
          SqlState.INVALID_BINARY_REPRESENTATION,
          "a key of the sharding column \"" + format.sharding().column() + "\" " + e.getMessage());
    }
  }

  private String text(int start, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(pending.nioBuffer(start, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new StatementException(
          SqlState.CHARACTER_NOT_IN_REPERTOIRE,
          "a key of the sharding column \"" + format.sharding().column() + "\" is not UTF-8");
    }
  }
}
