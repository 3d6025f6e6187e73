package io.shardmark.driver.measure;

import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.ErrorResult.Example;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The errors of a run: exact counts per class, and a bounded number of example texts. Shared by all
 * workers; errors are rare enough for a lock. A flood of errors costs memory once and the console
 * one line per class, not one per error.
 */
public final class ErrorLog {
  private static final int MAX_CLASSES = 500;
  private static final int MAX_EXAMPLES_PER_CLASS = 3;

  /** Of a second: a server that invents SQLSTATEs must fill neither the memory nor the disk. */
  static final int MAX_CLASSES_PER_SECOND = 32;

  private static final int MAX_MESSAGE_CHARS = 500;
  private static final int MAX_LINES_PER_WINDOW = 5;
  private static final long LINE_WINDOW_NANOS = 10_000_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final IntervalInForce interval;
  private final Consumer<Notice> newClasses;
  private final Map<ErrorClass, ErrorResult> all = new LinkedHashMap<>();

  /** Errors by second, until the collector takes them. */
  private final TreeMap<Long, Map<ErrorClass, ErrorResult>> openSeconds = new TreeMap<>();

  private long oldestSecond;
  private long lineWindowStartNanos;
  private int linesInWindow;
  private int suppressedLines;

  /**
   * @param type name of the type of the transaction that met it
   * @param sqlState SQLSTATE, or an empty text
   */
  public record ErrorClass(String type, Disposition disposition, String sqlState) {
    /** The class of those whose SQLSTATEs are too many to keep separate. */
    ErrorClass ofUnnamedState() {
      return new ErrorClass(type, disposition, "other");
    }

    private ErrorResult one(int counted, boolean retried, List<Example> examples) {
      return new ErrorResult(
          type,
          disposition.name(),
          sqlState,
          counted,
          retried ? counted : 0,
          1 - counted,
          examples);
    }
  }

  /**
   * An error of a class that was not seen before.
   *
   * @param message first line of the message, cut to a bounded length
   * @param suppressed notices that were withheld since the last one because too many came at once
   */
  public record Notice(ErrorClass errorClass, String message, int suppressed) {}

  /**
   * @param newClasses receives each new class, on the thread that met it, a few times in 10 s at
   *     most
   */
  public ErrorLog(IntervalInForce interval, Consumer<Notice> newClasses) {
    this.interval = interval;
    this.newClasses = newClasses;
    this.lineWindowStartNanos = System.nanoTime() - LINE_WINDOW_NANOS;
  }

  /** Counts one error. */
  void record(ErrorClass errorClass, String message, boolean retried, long nanos) {
    String text = firstLine(message);
    Notice notice = null;
    synchronized (this) {
      if (!all.containsKey(errorClass)) {
        if (all.size() >= MAX_CLASSES) {
          // A server that invents SQLSTATEs must not fill the memory; the counts stay complete.
          errorClass = errorClass.ofUnnamedState();
        }
        notice = noticeWithinRate(errorClass, text, nanos);
      }
      boolean counts = interval.contains(nanos);
      long sinceStart = nanos - interval.interval().startNanos();
      List<Example> examples =
          isExample(all.get(errorClass), text)
              ? List.of(new Example(text, Math.floorDiv(sinceStart, 1_000_000L)))
              : List.of();
      all.merge(errorClass, errorClass.one(counts ? 1 : 0, retried, examples), ErrorLog::plus);
      if (counts) {
        addToSecond(sinceStart / NANOS_PER_SECOND, errorClass, retried);
      }
    }
    if (notice != null) {
      newClasses.accept(notice);
    }
  }

  private static boolean isExample(@Nullable ErrorResult known, String text) {
    return known == null
        || (known.examples().size() < MAX_EXAMPLES_PER_CLASS
            && known.examples().stream().noneMatch(example -> example.message().equals(text)));
  }

  /** An error that comes in after its second was taken counts for none. */
  private void addToSecond(long second, ErrorClass errorClass, boolean retried) {
    if (second < oldestSecond) {
      return;
    }
    Map<ErrorClass, ErrorResult> raised =
        openSeconds.computeIfAbsent(second, unused -> new LinkedHashMap<>());
    ErrorClass counted =
        raised.size() < MAX_CLASSES_PER_SECOND || raised.containsKey(errorClass)
            ? errorClass
            : errorClass.ofUnnamedState();
    raised.merge(counted, counted.one(1, retried, List.of()), ErrorLog::plus);
  }

  private @Nullable Notice noticeWithinRate(ErrorClass errorClass, String text, long nanos) {
    if (nanos - lineWindowStartNanos >= LINE_WINDOW_NANOS) {
      lineWindowStartNanos = nanos;
      linesInWindow = 0;
    }
    if (linesInWindow >= MAX_LINES_PER_WINDOW) {
      suppressedLines++;
      return null;
    }
    linesInWindow++;
    Notice notice = new Notice(errorClass, text, suppressedLines);
    suppressedLines = 0;
    return notice;
  }

  private static String firstLine(String message) {
    String line = message.lines().findFirst().orElse("").strip();
    return line.length() <= MAX_MESSAGE_CHARS ? line : line.substring(0, MAX_MESSAGE_CHARS) + "...";
  }

  /**
   * Takes what was raised in one second of the interval; each second once, in order.
   *
   * @return in the order in which the classes came up; empty if nothing was raised in it. Its
   *     SQLSTATE is {@code other} for what a second had of too many classes
   */
  synchronized List<ErrorResult> takeSecond(long second) {
    oldestSecond = Math.max(oldestSecond, second + 1);
    Map<ErrorClass, ErrorResult> raised = openSeconds.remove(second);
    return raised == null ? List.of() : List.copyOf(raised.values());
  }

  /** The last second with errors that were not taken; -1 without any. */
  synchronized long lastSecond() {
    return openSeconds.isEmpty() ? -1 : openSeconds.lastKey();
  }

  /** All classes, the most frequent first. */
  public synchronized List<ErrorResult> counts() {
    return mostFrequentFirst(all.values());
  }

  static List<ErrorResult> mostFrequentFirst(Collection<ErrorResult> errors) {
    return errors.stream().sorted(Comparator.comparingLong(ErrorResult::count).reversed()).toList();
  }

  /** What several had, that of the same class together, in the order in which the classes come. */
  public static List<ErrorResult> sum(Collection<ErrorResult> errors) {
    Map<List<String>, ErrorResult> sums = new LinkedHashMap<>();
    for (ErrorResult one : errors) {
      sums.merge(List.of(one.type(), one.disposition(), one.sqlState()), one, ErrorLog::plus);
    }
    return List.copyOf(sums.values());
  }

  private static ErrorResult plus(ErrorResult one, ErrorResult other) {
    return one.plus(other, MAX_EXAMPLES_PER_CLASS);
  }
}
