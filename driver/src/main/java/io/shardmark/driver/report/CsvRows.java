package io.shardmark.driver.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a CSV file without quotes, one after the other in the same buffer: files of gigabytes
 * pass through in a few seconds. Lines that are no rows are counted and left out; a last line
 * without its end was cut off in the middle and is left out too.
 */
final class CsvRows implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAX_FIELDS = 256;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final int[] starts = new int[MAX_FIELDS + 1];
  private final List<String> header;
  private int position;
  private int limit;
  private int fields;
  private boolean badNumber;
  private long unreadable;
  private boolean cut;

  private CsvRows(InputStream in) throws IOException {
    this.in = in;
    header = nextLine() && fields > 0 ? textsOfLine() : List.of();
  }

  /** Opens a file and reads its header. */
  static CsvRows open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return new CsvRows(in);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  List<String> header() {
    return header;
  }

  /** Position of a column; -1 if there is none of that name. */
  int column(String name) {
    return header.indexOf(name);
  }

  /** Lines that were no rows or had a text where a number belongs. */
  long unreadable() {
    return unreadable;
  }

  /** Whether the file ends in the middle of a line. */
  boolean isCut() {
    return cut;
  }

  /** Goes to the next line that has as many fields as the header; false at the end. */
  boolean next() throws IOException {
    endRow();
    while (nextLine()) {
      if (fields == header.size()) {
        return true;
      }
      unreadable++;
    }
    return false;
  }

  private void endRow() {
    if (badNumber) {
      unreadable++;
      badNumber = false;
    }
  }

  /** Whether a field of this row that should be a number was none. */
  boolean isBad() {
    return badNumber;
  }

  /** Counts this row as unreadable. */
  void markBad() {
    badNumber = true;
  }

  /** A whole number; 0 for an absent column. */
  long whole(int column) {
    if (column < 0) {
      return 0;
    }
    int at = starts[column];
    int end = starts[column + 1] - 1;
    boolean negative = at < end && buffer[at] == '-';
    at += negative ? 1 : 0;
    // 18 digits fit into a long.
    badNumber |= at == end || end - at > 18;
    long value = 0;
    for (; at < end; at++) {
      int digit = buffer[at] - '0';
      badNumber |= digit < 0 || digit > 9;
      value = value * 10 + digit;
    }
    return negative ? -value : value;
  }

  /** A finite number; NaN for an empty field or an absent column. */
  double decimal(int column) {
    if (column < 0 || starts[column + 1] - 1 == starts[column]) {
      return Double.NaN;
    }
    try {
      double value = Double.parseDouble(text(column));
      badNumber |= !Double.isFinite(value);
      return value;
    } catch (NumberFormatException e) {
      badNumber = true;
      return Double.NaN;
    }
  }

  String text(int column) {
    int start = starts[column];
    return new String(buffer, start, starts[column + 1] - 1 - start, StandardCharsets.UTF_8);
  }

  /** Whether a field holds these bytes. */
  boolean isText(int column, byte[] text) {
    return Arrays.equals(buffer, starts[column], starts[column + 1] - 1, text, 0, text.length);
  }

  private List<String> textsOfLine() {
    String[] texts = new String[fields];
    Arrays.setAll(texts, this::text);
    return List.of(texts);
  }

  /** Splits the next line into fields; false at the end of the file. */
  private boolean nextLine() throws IOException {
    starts[0] = position;
    fields = 0;
    int at = position;
    boolean tooLong = false;
    while (true) {
      if (at == limit) {
        tooLong |= starts[0] == 0 && limit == buffer.length;
        int moved = tooLong ? dropBuffer() : moveToFront();
        at -= moved;
        if (!fill()) {
          cut |= limit > 0 || tooLong;
          return false;
        }
      }
      byte c = buffer[at];
      at++;
      if (c == '\n') {
        position = at;
        boolean carriageReturn = at - 2 >= starts[0] && buffer[at - 2] == '\r';
        closeField(carriageReturn ? at - 1 : at);
        fields = tooLong || fields > MAX_FIELDS ? -1 : fields;
        return true;
      }
      if (c == ',') {
        closeField(at);
      }
    }
  }

  private void closeField(int end) {
    if (fields < MAX_FIELDS) {
      starts[fields + 1] = end;
    }
    fields++;
  }

  /** Forgets all that was read of a line that is longer than the buffer. */
  private int dropBuffer() {
    int dropped = limit;
    limit = 0;
    Arrays.fill(starts, 0);
    return dropped;
  }

  /** Moves the line that has begun to the start of the buffer; returns by how much. */
  private int moveToFront() {
    int shift = starts[0];
    System.arraycopy(buffer, shift, buffer, 0, limit - shift);
    limit -= shift;
    for (int i = 0; i <= Math.min(fields, MAX_FIELDS); i++) {
      starts[i] -= shift;
    }
    return shift;
  }

  private boolean fill() throws IOException {
    int read = in.read(buffer, limit, buffer.length - limit);
    limit += Math.max(read, 0);
    return read > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
