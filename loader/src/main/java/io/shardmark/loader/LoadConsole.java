package io.shardmark.loader;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.LoadConfig;
import io.shardmark.loader.data.DataSet;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows a load as BenchmarkSQL's loader does, line by line on standard output, and the progress
 * next to it: a bar on a terminal, a plain line every few seconds otherwise. Thread-safe.
 */
public final class LoadConsole implements LoadListener {
  /** Where progress is shown. */
  public enum Progress {
    /** A bar that is drawn again and again, on standard error. */
    BAR,
    /** Lines on standard output. */
    LINES
  }

  /** What is said in addition to the progress. */
  public enum Lines {
    /** The lines of BenchmarkSQL's loader. */
    ALL,
    /** Failures, and what the user should know. */
    NOTES
  }

  private static final int BAR_INTERVAL_MILLIS = 250;
  private static final int LINE_INTERVAL_MILLIS = 5_000;
  private static final int LINE_WIDTH = 100;

  private final PrintStream out;
  private final PrintStream err;
  private final Progress progress;
  private final Lines lines;
  private final LongAdder rows = new LongAdder();
  private @Nullable ProgressBar bar;

  /**
   * @param out borrowed; lines and, with {@link Progress#LINES}, progress
   * @param err borrowed; failures and, with {@link Progress#BAR}, progress
   */
  public LoadConsole(PrintStream out, PrintStream err, Progress progress, Lines lines) {
    this.out = out;
    this.err = err;
    this.progress = progress;
    this.lines = lines;
  }

  /** A bar if this process writes to a terminal, lines if its output is redirected. */
  public static Progress progressOf(java.io.@Nullable Console console) {
    return console != null ? Progress.BAR : Progress.LINES;
  }

  /**
   * Prints the head of BenchmarkSQL's loader, whose lines scripts look for: its title and the
   * values in use. Passwords are masked.
   */
  public void printSettings(ConnectionConfig connection, LoadConfig load, DataSet data) {
    out.println("Starting BenchmarkSQL LoadData");
    out.println();
    out.println("driver=" + connection.driverClass());
    out.println("conn=" + connection.maskedUrl());
    out.println("user=" + connection.user());
    out.println("password=" + connection.password());
    data.parameters().forEach((name, value) -> out.println(name + "=" + value));
    out.println("loadWorkers=" + load.workers());
    out.println(
        load.filePrefix().map("fileLocation="::concat).orElse("fileLocation (not defined)"));
    out.println("csvNullValue=" + load.csvNullValue());
    out.println("seed=" + load.seed());
    data.part().forEach((name, value) -> out.println(name + "=" + value));
    out.println();
  }

  /** Prints the rows, time and rate of a load that is complete. */
  public void printSummary(LoadSummary summary) {
    out.printf(
        Locale.ROOT,
        "Loaded %,d rows in %.1f s, %,d rows/s%n",
        summary.rows(),
        summary.elapsed().toMillis() / 1_000.0,
        summary.rate());
  }

  @Override
  public void loadStarted(long expectedRows) {
    ProgressBarBuilder builder =
        new ProgressBarBuilder()
            .setTaskName("Load")
            .setUnit(" rows", 1)
            .setInitialMax(expectedRows)
            .setStyle(ProgressBarStyle.ASCII)
            .showSpeed()
            .setConsumer(
                progress == Progress.BAR
                    ? new ConsoleProgressBarConsumer(err)
                    : new DelegatingProgressBarConsumer(line(out), LINE_WIDTH))
            .setUpdateIntervalMillis(
                progress == Progress.BAR ? BAR_INTERVAL_MILLIS : LINE_INTERVAL_MILLIS);
    synchronized (this) {
      bar = builder.build();
    }
  }

  private static Consumer<String> line(PrintStream stream) {
    return new Consumer<>() {
      private boolean complete;

      @Override
      public synchronized void accept(String text) {
        if (!complete) {
          stream.println(text.stripTrailing());
        }
        complete |= text.contains("100%");
      }
    };
  }

  @Override
  public synchronized void rowsDone(long count) {
    rows.add(count);
    if (bar != null) {
      // How many rows there are in all is an estimate: 100 % is for the end.
      bar.stepTo(Math.min(rows.sum(), bar.getMax() - 1));
    }
  }

  @Override
  public synchronized void loadCompleted() {
    if (bar != null) {
      long all = rows.sum();
      bar.maxHint(all);
      bar.stepTo(all);
      bar.close();
      bar = null;
    }
  }

  @Override
  public synchronized void loadEnded() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }

  @Override
  public void partitionStarted(int worker, String name) {
    if (lines == Lines.ALL) {
      out.println(workerLine(worker, name));
    }
  }

  @Override
  public void partitionDone(int worker, String name) {
    if (lines == Lines.ALL) {
      out.println(workerLine(worker, name) + " done");
    }
  }

  private static String workerLine(int worker, String name) {
    return "Worker %03d: Loading %s".formatted(worker, name);
  }

  @Override
  public void workerFailed(int worker, Throwable failure) {
    err.println("Worker %03d: ERROR: %s".formatted(worker, failure.getMessage()));
  }

  @Override
  public void note(String line) {
    out.println(line);
  }
}
