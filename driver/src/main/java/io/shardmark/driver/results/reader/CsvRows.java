package io.shardmark.driver.results.reader;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of a CSV file without quotes, one after the other in the same buffer: files of gigabytes
 * pass through in a few seconds.
 *
 * <p>Of a file that is {@link #open opened}, lines that are no rows are counted and left out; a
 * last line without its end was cut off in the middle and is left out too. Of one that {@link
 * #openWhole must be whole}, they are refused with a {@link ConfigException} that names the line.
 */
public final class CsvRows implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MAX_FIELDS = 256;

  private final Path file;
  private final InputStream in;
  private final boolean whole;
  private final byte[] chunk = new byte[BUFFER_BYTES];
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final int[] starts = new int[MAX_FIELDS + 1];
  private final List<String> header;
  private int position;
  private int limit;
  private int length;
  private int fields;
  private boolean badNumber;
  private long unreadable;
  private boolean cut;
  private long line;

  private CsvRows(Path file, InputStream in, boolean whole) throws IOException {
    this.file = file;
    this.in = in;
    this.whole = whole;
    header = nextLine() && fields > 0 ? fields() : List.of();
  }

  /** Opens a file and reads its header. */
  static CsvRows open(Path file) throws IOException {
    return open(file, Files.newInputStream(file), false);
  }

  /**
   * Opens a file of which each line must be a row, and reads its header. A file that is not there
   * has no rows.
   */
  public static CsvRows openWhole(Path file) throws IOException {
    InputStream in =
        Files.isRegularFile(file) ? Files.newInputStream(file) : InputStream.nullInputStream();
    return open(file, in, true);
  }

  private static CsvRows open(Path file, InputStream in, boolean whole) throws IOException {
    try {
      return new CsvRows(file, in, whole);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** Names of the columns; none of a file that is empty or not there. */
  public List<String> header() {
    return header;
  }

  /** Position of a column; -1, or refused in a file that must be whole, if there is none. */
  public int column(String name) {
    int column = header.indexOf(name);
    if (whole && column < 0) {
      throw new ConfigException("%s: has no column %s".formatted(file, name));
    }
    return column;
  }

  /** At the end: adds a sentence on what could not be read. */
  void noteShortfall(String name, List<String> missing) {
    if (unreadable > 0) {
      missing.add(
          "%s: %,d %s no %s of numbers and left out."
              .formatted(
                  name,
                  unreadable,
                  unreadable == 1 ? "line is" : "lines are",
                  unreadable == 1 ? "row" : "rows"));
    }
    if (cut) {
      missing.add(name + " ends in the middle of a line; the rest of that line was left out.");
    }
  }

  /** Goes to the next line that has as many fields as the header; false at the end. */
  public boolean next() throws IOException {
    endRow();
    boolean atRow = false;
    while (!atRow && nextLine()) {
      atRow = fields == header.size();
      if (!atRow && whole) {
        throw bad(
            fields < 0
                ? "is too long"
                : "has %d fields, expected %d".formatted(fields, header.size()));
      }
      unreadable += atRow ? 0 : 1;
    }
    if (whole && cut) {
      throw bad("ends in the middle");
    }
    return atRow;
  }

  /** What is wrong with this row, to be thrown. */
  public ConfigException bad(String what) {
    return new ConfigException("%s: line %d %s".formatted(file, line, what));
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
  public long whole(int column) {
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
    refuseBad(column, "a whole number");
    return negative ? -value : value;
  }

  /** A finite number; NaN for an empty field or an absent column. */
  double decimal(int column) {
    if (column < 0 || starts[column + 1] - 1 == starts[column]) {
      return Double.NaN;
    }
    double value = Double.NaN;
    try {
      value = Double.parseDouble(text(column));
      badNumber |= !Double.isFinite(value);
    } catch (NumberFormatException e) {
      badNumber = true;
    }
    refuseBad(column, "a number");
    return value;
  }

  /** A time in milliseconds with up to three decimals, in nanoseconds; 0 if it is not there. */
  public long millisAsNanos(int column) {
    return Math.round(decimal(column) * 1000) * 1000;
  }

  private void refuseBad(int column, String expected) {
    if (whole && badNumber) {
      throw bad("has '%s', expected %s".formatted(text(column), expected));
    }
  }

  public String text(int column) {
    int start = starts[column];
    return new String(buffer, start, starts[column + 1] - 1 - start, StandardCharsets.UTF_8);
  }

  /** Whether a field holds these bytes. */
  boolean isText(int column, byte[] text) {
    return Arrays.equals(buffer, starts[column], starts[column + 1] - 1, text, 0, text.length);
  }

  /** All fields of this row. */
  public List<String> fields() {
    String[] texts = new String[fields];
    Arrays.setAll(texts, this::text);
    return List.of(texts);
  }

  /** The row as it stands in the file. */
  public String row() {
    return new String(buffer, starts[0], starts[fields] - 1 - starts[0], StandardCharsets.UTF_8);
  }

  /** Splits the next line into fields; false at the end of the file. */
  private boolean nextLine() throws IOException {
    line++;
    length = 0;
    fields = 0;
    for (int c = read(); c >= 0; c = read()) {
      if (c == '\n') {
        closeField(length > 0 && buffer[length - 1] == '\r' ? length : length + 1);
        fields = length == buffer.length || fields > MAX_FIELDS ? -1 : fields;
        return true;
      }
      // Of a line that is too long no more is kept than its length.
      if (length < buffer.length) {
        buffer[length] = (byte) c;
        length++;
      }
      if (c == ',') {
        closeField(length);
      }
    }
    cut |= length > 0;
    return false;
  }

  /** The next byte; -1 at the end of the file. */
  private int read() throws IOException {
    if (position == limit) {
      limit = in.read(chunk);
      position = 0;
    }
    return limit <= 0 ? -1 : chunk[position++] & 0xff;
  }

  /**
   * @param end one behind its last byte and the comma
   */
  private void closeField(int end) {
    if (fields < MAX_FIELDS) {
      starts[fields + 1] = end;
    }
    fields++;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
