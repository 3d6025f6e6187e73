package io.shardmark.driver.console;

import io.shardmark.driver.results.Texts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Where the libraries' warnings go: to the console in the same pattern, and to {@code
 * benchmarksql-error.log} in the working directory with their stack traces. The file is made when
 * there is something to write, and grows to 10 MB at most. Safe on any thread.
 */
public final class LibraryLog extends Handler {
  private static final long MAX_FILE_CHARS = 10 << 20;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS", Locale.ROOT);

  private final RunConsole console;
  private final Path file;
  private final Clock clock;
  private final SimpleFormatter texts = new SimpleFormatter();
  private boolean fileGivenUp;
  private long fileChars;

  LibraryLog(RunConsole console, Path file, Clock clock) {
    this.console = console;
    this.file = file;
    this.clock = clock;
    setLevel(Level.WARNING);
  }

  /**
   * Makes this process's libraries log here and nowhere else.
   *
   * @param file appended to
   */
  public static LibraryLog install(RunConsole console, Path file, Clock clock) {
    LogManager.getLogManager().reset();
    LibraryLog log = new LibraryLog(console, file, clock);
    Logger root = Logger.getLogger("");
    root.setLevel(Level.WARNING);
    root.addHandler(log);
    return log;
  }

  @Override
  public void publish(LogRecord record) {
    if (!isLoggable(record)) {
      return;
    }
    RunConsole.Level level =
        record.getLevel().intValue() >= Level.SEVERE.intValue()
            ? RunConsole.Level.ERROR
            : RunConsole.Level.WARN;
    String source = simpleName(record);
    String text = texts.formatMessage(record);
    Throwable thrown = record.getThrown();
    String reason = thrown == null ? "" : " (" + thrown + ")";
    console.line(level, source, firstLine(text + reason));
    append(level, source, text, thrown);
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private static String simpleName(LogRecord record) {
    String name = record.getSourceClassName();
    if (name == null) {
      name = record.getLoggerName();
    }
    return name == null ? "log" : name.substring(name.lastIndexOf('.') + 1);
  }

  private synchronized void append(
      RunConsole.Level level, String source, String text, @Nullable Throwable thrown) {
    if (fileGivenUp) {
      return;
    }
    StringBuilder entry = new StringBuilder(ZonedDateTime.now(clock).format(TIME));
    entry.append(
        Texts.text(" [%s] %-5s  %s : %s%n", Thread.currentThread().getName(), level, source, text));
    if (thrown != null) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      entry.append(trace);
    }
    fileChars += entry.length();
    fileGivenUp = fileChars > MAX_FILE_CHARS;
    if (fileGivenUp) {
      entry.append("This file ends here: it has reached its largest size.\n");
    }
    try {
      Files.writeString(file, entry, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      // The console has the warning already; a disk that is full must not end the run.
      fileGivenUp = true;
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
