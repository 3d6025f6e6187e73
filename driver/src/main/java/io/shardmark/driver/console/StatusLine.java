package io.shardmark.driver.console;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.results.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How the run is doing. On a terminal one text that is rewritten each second in BenchmarkSQL's
 * shape; in a redirected log a line after 1, 2, 5 and 10 s, then every 10 s, with more figures.
 * Used by one thread.
 *
 * <p>The current rate is the rate of the last 5 s. BenchmarkSQL shows a number there that only
 * grows.
 */
public final class StatusLine {
  /** So that a log soon shows that the run goes. */
  private static final List<Duration> FIRST_LINES =
      List.of(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(5));

  private static final Duration LINE_PERIOD = Duration.ofSeconds(10);
  private static final long BYTES_PER_MEGABYTE = 1 << 20;

  private final RunConsole console;
  private final LineMode mode;
  private final List<TransactionType> types;
  private final MetricRule main;
  private final List<MetricRule> others;
  private int nextLine;

  /** Where the status goes. */
  public enum LineMode {
    /** Rewritten in place. */
    IN_PLACE,
    /** A line every 10 s, and some before the first of them. */
    LINES;

    /** In place if standard output is a terminal. Lines where that is not known. */
    public static LineMode ofStandardOutput() {
      Path standardOutput = Path.of("/proc/self/fd/1");
      try {
        String target = Files.readSymbolicLink(standardOutput).toString();
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") ? IN_PLACE : LINES;
      } catch (IOException | UnsupportedOperationException e) {
        // Not Linux. Plain lines read well everywhere; backspaces in a log file do not.
        return LINES;
      }
    }
  }

  /**
   * The line of one run.
   *
   * @param types at their index
   * @param metrics of the benchmark: the rate of all transactions first, the others after
   */
  public StatusLine(
      RunConsole console, LineMode mode, List<TransactionType> types, List<MetricRule> metrics) {
    this.console = console;
    this.mode = mode;
    this.types = types;
    List<MetricRule> rates = metrics.stream().filter(MetricRule::isRate).toList();
    main = rates.stream().filter(MetricRule::ofAll).findFirst().orElse(rates.get(0));
    others = rates.stream().filter(rate -> !rate.equals(main)).toList();
  }

  /** To be called about once a second, and once before the first transaction. */
  public void update(LiveFigures live) {
    Runtime runtime = Runtime.getRuntime();
    update(live, runtime.totalMemory() - runtime.freeMemory(), runtime.totalMemory());
  }

  void update(LiveFigures live, long usedBytes, long heapBytes) {
    String name = FinalReport.BENCHMARKSQL_NAMES.getOrDefault(main.name(), main.name());
    String status =
        Texts.text(
            "Running Average %s: %.2f    Current %s: %s    Memory Usage: %dMB / %dMB",
            name,
            live.average().rate(main, types),
            name,
            current(main, live),
            usedBytes / BYTES_PER_MEGABYTE,
            heapBytes / BYTES_PER_MEGABYTE);
    switch (mode) {
      case IN_PLACE -> console.showStatus("Term-00, " + status + " ".repeat(10));
      case LINES -> {
        if (live.sinceStart().compareTo(timeOf(nextLine)) >= 0) {
          console.info(status + "    " + details(live));
          while (live.sinceStart().compareTo(timeOf(nextLine)) >= 0) {
            nextLine++;
          }
        }
      }
    }
  }

  private static Duration timeOf(int line) {
    return line < FIRST_LINES.size()
        ? FIRST_LINES.get(line)
        : LINE_PERIOD.multipliedBy(line - FIRST_LINES.size() + 1);
  }

  private String details(LiveFigures live) {
    String left =
        switch (live.phase()) {
          case STARTING -> "starting";
          case RAMP_UP -> "ramp-up, " + timeLeft(live);
          case MEASURING -> timeLeft(live);
          case ENDING -> "ending";
        };
    return Texts.text(
        "%sp95: %s ms    errors: %d    %s",
        others.stream()
            .map(rate -> rate.name() + ": " + current(rate, live) + "    ")
            .collect(Collectors.joining()),
        live.p95Nanos() == 0 ? "-" : Texts.text("%.1f", live.p95Millis()),
        live.errors(),
        left);
  }

  /** What counts by the minute needs no fractions. */
  private String current(MetricRule metric, LiveFigures live) {
    double rate = live.current().rate(metric, types);
    return metric.periodSeconds() > 1 ? Long.toString(Math.round(rate)) : Texts.text("%.1f", rate);
  }

  private static String timeLeft(LiveFigures live) {
    // Rounded up, so that it says 0 only at the end.
    return live.timeLeft()
        .map(left -> "left: " + clock(left.plusMillis(999)))
        .orElseGet(() -> "transactions: " + live.transactions());
  }

  /** Hours, minutes and seconds. */
  public static String clock(Duration duration) {
    long seconds = duration.toSeconds();
    return Texts.text("%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  /** The run is over: what follows begins on a new line. */
  public void end() {
    console.endStatus();
  }
}
