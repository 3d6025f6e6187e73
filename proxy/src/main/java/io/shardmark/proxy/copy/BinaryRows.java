package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyBinary;
import io.shardmark.proxy.routing.CopyRows;
import io.shardmark.proxy.shardmap.UuidKey;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Binary COPY data (PG18 sql-copy, Binary Format): the header goes to every shard, each tuple to
 * that of its key, the trailer to every shard. What is malformed is refused in PostgreSQL's words.
 */
final class BinaryRows implements CopyCutter.CopyRowReader {
  private static final int NULL = -1;

  private enum BinaryPart {
    HEADER,
    TUPLES,
    BEHIND_TRAILER
  }

  private final CopyRows format;
  private final int columns;
  private BinaryPart part = BinaryPart.HEADER;

  /** In the tuple that is being read: how far it has been read, from its start. */
  private int seen;

  private int field;
  private int shard = CopyCutter.EVERYWHERE;

  BinaryRows(CopyRows format, int columns) {
    this.format = format;
    this.columns = columns;
  }

  @Override
  public int shard() {
    return shard;
  }

  @Override
  public int next(ByteBuf data) {
    return switch (part) {
      case HEADER -> header(data);
      case TUPLES -> tuple(data);
      case BEHIND_TRAILER -> {
        if (data.isReadable()) {
          throw malformed("received copy data after EOF marker");
        }
        yield 0;
      }
    };
  }

  @Override
  public int last(ByteBuf data) {
    if (part == BinaryPart.HEADER) {
      throw malformed(CopyBinary.missing(data, data.readerIndex(), data.readableBytes()));
    }
    // As PostgreSQL: the trailer may be missing, and one byte of the next count is no count.
    if (data.readableBytes() >= Short.BYTES) {
      throw malformed("unexpected EOF in COPY data");
    }
    return 0;
  }

  private static StatementException malformed(String message) {
    return new StatementException(SqlState.BAD_COPY_FILE_FORMAT, message);
  }

  private int header(ByteBuf data) {
    String fault = CopyBinary.fault(data, data.readerIndex(), data.readableBytes());
    if (fault != null) {
      throw malformed(fault);
    }
    int length = CopyBinary.headerBytes(data, data.readerIndex(), data.readableBytes());
    if (length < 0) {
      return 0;
    }
    part = BinaryPart.TUPLES;
    return length;
  }

  private int tuple(ByteBuf data) {
    int start = data.readerIndex();
    int available = data.readableBytes();
    if (seen == 0) {
      if (available < Short.BYTES) {
        return 0;
      }
      int count = data.getShort(start);
      if (count == CopyBinary.TRAILER) {
        part = BinaryPart.BEHIND_TRAILER;
        shard = CopyCutter.EVERYWHERE;
        return Short.BYTES;
      }
      if (count != columns) {
        throw malformed("row field count is " + count + ", expected " + columns);
      }
      seen = Short.BYTES;
      field = 0;
      shard = 0;
    }
    while (field < columns) {
      if (available - seen < Integer.BYTES) {
        return 0;
      }
      int length = data.getInt(start + seen);
      if (length < NULL) {
        throw malformed("invalid field size");
      }
      int bytes = Integer.BYTES + Math.max(0, length);
      if (bytes < 0 || available - seen < bytes) {
        return 0;
      }
      if (field == format.keyField()) {
        shard = shardOf(data, start + seen + Integer.BYTES, length);
      }
      seen += bytes;
      field++;
    }
    int length = seen;
    seen = 0;
    return length;
  }

  /** A row whose key is no number of the column's fails on whichever shard gets it. */
  private int shardOf(ByteBuf data, int start, int length) {
    if (length == NULL) {
      return CopyCutter.shardOf(format, null);
    }
    try {
      return switch (format.sharding().keyType()) {
        case TEXT ->
            CopyCutter.shardOf(
                format,
                StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(data.nioBuffer(start, length))
                    .toString());
        case UUID -> CopyCutter.shardOf(format, UuidKey.ofBinary(data.nioBuffer(start, length)));
        case INTEGER ->
            switch (length) {
              case Short.BYTES -> CopyCutter.shardOf(format, (long) data.getShort(start));
              case Integer.BYTES -> CopyCutter.shardOf(format, (long) data.getInt(start));
              case Long.BYTES -> CopyCutter.shardOf(format, data.getLong(start));
              default -> 0;
            };
      };
    } catch (CharacterCodingException e) {
      throw new StatementException(SqlState.CHARACTER_NOT_IN_REPERTOIRE, key("is not UTF-8"));
    } catch (IllegalArgumentException e) {
      throw new StatementException(
          SqlState.INVALID_BINARY_REPRESENTATION, key(String.valueOf(e.getMessage())));
    }
  }

  private String key(String fault) {
    return "a key of the sharding column \"" + format.sharding().column() + "\" " + fault;
  }
}
