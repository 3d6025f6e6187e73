package io.shardmark.driver.measure;

import io.shardmark.driver.results.ErrorResult.Example;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
  private final Map<ErrorClass, Tally> tallies = new LinkedHashMap<>();

  /** Errors by second, until the collector takes them. */
  private final TreeMap<Long, Map<ErrorClass, ErrorSecond>> openSeconds = new TreeMap<>();

  private long oldestSecond;
  private long lineWindowStartNanos;
  private int linesInWindow;
  private int suppressedLines;

  /**
   * @param typeIndex the type of the transaction that met it
   * @param sqlState SQLSTATE, or an empty text
   */
  public record ErrorClass(int typeIndex, Disposition disposition, String sqlState) {
    /** The class of those whose SQLSTATEs are too many to keep separate. */
    ErrorClass ofUnnamedState() {
      return new ErrorClass(typeIndex, disposition, "other");
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
   * What happened of one class.
   *
   * @param count errors raised in the measurement interval, tried again or not
   * @param retried those of them after which the transaction was tried again
   * @param outside errors raised in the ramp-up or after the interval
   * @param examples the first distinct texts
   */
  public record ErrorCount(
      ErrorClass errorClass, long count, long retried, long outside, List<Example> examples) {
    public ErrorCount {
      examples = List.copyOf(examples);
    }

    /** With what another driver had of the same class. */
    ErrorCount plus(ErrorCount other) {
      Set<String> texts = new HashSet<>();
      return new ErrorCount(
          errorClass,
          count + other.count,
          retried + other.retried,
          outside + other.outside,
          Stream.concat(examples.stream(), other.examples.stream())
              .sorted(Comparator.comparingLong(Example::firstSeenMillis))
              .filter(example -> texts.add(example.message()))
              .limit(MAX_EXAMPLES_PER_CLASS)
              .toList());
    }
  }

  private static final class Tally {
    long count;
    long retried;
    long outside;
    final List<Example> examples = new ArrayList<>();
  }

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
      Tally tally = tallies.get(errorClass);
      if (tally == null) {
        if (tallies.size() >= MAX_CLASSES) {
          // A server that invents SQLSTATEs must not fill the memory; the counts stay complete.
          errorClass = errorClass.ofUnnamedState();
        }
        tally = tallies.computeIfAbsent(errorClass, unused -> new Tally());
        notice = noticeWithinRate(errorClass, text, nanos);
      }
      count(errorClass, tally, retried, nanos);
      addExample(tally, text, nanos);
    }
    if (notice != null) {
      newClasses.accept(notice);
    }
  }

  private void count(ErrorClass errorClass, Tally tally, boolean retried, long nanos) {
    if (interval.contains(nanos)) {
      tally.count++;
      tally.retried += retried ? 1 : 0;
      long sinceStart = nanos - interval.interval().startNanos();
      addToSecond(sinceStart / NANOS_PER_SECOND, errorClass, retried);
    } else {
      tally.outside++;
    }
  }

  /** An error that comes in after its second was taken counts for the oldest one that was not. */
  private void addToSecond(long second, ErrorClass errorClass, boolean retried) {
    Map<ErrorClass, ErrorSecond> raised =
        openSeconds.computeIfAbsent(
            Math.max(second, oldestSecond), unused -> new LinkedHashMap<>());
    ErrorClass counted =
        raised.size() < MAX_CLASSES_PER_SECOND || raised.containsKey(errorClass)
            ? errorClass
            : errorClass.ofUnnamedState();
    raised.merge(counted, new ErrorSecond(counted, 1, retried ? 1 : 0), ErrorSecond::plus);
  }

  private void addExample(Tally tally, String text, long nanos) {
    if (tally.examples.size() < MAX_EXAMPLES_PER_CLASS
        && tally.examples.stream().noneMatch(example -> example.message().equals(text))) {
      long sinceStart = nanos - interval.interval().startNanos();
      tally.examples.add(new Example(text, Math.floorDiv(sinceStart, 1_000_000L)));
    }
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
   * @return in the order in which the classes came up; empty if nothing was raised in it
   */
  synchronized List<ErrorSecond> takeSecond(long second) {
    oldestSecond = Math.max(oldestSecond, second + 1);
    Map<ErrorClass, ErrorSecond> raised = openSeconds.remove(second);
    return raised == null ? List.of() : List.copyOf(raised.values());
  }

  /** The last second with errors that were not taken; -1 without any. */
  synchronized long lastSecond() {
    return openSeconds.isEmpty() ? -1 : openSeconds.lastKey();
  }

  /** All classes, the most frequent first. */
  public synchronized List<ErrorCount> counts() {
    return tallies.entrySet().stream()
        .map(
            entry -> {
              Tally tally = entry.getValue();
              return new ErrorCount(
                  entry.getKey(), tally.count, tally.retried, tally.outside, tally.examples);
            })
        .sorted(Comparator.comparingLong(ErrorCount::count).reversed())
        .toList();
  }
}
