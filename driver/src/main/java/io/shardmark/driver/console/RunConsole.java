package io.shardmark.driver.console;

import io.shardmark.driver.results.Texts;
import java.io.PrintStream;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The one place that prints during a run: lines in the pattern of BenchmarkSQL's log4j set-up, and
 * a status line that is rewritten in place. A line that comes while the status line is shown
 * replaces it; the status line comes back with its next update. Safe on any thread.
 */
public final class RunConsole {
  /** The name that BenchmarkSQL's driver class has in its lines. */
  private static final String DRIVER = "jTPCC";

  private static final int MOST_HELD_AT_EACH_END = 1000;
  private static final int LEAST_COLUMNS = 40;
  private static final int MOST_COLUMNS = 100;

  /** Of a terminal whose width nobody has asked. */
  private static final int USUAL_COLUMNS = 80;

  private static final String INDENT = "    ";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss,SSS", Locale.ROOT);

  private final PrintStream out;
  private final Clock clock;

  /** Of the terminal that lines are wrapped for; 0 for a log. */
  private int columns;

  private int statusWidth;

  /** Lines that are kept until they can be printed; null while each is printed as it comes. */
  private @Nullable List<String> held;

  private long dropped;

  /** Levels with log4j's names. */
  public enum Level {
    INFO,
    WARN,
    ERROR
  }

  /**
   * @param out usually standard output; stays the caller's
   * @param clock with the zone that times are shown in
   */
  public RunConsole(PrintStream out, Clock clock) {
    this.out = out;
    this.clock = clock;
  }

  /** For standard output: Shardmark's own lines are bare there if that is a terminal. */
  public static RunConsole ofStandardOutput(Clock clock) {
    RunConsole console = new RunConsole(System.out, clock);
    console.columns =
        StatusLine.LineMode.ofStandardOutput() == StatusLine.LineMode.IN_PLACE ? MOST_COLUMNS : 0;
    return console;
  }

  /** The terminal is so wide; without one nothing changes. */
  public void fit(int terminalColumns) {
    columns = columns == 0 ? 0 : Math.max(LEAST_COLUMNS, Math.min(MOST_COLUMNS, terminalColumns));
  }

  /**
   * A line that BenchmarkSQL does not have: bare on a terminal, in as many lines as it needs there,
   * and else as {@link #info}.
   */
  public void own(String text) {
    if (columns == 0) {
      info(text);
    } else {
      wrapped(text, columns).forEach(this::plain);
    }
  }

  /** The lines of a text on standard output: as many as it needs if that is a terminal. */
  public static List<String> fitted(String text) {
    return StatusLine.LineMode.ofStandardOutput() == StatusLine.LineMode.IN_PLACE
        ? wrapped(text, USUAL_COLUMNS)
        : List.of(text);
  }

  /** The text in lines of at most so many columns; all but the first are indented. */
  static List<String> wrapped(String text, int columns) {
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > columns) {
      int indent = lines.isEmpty() ? 0 : INDENT.length();
      int end = rest.lastIndexOf(' ', columns);
      if (end <= indent) {
        break; // one long word, such as a path, that is copied whole
      }
      lines.add(rest.substring(0, end).stripTrailing());
      rest = INDENT + rest.substring(end + 1);
    }
    lines.add(rest);
    return lines;
  }

  /** A line of the driver: {@code HH:mm:ss,SSS [thread] INFO jTPCC : Term-00, text}. */
  public void info(String text) {
    line(Level.INFO, DRIVER, "Term-00, " + text);
  }

  public void warn(String text) {
    line(Level.WARN, DRIVER, "Term-00, " + text);
  }

  public void error(String text) {
    line(Level.ERROR, DRIVER, "Term-00, " + text);
  }

  /**
   * Any line.
   *
   * @param source simple name of the class that speaks
   */
  public void line(Level level, String source, String text) {
    String line =
        Texts.text(
            "%s [%s] %-5s  %s : %s",
            ZonedDateTime.now(clock).format(TIME),
            Thread.currentThread().getName(),
            level,
            source,
            text);
    plain(line);
  }

  /** Text as it is, without time and level. */
  public synchronized void plain(String line) {
    if (held != null) {
      if (held.size() == 2 * MOST_HELD_AT_EACH_END) {
        held.remove(MOST_HELD_AT_EACH_END);
        dropped++;
      }
      held.add(line);
      return;
    }
    wipeStatus();
    out.println(line);
    out.flush();
  }

  /** True if what is said here goes to this process's standard output. */
  public boolean isStandardOutput() {
    return out == System.out;
  }

  /** Something else is on the screen: lines are kept until {@link #printHeldLines}. */
  public synchronized void holdLines() {
    wipeStatus();
    out.flush();
    if (held == null) {
      held = new ArrayList<>();
      dropped = 0;
    }
  }

  /** The newest of the lines that are kept. */
  public synchronized List<String> newestHeldLines(int count) {
    return held == null
        ? List.of()
        : List.copyOf(held.subList(Math.max(0, held.size() - count), held.size()));
  }

  /** The screen is free again: prints what was kept, and from here on each line as it comes. */
  public synchronized void printHeldLines() {
    if (held != null) {
      if (dropped > 0) {
        held.add(MOST_HELD_AT_EACH_END, "(" + dropped + " lines were not kept)");
      }
      held.forEach(out::println);
      held = null;
      out.flush();
    }
  }

  /** Shows a status text in place of the one before; it is shown until the next line. */
  synchronized void showStatus(String text) {
    // Backspaces, as BenchmarkSQL does: a carriage return would jump over a shell's prompt.
    out.print("\b".repeat(statusWidth) + text);
    if (text.length() < statusWidth) {
      int rest = statusWidth - text.length();
      out.print(" ".repeat(rest) + "\b".repeat(rest));
    }
    statusWidth = text.length();
    out.flush();
  }

  /** Leaves the status text where it is and goes on below it. */
  synchronized void endStatus() {
    if (statusWidth > 0) {
      statusWidth = 0;
      out.println();
      out.flush();
    }
  }

  private void wipeStatus() {
    if (statusWidth > 0) {
      out.print("\b".repeat(statusWidth) + " ".repeat(statusWidth) + "\b".repeat(statusWidth));
      statusWidth = 0;
    }
  }
}
