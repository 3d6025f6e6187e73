package io.shardmark.driver.merge;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.results.reader.HistogramLine;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
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
  private static final Pattern START = Pattern.compile("#\\[StartTime: (\\d+)\\.(\\d{3}) .*");

  private final Path file;
  private final BufferedReader reader;
  private Optional<Instant> start = Optional.empty();
  private @Nullable HistogramLine next;

  private SecondHistograms(Path file, BufferedReader reader) {
    this.file = file;
    this.reader = reader;
  }

  static SecondHistograms open(Path file) throws IOException {
    SecondHistograms opened =
        new SecondHistograms(
            file,
            Files.isRegularFile(file)
                ? Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)
                : new BufferedReader(Reader.nullReader()));
    opened.next();
    return opened;
  }

  /** When the interval began, by this driver's wall clock. */
  Optional<Instant> start() {
    return start;
  }

  private void next() throws IOException {
    next = null;
    String line = reader.readLine();
    while (line != null && !line.startsWith(HistogramLine.TAG)) {
      Matcher header = START.matcher(line);
      if (header.matches()) {
        start =
            Optional.of(
                Instant.ofEpochSecond(
                    Long.parseLong(header.group(1)), Long.parseLong(header.group(2)) * 1_000_000));
      }
      line = reader.readLine();
    }
    if (line != null) {
      try {
        next = HistogramLine.of(line);
      } catch (IllegalArgumentException e) {
        throw new ConfigException("%s: has a line that is no histogram".formatted(file));
      }
    }
  }

  /** The histogram of a type in a second, if that is the next one in the file. */
  Optional<Histogram> take(long second, String type) throws IOException {
    HistogramLine found = next;
    if (found == null || Math.round(found.startSeconds()) != second || !found.type().equals(type)) {
      return Optional.empty();
    }
    next();
    return Optional.of(found.histogram());
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
