package io.shardmark.driver.merge;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.measure.LatencyHistogram;
import io.shardmark.driver.measure.SecondFigures;
import io.shardmark.driver.measure.Snapshot;
import io.shardmark.driver.recorder.ResultFiles;
import io.shardmark.driver.results.reader.CsvRows;
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
 * What one driver has of each second: a row for each type in {@code per_second.csv}, and with them
 * the histograms of {@code second.hlog}, which is read along.
 */
final class SecondSource implements Closeable {
  private static final Pattern START = Pattern.compile("#\\[StartTime: (\\d+)\\.(\\d{3}) .*");
  private static final Histogram NONE = LatencyHistogram.newHistogram();

  private final MergedPart part;
  private final List<String> types;
  private final Consumer<String> warn;
  private final CsvRows rows;
  private final BufferedReader histograms;
  private Optional<Instant> start = Optional.empty();
  private @Nullable HistogramLine next;
  private long second;
  private boolean lacksHistograms;

  /**
   * @param warn receives one line if the histograms are not those of the rows
   */
  SecondSource(MergedPart part, List<String> types, Consumer<String> warn) throws IOException {
    this.part = part;
    this.types = types;
    this.warn = warn;
    rows = CsvRows.openWhole(part.data().resolve("per_second.csv"));
    Path file = part.data().resolve(ResultFiles.SECOND_LOG);
    histograms =
        Files.isRegularFile(file)
            ? Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)
            : new BufferedReader(Reader.nullReader());
    nextHistogram();
  }

  /** When the interval began, by this driver's wall clock. */
  Optional<Instant> start() {
    return start;
  }

  private void nextHistogram() throws IOException {
    next = null;
    String line = histograms.readLine();
    while (line != null && !line.startsWith(HistogramLine.TAG)) {
      Matcher header = START.matcher(line);
      if (header.matches()) {
        start =
            Optional.of(
                Instant.ofEpochSecond(
                    Long.parseLong(header.group(1)), Long.parseLong(header.group(2)) * 1_000_000));
      }
      line = histograms.readLine();
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

  /**
   * Adds the next second, the last of which may have been cut short.
   *
   * @param sum of all drivers
   * @return false if there is none
   */
  boolean addNext(Snapshot sum) throws IOException {
    int type = 0;
    while (type < types.size() && rows.next()) {
      if (rows.whole("second") != second || !rows.text("ttype").equals(types.get(type))) {
        throw rows.bad("is not second %d of %s".formatted(second, types.get(type)));
      }
      SecondFigures figures = figures();
      sum.types().get(type).add(figures, latencies(type, figures.successes()));
      type++;
    }
    second += type > 0 ? 1 : 0;
    return type > 0;
  }

  private SecondFigures figures() {
    return new SecondFigures(
        rows.whole("count"),
        rows.whole("committed"),
        rows.whole("rolledback"),
        rows.whole("errors"),
        rows.whole("retries"),
        rows.millisAsNanos("sum_ms"),
        rows.millisAsNanos("min_ms"),
        rows.millisAsNanos("max_ms"),
        0,
        0,
        0);
  }

  /** Those of a type in this second, if they are the next in the file. */
  private Histogram latencies(int type, long successes) throws IOException {
    HistogramLine line = next;
    Histogram found = NONE;
    if (line != null
        && Math.round(line.startSeconds()) == second
        && line.type().equals(types.get(type))) {
      found = line.histogram();
      nextHistogram();
    }
    if (found.getTotalCount() != successes && !lacksHistograms) {
      lacksHistograms = true;
      warn.accept(
          "%s: data/%s has %d latencies of %s in second %d, expected %d: percentiles over time lack some from there on"
              .formatted(
                  part.directory(),
                  ResultFiles.SECOND_LOG,
                  found.getTotalCount(),
                  types.get(type),
                  second,
                  successes));
    }
    return found;
  }

  void warnIfShorter(long seconds) {
    if (second < seconds) {
      warn.accept(
          "%s: data/per_second.csv ends after %d s, before the others: its later seconds are missing"
              .formatted(part.directory(), second));
    }
  }

  @Override
  public void close() throws IOException {
    try (rows) {
      histograms.close();
    }
  }
}
