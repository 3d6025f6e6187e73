package io.shardmark.proxy.copy;

import io.netty.buffer.ByteBuf;
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
 * COPY data of the text and CSV formats (PG18 COPY, sql-copy). The first row shows how rows end: by
 * newline, carriage return or both. What ends otherwise is an error, as the server of each row
 * could not know of the rows of others.
 */
final class LineRows implements CopyCutter.CopyRowReader {
  /** How rows end. */
  private enum Ending {
    UNKNOWN,
    NEWLINE,
    RETURN,
    BOTH
  }

  private final CopyRows format;
  private final boolean csv;

  /** Goes on over what neither ends a row nor changes what does. */
  private final ByteProcessor plain;

  /** So much of the first row has no end of it: a long one is not looked through again. */
  private int scanned;

  private Ending ending = Ending.UNKNOWN;
  private boolean quoted;

  /** The row has a backslash. */
  private boolean escapes;

  private final boolean mayEnd;
  private boolean headerDue;
  private boolean ended;
  private int shard;

  /**
   * @param mayEnd whether a row {@code \.} ends the data: in CSV it does before PostgreSQL 18
   */
  LineRows(CopyRows format, boolean mayEnd) {
    this.format = format;
    this.mayEnd = mayEnd;
    this.headerDue = format.header();
    this.csv = format.format() == CopyRows.Format.CSV;
    this.plain =
        csv
            ? b -> b != '\n' && b != '\r' && b != format.quote() && b != format.escape()
            : b -> b != '\n' && b != '\r' && b != '\\';
  }

  @Override
  public int shard() {
    return shard;
  }

  @Override
  public int next(ByteBuf data) {
    int start = data.readerIndex();
    int to = data.writerIndex();
    if (ended) {
      shard = CopyCutter.NOWHERE;
      return to - start;
    }
    int at = start + scanned;
    while (at < to) {
      int found = data.forEachByte(at, to - at, plain);
      if (found < 0) {
        at = to;
        break;
      }
      byte b = data.getByte(found);
      at = found + 1;
      if ((b == '\n' || b == '\r') && !quoted) {
        boolean mayBeBoth = b == '\r' && (ending == Ending.UNKNOWN || ending == Ending.BOTH);
        if (mayBeBoth && at == to) {
          at = found; // what follows decides
          break;
        }
        boolean both = mayBeBoth && data.getByte(at) == '\n';
        ends(b == '\n' ? Ending.NEWLINE : both ? Ending.BOTH : Ending.RETURN);
        scanned = 0;
        shard = shardOf(data, start, found);
        return (both ? at + 1 : at) - start;
      }
      if (isEscape(b)) {
        escapes = true;
        at++; // what follows means itself, also if it has not come yet
      } else if (csv && b == format.quote()) {
        quoted = !quoted;
      }
    }
    scanned = at - start;
    return 0;
  }

  private void ends(Ending found) {
    if (ending != Ending.UNKNOWN && ending != found) {
      boolean newline = found == Ending.NEWLINE;
      String what = newline ? "newline" : "carriage return";
      String hint =
          csv
              ? "Use quoted CSV field to represent " + what + "."
              : "Use \"" + (newline ? "\\n" : "\\r") + "\" to represent " + what + ".";
      throw new StatementException(
          SqlState.BAD_COPY_FILE_FORMAT,
          (csv ? "unquoted " : "literal ") + what + " found in data",
          hint);
    }
    ending = found;
  }

  /** A last row may lack its end. */
  @Override
  public int last(ByteBuf data) {
    if (data.isReadable()) {
      int end = data.writerIndex();
      boolean undecided = scanned == data.readableBytes() - 1 && data.getByte(end - 1) == '\r';
      if (undecided) {
        ends(Ending.RETURN);
      }
      shard = shardOf(data, data.readerIndex(), undecided ? end - 1 : end);
    }
    return data.readableBytes();
  }

  private boolean isEscape(byte b) {
    return csv ? quoted && b == format.escape() && b != format.quote() : b == '\\';
  }

  /**
   * @param last where the end of the row is
   */
  private int shardOf(ByteBuf row, int start, int last) {
    if (escapes && !csv) {
      escapes = false;
      checkMarker(row, start, last);
    }
    ended =
        mayEnd && last - start == 2 && row.getByte(start) == '\\' && row.getByte(start + 1) == '.';
    if (headerDue && !ended) {
      headerDue = false;
      return CopyCutter.EVERYWHERE;
    }
    return ended
        ? CopyCutter.NOWHERE
        : CopyCutter.shardOf(format, value(keyText(row, start, last)));
  }

  /** The server of a row with {@code \.} would take no further rows; those of others would. */
  private static void checkMarker(ByteBuf row, int start, int last) {
    for (int i = start; i + 1 < last; i++) {
      if (row.getByte(i) == '\\' && row.getByte(++i) == '.' && last - start > 2) {
        throw new StatementException(
            SqlState.BAD_COPY_FILE_FORMAT,
            i > start + 1
                ? "end-of-copy marker is not alone on its line"
                : "end-of-copy marker corrupt");
      }
    }
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

  private @Nullable String keyText(ByteBuf row, int start, int end) {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    boolean inQuotes = false;
    boolean sawQuote = false;
    int field = 0;
    for (int i = start; i < end && field <= format.keyField(); i++) {
      byte b = row.getByte(i);
      boolean more = i + 1 < end;
      if (csv && b == format.escape() && inQuotes && more && isEscapable(row.getByte(i + 1))) {
        b = row.getByte(++i);
      } else if (csv && b == format.quote()) {
        inQuotes = !inQuotes;
        sawQuote |= field == format.keyField();
        continue;
      } else if (b == format.delimiter() && !inQuotes) {
        field++;
        continue;
      }
      if (field == format.keyField()) {
        value.write(b);
      }
      if (!csv && b == '\\' && more) {
        i++;
        if (field == format.keyField()) {
          value.write(row.getByte(i));
        }
      }
    }
    if (field < format.keyField()) {
      throw new StatementException(
          SqlState.BAD_COPY_FILE_FORMAT,
          "missing data for column \"" + format.sharding().column() + "\"");
    }
    String text = value.toString(StandardCharsets.UTF_8);
    if (!sawQuote && text.equals(format.nullText())) {
      return null;
    }
    return csv || text.indexOf('\\') < 0 ? text : unescaped(value.toByteArray());
  }

  private boolean isEscapable(byte b) {
    return b == format.quote() || b == format.escape();
  }

  /** The backslash sequences of the text format. */
  private static String unescaped(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
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
}
