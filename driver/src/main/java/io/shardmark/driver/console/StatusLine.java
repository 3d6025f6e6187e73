package io.shardmark.driver.console;

import io.shardmark.driver.measure.LiveFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * How the run is doing. On a terminal one text that is rewritten each second in BenchmarkSQL's
 * shape; in a redirected log a line of its own every 10 s with more figures. Used by one thread.
 *
 * <p>"Current tpmTOTAL" is the rate of the last 5 s. BenchmarkSQL shows a number there that only
 * grows.
 */
public final class StatusLine {
  private static final Duration LINE_PERIOD = Duration.ofSeconds(10);
  private static final long BYTES_PER_MEGABYTE = 1 << 20;

  private final RunConsole console;
  private final Mode mode;
  private Duration nextLine = LINE_PERIOD;

  /** Where the status goes. */
  public enum Mode {
    /** Rewritten in place. */
    IN_PLACE,
    /** A line every 10 s. */
    LINES;

    /** In place if standard output is a terminal. Lines where that cannot be told. */
    public static Mode ofStandardOutput() {
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

  public StatusLine(RunConsole console, Mode mode) {
    this.console = console;
    this.mode = mode;
  }

  /** To be called about once a second, and once before the first transaction. */
  public void update(LiveFigures live) {
    Runtime runtime = Runtime.getRuntime();
    update(live, runtime.totalMemory() - runtime.freeMemory(), runtime.totalMemory());
  }

  void update(LiveFigures live, long usedBytes, long heapBytes) {
    String status =
        String.format(
            Locale.ROOT,
            "Running Average tpmTOTAL: %.2f    Current tpmTOTAL: %d    Memory Usage: %dMB / %dMB",
            live.averageTpmTotal(),
            live.currentTpmTotal(),
            usedBytes / BYTES_PER_MEGABYTE,
            heapBytes / BYTES_PER_MEGABYTE);
    switch (mode) {
      case IN_PLACE -> console.showStatus("Term-00, " + status + " ".repeat(10));
      case LINES -> {
        if (live.sinceStart().compareTo(nextLine) >= 0) {
          console.info(status + "    " + details(live));
          while (live.sinceStart().compareTo(nextLine) >= 0) {
            nextLine = nextLine.plus(LINE_PERIOD);
          }
        }
      }
    }
  }

  private static String details(LiveFigures live) {
    String left =
        switch (live.phase()) {
          case STARTING -> "starting";
          case RAMP_UP -> "ramp-up, " + timeLeft(live);
          case MEASURING -> timeLeft(live);
          case ENDING -> "ending";
        };
    return String.format(
        Locale.ROOT,
        "tpmC: %d    p95: %.1f ms    errors: %d    %s",
        live.currentTpmC(),
        live.p95Nanos() / 1e6,
        live.errors(),
        left);
  }

  private static String timeLeft(LiveFigures live) {
    return live.timeLeft()
        .map(
            left -> {
              // Rounded up, so that it says 0 only at the end.
              long seconds = left.plusMillis(999).toSeconds();
              return String.format(
                  Locale.ROOT,
                  "left: %02d:%02d:%02d",
                  seconds / 3600,
                  seconds / 60 % 60,
                  seconds % 60);
            })
        .orElseGet(() -> String.format(Locale.ROOT, "transactions: %d", live.transactions()));
  }

  /** The run is over: what follows begins on a new line. */
  public void end() {
    console.endStatus();
  }
}
