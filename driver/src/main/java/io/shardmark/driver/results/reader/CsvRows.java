package io.shardmark.driver.results.reader;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The rows of a CSV file without quotes, one after the other.
 *
 * <p>Of a file that is {@link #open opened}, lines that are no rows are counted and left out; a
 * last line without its end was cut off in the middle and is left out too. Of one that {@link
 * #openWhole must be whole}, they are refused with a {@link ConfigException} that names the line.
 */
public final class CsvRows implements AutoCloseable {
  /** Of a longer line no more is kept: a file of another kind may be one line of gigabytes. */
  private static final int LONGEST_LINE = 1 << 16;

  private static final long MOST_DAYS = 366;

  private final Path file;
  private final Reader reader;
  private final boolean whole;
  private final char[] buffer = new char[1 << 13];
  private int bufferAt;
  private int bufferEnd;
  private final StringBuilder row = new StringBuilder();
  private final List<String> header;

  /** Where each field of the row ends: numbers are read without making a text. */
  private int[] ends = new int[16];

  private int fieldCount;
  private boolean bad;
  private long unreadable;
  private boolean cut;
  private long line;

  private CsvRows(Path file, InputStream in, boolean whole) throws IOException {
    this.file = file;
    this.reader = new InputStreamReader(in, StandardCharsets.UTF_8);
    this.whole = whole;
    header = nextLine() ? fields() : List.of();
  }

  /**
   * Reads each row of a file in {@code data}.
   *
   * @param columns that it must have
   * @param missing gets a sentence on what could not be read
   * @param row takes one; false if it is no row of such a file
   */
  static void readEach(
      Path file, List<String> columns, List<String> missing, Predicate<CsvRows> row)
      throws IOException {
    try (CsvRows csv = open(file)) {
      if (!csv.header.containsAll(columns)) {
        missing.add(
            "data/%s has not all of its columns %s: it was not read."
                .formatted(file.getFileName(), String.join(", ", columns)));
        return;
      }
      while (csv.next()) {
        csv.bad |= !row.test(csv);
      }
      csv.noteShortfall(missing);
    }
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
  void noteShortfall(List<String> missing) {
    String name = "data/" + file.getFileName();
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
    unreadable += bad ? 1 : 0;
    bad = false;
    boolean atRow = false;
    while (!atRow && nextLine()) {
      atRow = fieldCount == header.size();
      if (!atRow && whole) {
        throw bad(
            fieldCount == 0
                ? "is too long"
                : "has %d fields, expected %d".formatted(fieldCount, header.size()));
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

  /** Whether a field of this row that should be a number was none. */
  boolean isBad() {
    return bad;
  }

  /** Counts this row as unreadable. */
  void markBad() {
    bad = true;
  }

  /** A whole number of seconds or milliseconds since the run began; -1 if it can be none. */
  long time(String column, TimeUnit unit) {
    long time = whole(column);
    return time <= unit.convert(MOST_DAYS, TimeUnit.DAYS) ? Math.max(-1, time) : -1;
  }

  /** A whole number; 0 for an absent column. */
  public long whole(String column) {
    int at = column(column);
    try {
      return at < 0 ? 0 : Long.parseLong(row, start(at), ends[at], 10);
    } catch (NumberFormatException e) {
      refuse(text(column), "a whole number");
      return 0;
    }
  }

  /** A finite number; NaN for an empty field or an absent column. */
  double decimal(String column) {
    String text = text(column);
    double value = Double.NaN;
    if (!text.isEmpty()) {
      try {
        value = Double.parseDouble(text);
      } catch (NumberFormatException e) {
        // Refused as one that is not finite.
      }
      if (!Double.isFinite(value)) {
        refuse(text, "a number");
      }
    }
    return value;
  }

  /** A time in milliseconds with up to three decimals, in nanoseconds; 0 if it is not there. */
  public long millisAsNanos(String column) {
    return Math.round(decimal(column) * 1000) * 1000;
  }

  private void refuse(String text, String expected) {
    bad = true;
    if (whole) {
      throw bad("has '%s', expected %s".formatted(text, expected));
    }
  }

  /** Empty for an absent column. */
  public String text(String column) {
    int at = column(column);
    return at < 0 ? "" : field(at);
  }

  private int start(int field) {
    return field == 0 ? 0 : ends[field - 1] + 1;
  }

  private String field(int field) {
    return row.substring(start(field), ends[field]);
  }

  /** All fields of this row. */
  public List<String> fields() {
    return IntStream.range(0, fieldCount).mapToObj(this::field).toList();
  }

  /** The row as it is in the file. */
  public String row() {
    return row.toString();
  }

  /** Finds the fields of the next line, none if it is too long; false at the end of the file. */
  private boolean nextLine() throws IOException {
    line++;
    row.setLength(0);
    fieldCount = 0;
    for (int c = read(); c >= 0; c = read()) {
      if (c == '\n') {
        boolean tooLong = row.length() == LONGEST_LINE;
        if (!row.isEmpty() && row.charAt(row.length() - 1) == '\r') {
          row.setLength(row.length() - 1);
        }
        endField();
        fieldCount = tooLong ? 0 : fieldCount;
        return true;
      }
      if (row.length() < LONGEST_LINE) {
        if (c == ',') {
          endField();
        }
        row.append((char) c);
      }
    }
    cut |= !row.isEmpty();
    return false;
  }

  private void endField() {
    if (fieldCount == ends.length) {
      ends = Arrays.copyOf(ends, 2 * fieldCount);
    }
    ends[fieldCount++] = row.length();
  }

  /** From a buffer without a lock: a BufferedReader takes one for each character. */
  private int read() throws IOException {
    if (bufferAt == bufferEnd) {
      bufferAt = 0;
      bufferEnd = Math.max(0, reader.read(buffer));
    }
    return bufferAt == bufferEnd ? -1 : buffer[bufferAt++];
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
