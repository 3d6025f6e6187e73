package io.shardmark.driver.verdict;

import io.shardmark.driver.results.Client;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a verdict is computed from.
 *
 * @param ended how it came to its end
 * @param endedDetail cause of a fault, or which results are missing; may be empty
 * @param seconds length of the measurement interval
 * @param types one for each type
 * @param failures failed transactions by the kind of their error, the most frequent first
 * @param quiet the longest time without a success
 * @param pace what it was asked
 * @param drivers who drove it, by the name that sentences have; one, unless several did
 */
public record VerdictInput(
    Ended ended,
    String endedDetail,
    double seconds,
    List<TypeCount> types,
    Map<String, Long> failures,
    Quiet quiet,
    Pace pace,
    Map<String, Client> drivers) {
  public VerdictInput {
    types = List.copyOf(types);
    failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    drivers = Collections.unmodifiableMap(new LinkedHashMap<>(drivers));
  }

  /** How a run ended. */
  public enum Ended {
    AS_PLANNED,
    BY_SIGNAL,
    /** By a fault of the driver. */
    ABORTED,
    /** Results of some drivers are missing. */
    INCOMPLETE
  }

  /**
   * Transactions of one type that ended in the interval.
   *
   * @param counted false for deferred parts, which are no transactions of their own
   */
  public record TypeCount(String name, boolean counted, long successes, long errors) {}

  /**
   * The longest time in which no counted transaction succeeded, in whole seconds of the interval.
   *
   * @param seconds 0 if there was none
   * @param fromSecond where it began
   * @param toTheEnd whether the interval ended in it
   */
  public record Quiet(long seconds, long fromSecond, boolean toTheEnd) {
    public static final Quiet NONE = new Quiet(0, 0, false);
  }

  /**
   * What was asked.
   *
   * @param askedPerMinute rate of the schedule on which transactions are due; 0 without one
   * @param limitTxnsPerMin as the key; 0 is none. May be the schedule
   * @param byCount true if the number of transactions ends the run
   * @param connections that serve the terminals
   * @param retries how often a transaction may be tried again
   * @param backlogGrowth of a schedule: by how many transactions that were due and not begun it
   *     fell back in the interval
   * @param stages each with a rate of its own, which then count instead of the whole's; may be
   *     empty
   */
  public record Pace(
      double askedPerMinute,
      int limitTxnsPerMin,
      boolean byCount,
      int connections,
      int retries,
      long backlogGrowth,
      List<StagePace> stages) {
    public Pace {
      stages = List.copyOf(stages);
    }

    /** At one rate, or none. */
    public Pace(
        double askedPerMinute,
        int limitTxnsPerMin,
        boolean byCount,
        int connections,
        int retries,
        long backlogGrowth) {
      this(
          askedPerMinute, limitTxnsPerMin, byCount, connections, retries, backlogGrowth, List.of());
    }
  }

  /**
   * A part of the interval at a rate of its own.
   *
   * @param name as sentences have it, such as {@code stage 2 (10m:20000)}
   * @param askedPerMinute 0 for a pause
   * @param donePerMinute that ended in it
   * @param backlogGrowth in it
   */
  public record StagePace(
      String name, double askedPerMinute, double donePerMinute, long backlogGrowth) {}

  long successes() {
    return types.stream().filter(TypeCount::counted).mapToLong(TypeCount::successes).sum();
  }

  /** Failed ones, deferred parts included. */
  long errors() {
    return types.stream().mapToLong(TypeCount::errors).sum();
  }

  /** All that ended, deferred parts included. */
  long all() {
    return errors() + types.stream().mapToLong(TypeCount::successes).sum();
  }

  /** Of all that ended, what failed: 0 .. 1. */
  public double errorShare() {
    return all() == 0 ? 0 : (double) errors() / all();
  }

  double countedPerMinute() {
    long counted =
        types.stream().filter(TypeCount::counted).mapToLong(t -> t.successes() + t.errors()).sum();
    return seconds <= 0 ? 0 : counted * 60 / seconds;
  }
}
