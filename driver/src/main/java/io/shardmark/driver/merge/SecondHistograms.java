package io.shardmark.driver.merge;

import io.shardmark.config.ConfigException;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** {@code second.hlog} of one driver, read along with its {@code per_second.csv}. */
final class SecondHistograms implements Closeable {
  private static final String TAG = "Tag=";

  /** An hour in nanoseconds to three digits takes 190 KB as it stands, far less compressed. */
  private static final int LONGEST_LINE = 1 << 20;

  private static final Pattern START = Pattern.compile("#\\[StartTime: (\\d+)\\.(\\d{3}) .*");

  private final Path file;
  private final @Nullable BufferedReader reader;
  private Optional<Instant> start = Optional.empty();
  private String @Nullable [] fields;
  private long second;

  private SecondHistograms(Path file, @Nullable BufferedReader reader) {
    this.file = file;
    this.reader = reader;
  }

  static SecondHistograms open(Path file) throws IOException {
    SecondHistograms opened =
        new SecondHistograms(
            file,
            Files.isRegularFile(file)
                ? Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)
                : null);
    opened.next();
    return opened;
  }

  /** When the interval began, by this driver's wall clock. */
  Optional<Instant> start() {
    return start;
  }

  private void next() throws IOException {
    fields = null;
    String line = reader == null ? null : reader.readLine();
    while (line != null && !line.startsWith(TAG)) {
      Matcher header = START.matcher(line);
      if (header.matches()) {
        start =
            Optional.of(
                Instant.ofEpochSecond(
                    Long.parseLong(header.group(1)), Long.parseLong(header.group(2)) * 1_000_000));
      }
      line = reader == null ? null : reader.readLine();
    }
    if (line != null) {
      String[] found = line.split(",", -1);
      if (found.length != 5 || line.length() > LONGEST_LINE) {
        throw bad();
      }
      try {
        second = Math.round(Double.parseDouble(found[1]));
      } catch (NumberFormatException e) {
        throw bad();
      }
      fields = found;
    }
  }

  /** The histogram of a type in a second, if that is the next one in the file. */
  Optional<Histogram> take(long wantedSecond, String type) throws IOException {
    String[] found = fields;
    if (found == null || second != wantedSecond || !found[0].equals(TAG + type)) {
      return Optional.empty();
    }
    try {
      Histogram histogram = HistogramText.read(found[4]);
      next();
      return Optional.of(histogram);
    } catch (IllegalArgumentException e) {
      throw bad();
    }
  }

  private ConfigException bad() {
    return new ConfigException("%s: has a line that is no histogram".formatted(file));
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
  }
}
