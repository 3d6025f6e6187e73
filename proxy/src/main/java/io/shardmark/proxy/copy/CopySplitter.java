package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ByteProcessor;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.CopyRows;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.UuidKey;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Cuts COPY data into rows and tells each row's shard by its key (PG18 COPY, sql-copy: text and CSV
 * formats). Rows may be cut anywhere between CopyData messages.
 */
final class CopySplitter implements CopyCutter {
  /** A row longer than this cannot be one. */
  private static final int MAX_ROW_BYTES = 0x3fff_ffff;

  private final CopyRows format;
  private final Sink sink;
  private final ByteBuf pending;
  private final boolean csv;

  /** Goes on over what neither ends a row nor changes what does. */
  private final ByteProcessor plain;

  /** Up to here there is no end of the first row: a long one is not looked through again. */
  private int scanned;

  private boolean quoted;
  private boolean headerDue;
  private boolean ended;

  CopySplitter(CopyRows format, ByteBufAllocator allocator, Sink sink) {
    this.format = format;
    this.sink = sink;
    this.headerDue = format.header();
    this.csv = format.format() == CopyRows.Format.CSV;
    this.plain =
        csv
            ? b -> b != '\n' && b != format.quote() && b != format.escape()
            : b -> b != '\n' && b != '\\';
    this.pending = allocator.buffer(256, MAX_ROW_BYTES);
  }

  @Override
  public void data(ByteBuf in, int start, int length) {
    pending.writeBytes(in, start, length);
    int end = rowEnd();
    while (end >= 0) {
      row(pending.readerIndex(), end);
      pending.readerIndex(end);
      end = rowEnd();
    }
    scanned -= pending.readerIndex();
    if (pending.isReadable()) {
      pending.discardReadBytes();
    } else {
      pending.clear();
    }
  }

  /** A last row may lack its newline. */
  @Override
  public void finish() {
    if (pending.isReadable()) {
      row(pending.readerIndex(), pending.writerIndex());
      pending.clear();
    }
  }

  @Override
  public void close() {
    pending.release();
  }

  /** Behind the newline that ends the first row, or -1 if it is not there yet. */
  private int rowEnd() {
    int to = pending.writerIndex();
    int at = Math.max(scanned, pending.readerIndex());
    while (at < to) {
      int found = pending.forEachByte(at, to - at, plain);
      if (found < 0) {
        at = to;
        break;
      }
      byte b = pending.getByte(found);
      at = found + 1;
      if (b == '\n' && !quoted) {
        scanned = at;
        return at;
      }
      if (isEscape(b)) {
        at++; // what follows means itself, also if it has not come yet
      } else if (csv && b == format.quote()) {
        quoted = !quoted;
      }
    }
    scanned = at;
    return -1;
  }

  private boolean isEscape(byte b) {
    return csv ? quoted && b == format.escape() && b != format.quote() : b == '\\';
  }

  private void row(int start, int end) {
    if (ended) {
      return;
    }
    if (headerDue) {
      headerDue = false;
      sink.row(EVERYWHERE, pending, start, end - start);
      return;
    }
    int last = end;
    while (last > start
        && (pending.getByte(last - 1) == '\n' || pending.getByte(last - 1) == '\r')) {
      last--;
    }
    if (last - start == 2 && pending.getByte(start) == '\\' && pending.getByte(start + 1) == '.') {
      ended = true;
      return;
    }
    String key = csv ? csvKey(start, last) : textKey(start, last);
    // A row that fits no partition fails on whichever shard gets it.
    int shard = Math.max(0, format.sharding().rule().shardOf(value(key)));
    sink.row(shard, pending, start, end - start);
  }

  private @Nullable Object value(@Nullable String key) {
    KeyType type = format.sharding().keyType();
    if (key == null || type == KeyType.TEXT) {
      return key;
    }
    try {
      return type == KeyType.INTEGER ? (Object) Long.parseLong(key.strip()) : UuidKey.parse(key);
    } catch (IllegalArgumentException e) { // of a number as well
      throw new StatementException(
          SqlState.INVALID_TEXT_REPRESENTATION,
          "invalid input syntax for the sharding column \""
              + format.sharding().column()
              + "\" of type "
              + type.name().toLowerCase(Locale.ROOT)
              + ": \""
              + key
              + "\"");
    }
  }

  private @Nullable String textKey(int start, int end) {
    int from = start;
    int field = 0;
    int i = start;
    while (i < end) {
      byte b = pending.getByte(i);
      if (b == '\\') {
        i++;
      } else if (b == format.delimiter()) {
        if (field == format.keyField()) {
          break;
        }
        field++;
        from = i + 1;
      }
      i++;
    }
    requireField(field);
    String raw = pending.toString(from, Math.min(i, end) - from, StandardCharsets.UTF_8);
    if (raw.equals(format.nullText())) {
      return null;
    }
    return raw.indexOf('\\') < 0 ? raw : unescaped(raw);
  }

  private void requireField(int field) {
    if (field < format.keyField()) {
      throw new StatementException(
          SqlState.BAD_COPY_FILE_FORMAT,
          "missing data for column \"" + format.sharding().column() + "\"");
    }
  }

  /** The backslash sequences of the text format. */
  private static String unescaped(String raw) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
    int i = 0;
    while (i < bytes.length) {
      byte b = bytes[i++];
      if (b != '\\' || i == bytes.length) {
        out.write(b);
        continue;
      }
      byte c = bytes[i++];
      switch (c) {
        case 'b' -> out.write('\b');
        case 'f' -> out.write('\f');
        case 'n' -> out.write('\n');
        case 'r' -> out.write('\r');
        case 't' -> out.write('\t');
        case 'v' -> out.write(0x0B);
        case 'x' -> i = number(bytes, i, 16, 2, out);
        case '0', '1', '2', '3', '4', '5', '6', '7' -> i = number(bytes, i - 1, 8, 3, out);
        default -> out.write(c);
      }
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static int number(
      byte[] bytes, int from, int radix, int digits, ByteArrayOutputStream out) {
    int value = 0;
    int i = from;
    while (i < bytes.length && i < from + digits && Character.digit(bytes[i], radix) >= 0) {
      value = value * radix + Character.digit(bytes[i], radix);
      i++;
    }
    out.write(i == from ? 'x' : value);
    return i;
  }

  private @Nullable String csvKey(int start, int end) {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    boolean quoted = false;
    boolean sawQuote = false;
    int field = 0;
    for (int i = start; i < end; i++) {
      byte b = pending.getByte(i);
      if (quoted && b == format.escape() && i + 1 < end && isEscapable(pending.getByte(i + 1))) {
        value.write(pending.getByte(++i));
      } else if (b == format.quote()) {
        quoted = !quoted;
        sawQuote = true;
      } else if (b == format.delimiter() && !quoted) {
        if (field == format.keyField()) {
          break;
        }
        field++;
        value.reset();
        sawQuote = false;
      } else {
        value.write(b);
      }
    }
    requireField(field);
    String text = value.toString(StandardCharsets.UTF_8);
    return !sawQuote && text.equals(format.nullText()) ? null : text;
  }

  private boolean isEscapable(byte b) {
    return b == format.quote() || b == format.escape();
  }
}
