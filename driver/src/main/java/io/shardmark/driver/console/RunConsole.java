package io.shardmark.driver.console;

import io.shardmark.driver.results.Texts;
import java.io.PrintStream;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The one place that prints during a run: lines in the pattern of BenchmarkSQL's log4j set-up, and
 * a status line that is rewritten in place. A line that comes while the status line is shown
 * replaces it; the status line comes back with its next update. Safe on any thread.
 */
public final class RunConsole {
  /** The name that BenchmarkSQL's driver class has in its lines. */
  private static final String DRIVER = "jTPCC";

  private static final int MOST_COLUMNS = 100;

  /** Of a terminal whose width nobody has asked. */
  private static final int USUAL_COLUMNS = 80;

  private static final String INDENT = "    ";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss,SSS", Locale.ROOT);

  private final PrintStream out;
  private final Clock clock;

  /** Of the terminal that lines are wrapped for; 0 for a log. */
  private final int columns;

  private int statusWidth;

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
    this(out, clock, 0);
  }

  private RunConsole(PrintStream out, Clock clock, int columns) {
    this.out = out;
    this.clock = clock;
    this.columns = columns;
  }

  /** For standard output: Shardmark's own lines are bare there if that is a terminal. */
  public static RunConsole ofStandardOutput(Clock clock) {
    return new RunConsole(System.out, clock, isTerminal() ? MOST_COLUMNS : 0);
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
    return isTerminal() ? wrapped(text, USUAL_COLUMNS) : List.of(text);
  }

  private static boolean isTerminal() {
    return StatusLine.LineMode.ofStandardOutput() == StatusLine.LineMode.IN_PLACE;
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
    wipeStatus();
    out.println(line);
    out.flush();
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
