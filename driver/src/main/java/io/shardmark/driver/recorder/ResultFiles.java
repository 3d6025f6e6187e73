package io.shardmark.driver.recorder;

import io.shardmark.config.ResultRows;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.LatencyHistogram;
import io.shardmark.driver.measure.Sample;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.SecondFigures;
import io.shardmark.driver.measure.Snapshot;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.LatencyKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * The files that grow during a run: {@code result.csv}, {@code per_second.csv}, {@code errors.csv}
 * and {@code latency.hlog}. Written by the collector thread, flushed twice a second at row
 * boundaries.
 *
 * <p>A full disk does not end the run: all four files are closed at their last whole row, one line
 * says so, and the run is measured to its end, so that its figures are on the console. The caller
 * asks {@link #failure()} then and exits non-zero.
 */
public final class ResultFiles implements SampleSink {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** What one line of {@code latency.hlog} covers, but for the last of a type. */
  private static final int LOG_SECONDS = 10;

  /** Histograms of each second, of a driver that is one of several. */
  public static final String SECOND_LOG = "second.hlog";

  private static final String RESULT_HEADER =
      "run,elapsed,latency,dblatency,ttype,rbk,dskipped,error";
  private static final String PER_SECOND_HEADER =
      "run,second,ttype,count,committed,rolledback,errors,retries,"
          + "sum_ms,min_ms,max_ms,p50_ms,p95_ms,p99_ms";

  private static final Pattern NO_STATE = Pattern.compile("[^A-Za-z0-9]");
  private static final String ERRORS_HEADER = "run,second,ttype,disposition,sqlstate,count,retried";

  private final FileLayout layout;
  private final Consumer<String> onFailure;

  /** All of them; each is one of the following too. */
  private final List<RowFile> files = new ArrayList<>();

  private final RowFile result;
  private final RowFile perSecond;
  private final RowFile errors;
  private final RowFile histogramLog;
  private final @Nullable RowFile secondLog;
  private final byte[][] typeNames;
  private final int[] sinceRow;
  private final List<Histogram> logged = new ArrayList<>();
  private long seconds;
  private volatile @Nullable String failure;

  /**
   * What the rows look like.
   *
   * @param run the run number: column {@code run}
   * @param types of the workload, at the position of their index
   * @param rows key {@code resultRows}
   * @param sampleEvery key {@code resultSampleEvery}, from 1
   * @param mergeable true if the files of several drivers are to be merged: then the histogram of
   *     each second is kept too
   */
  public record FileLayout(
      int run, List<TransactionType> types, ResultRows rows, int sampleEvery, boolean mergeable) {
    public FileLayout {
      types = List.copyOf(types);
    }

    /** Of a run by one driver. */
    public FileLayout(int run, List<TransactionType> types, ResultRows rows, int sampleEvery) {
      this(run, types, rows, sampleEvery, false);
    }
  }

  /** Opens a file for writing, by its name. */
  @FunctionalInterface
  interface Opener {
    SeekableByteChannel open(String name) throws IOException;
  }

  /**
   * Makes the files and writes their headers.
   *
   * @param onFailure receives one line, once, if writing fails later; on the collector thread
   * @throws IOException if a file cannot be made
   */
  public static ResultFiles open(
      ResultDirectory directory, FileLayout layout, Consumer<String> onFailure) throws IOException {
    return new ResultFiles(
        name ->
            Files.newByteChannel(
                directory.data().resolve(name),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE),
        layout,
        onFailure);
  }

  ResultFiles(Opener opener, FileLayout layout, Consumer<String> onFailure) throws IOException {
    this.layout = layout;
    this.onFailure = onFailure;
    result = open(opener, "result.csv");
    perSecond = open(opener, "per_second.csv");
    errors = open(opener, "errors.csv");
    histogramLog = open(opener, "latency.hlog");
    secondLog = layout.mergeable() ? open(opener, SECOND_LOG) : null;
    typeNames = new byte[layout.types().size()][];
    for (TransactionType type : layout.types()) {
      typeNames[type.index()] = type.name().getBytes(StandardCharsets.UTF_8);
      logged.add(LatencyHistogram.newHistogram());
    }
    sinceRow = new int[typeNames.length];
    result.text(RESULT_HEADER).endRow();
    perSecond.text(PER_SECOND_HEADER).endRow();
    errors.text(ERRORS_HEADER).endRow();
    // At once: on a disk that fills up, the rows of one file must not leave another without its
    // header.
    flushAll();
  }

  private RowFile open(Opener opener, String name) throws IOException {
    RowFile file = new RowFile(opener.open(name));
    files.add(file);
    return file;
  }

  /** Why the files are incomplete; empty if they are not. */
  public Optional<String> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public void begin(Instant intervalStart) {
    write(
        () -> {
          List<RowFile> logs =
              secondLog == null ? List.of(histogramLog) : List.of(histogramLog, secondLog);
          for (RowFile file : logs) {
            file.text(
                hlog(
                    log -> {
                      log.outputComment("[Due-time latency of successes in nanoseconds by type]");
                      log.outputLogFormatVersion();
                      log.outputStartTime(intervalStart.toEpochMilli());
                      log.outputLegend();
                    }));
            file.endRow();
          }
        });
  }

  /** Adds a row of another {@code result.csv} unchanged. */
  public void row(String row) {
    write(() -> result.text(row).endRow());
  }

  @Override
  public void sample(Sample sample, long elapsedNanos) {
    if (failure == null && wantsRow(sample.typeIndex())) {
      write(() -> writeRow(sample, elapsedNanos));
    }
  }

  private boolean wantsRow(int typeIndex) {
    return switch (layout.rows()) {
      case ALL -> true;
      case NONE -> false;
      case SAMPLED -> {
        // Counted for each type, so that a delivery and its background part do not fall into step.
        int since = sinceRow[typeIndex];
        sinceRow[typeIndex] = since + 1 == layout.sampleEvery() ? 0 : since + 1;
        yield since == 0;
      }
    };
  }

  private void writeRow(Sample sample, long elapsedNanos) throws IOException {
    Disposition disposition = sample.disposition();
    result
        .number(layout.run())
        .comma()
        .number(elapsedNanos / NANOS_PER_MILLI)
        .comma()
        .number(roundedMillis(sample.dueLatencyNanos()))
        .comma()
        .number(roundedMillis(sample.serviceLatencyNanos()))
        .comma()
        .text(typeNames[sample.typeIndex()])
        .comma()
        .number(disposition == Disposition.ROLLED_BACK ? 1 : 0)
        .comma()
        .number(sample.skipped())
        .comma()
        .number(disposition.isError() ? 1 : 0)
        .endRow();
  }

  private static long roundedMillis(long nanos) {
    return (nanos + NANOS_PER_MILLI / 2) / NANOS_PER_MILLI;
  }

  @Override
  public void second(long second, Snapshot done) {
    write(
        () -> {
          List<Histogram> due =
              done.types().stream()
                  .map(type -> type.latencies(LatencyKind.DUE).histogram())
                  .toList();
          for (int i = 0; i < due.size(); i++) {
            writeSecond(second, typeNames[i], done.types().get(i).second());
            logged.get(i).add(due.get(i));
          }
          if (secondLog != null) {
            writeHistograms(due, second, second + 1, secondLog);
          }
          seconds = second + 1;
          if (seconds % LOG_SECONDS == 0) {
            writeLogged();
          }
        });
  }

  private void writeSecond(long second, byte[] typeName, SecondFigures figures) throws IOException {
    perSecond.number(layout.run()).comma().number(second).comma().text(typeName).comma();
    perSecond.number(figures.count()).comma().number(figures.committed()).comma();
    perSecond.number(figures.rolledBack()).comma().number(figures.errors()).comma();
    perSecond.number(figures.retries()).comma().millis(figures.sumNanos()).comma();
    perSecond.millis(figures.minNanos()).comma().millis(figures.maxNanos()).comma();
    perSecond.millis(figures.p50Nanos()).comma().millis(figures.p95Nanos()).comma();
    perSecond.millis(figures.p99Nanos()).endRow();
  }

  @Override
  public void errors(long second, List<ErrorResult> raised) {
    write(
        () -> {
          for (ErrorResult error : raised) {
            writeError(second, error);
          }
        });
  }

  private void writeError(long second, ErrorResult error) throws IOException {
    errors.number(layout.run()).comma().number(second).comma();
    errors.text(error.type()).comma().text(error.disposition()).comma();
    // The server's own text: nothing in it may look like another field or row.
    errors.text(NO_STATE.matcher(error.sqlState()).replaceAll("_")).comma();
    errors.number(error.count()).comma().number(error.retried()).endRow();
  }

  private void writeLogged() throws IOException {
    writeHistograms(logged, (seconds - 1) / LOG_SECONDS * LOG_SECONDS, seconds, histogramLog);
    logged.forEach(Histogram::reset);
  }

  private void writeHistograms(
      List<Histogram> dueByType, long fromSecond, long toSecond, RowFile file) throws IOException {
    for (int i = 0; i < dueByType.size(); i++) {
      Histogram due = dueByType.get(i);
      if (due.getTotalCount() > 0) {
        due.setTag(layout.types().get(i).name());
        // The maximum is shown in milliseconds, as HdrHistogram's tools expect of nanoseconds.
        byte[] line =
            hlog(
                log ->
                    log.outputIntervalHistogram(
                        (double) fromSecond, (double) toSecond, due, NANOS_PER_MILLI));
        file.text(line).endRow();
      }
    }
  }

  /** What HdrHistogram's writer writes, without the line end of the last line. */
  private static byte[] hlog(Consumer<HistogramLogWriter> lines) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLogWriter log = new HistogramLogWriter(bytes);
    lines.accept(log);
    log.close();
    return bytes.toString(StandardCharsets.UTF_8).stripTrailing().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void flush() {
    write(this::flushAll);
  }

  private void flushAll() throws IOException {
    for (RowFile file : files) {
      file.flush();
    }
  }

  /** Writes the rest and closes all files; after the collector has finished. */
  public void close() {
    write(
        () -> {
          writeLogged();
          closeAll();
        });
  }

  private void closeAll() throws IOException {
    // All are closed even if the first cannot be; each keeps its whole rows.
    IOException first = null;
    for (RowFile file : files) {
      try {
        file.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  @FunctionalInterface
  private interface Writing {
    void run() throws IOException;
  }

  private void write(Writing writing) {
    if (failure != null) {
      return;
    }
    try {
      writing.run();
    } catch (IOException e) {
      String line =
          "cannot write result files: %s; they end here with their last whole row, the run goes on"
              .formatted(e.getMessage());
      failure = line;
      try {
        closeAll();
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      onFailure.accept(line);
    }
  }
}
