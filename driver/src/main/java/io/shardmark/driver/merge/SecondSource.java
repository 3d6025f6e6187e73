package io.shardmark.driver.merge;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.result.ResultFiles;
import io.shardmark.driver.results.reader.HistogramLine;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What one driver has of each second: a row for each type in {@code per_second.csv}, and beside
 * them the histograms of {@code second.hlog}, which is read along.
 */
final class SecondSource implements Closeable {
  private static final Pattern START = Pattern.compile("#\\[StartTime: (\\d+)\\.(\\d{3}) .*");

  private final Part part;
  private final List<String> types;
  private final Consumer<String> warn;
  private final BufferedReader reader;
  private Optional<Instant> start = Optional.empty();
  private @Nullable HistogramLine next;
  private long rows;
  private boolean lacksHistograms;

  /**
   * @param warn receives one line if the histograms are not those of the rows
   */
  SecondSource(Part part, List<String> types, Consumer<String> warn) throws IOException {
    this.part = part;
    this.types = types;
    this.warn = warn;
    Path file = part.data().resolve(ResultFiles.SECOND_LOG);
    reader =
        Files.isRegularFile(file)
            ? Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)
            : new BufferedReader(Reader.nullReader());
    next();
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
        throw new ConfigException(
            "%s: has a line that is no histogram"
                .formatted(part.data().resolve(ResultFiles.SECOND_LOG)));
      }
    }
  }

  Path directory() {
    return part.directory();
  }

  /** How many seconds there are; the last may have been cut short. */
  long seconds() {
    return (rows + types.size() - 1) / types.size();
  }

  /** The type of a row that must be the next one. */
  int type(MergedRows.Rows row) {
    int type = (int) (rows % types.size());
    long second = rows / types.size();
    if (row.at != second || !row.csv.text("ttype").equals(types.get(type))) {
      throw row.csv.bad("is not second %d of %s".formatted(second, types.get(type)));
    }
    rows++;
    return type;
  }

  /** Adds the histogram of the type of the last row, if it is the next one in the file. */
  void addHistogram(int type, long successes, Histogram sum) throws IOException {
    long second = (rows - 1) / types.size();
    HistogramLine found = next;
    long count = 0;
    if (found != null
        && Math.round(found.startSeconds()) == second
        && found.type().equals(types.get(type))) {
      sum.add(found.histogram());
      count = found.histogram().getTotalCount();
      next();
    }
    if (count != successes && !lacksHistograms) {
      lacksHistograms = true;
      warn.accept(
          "%s: data/%s has %d latencies of %s in second %d, expected %d: percentiles over time lack some from there on"
              .formatted(
                  directory(), ResultFiles.SECOND_LOG, count, types.get(type), second, successes));
    }
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
