package io.shardmark.driver.measure;

import io.shardmark.driver.measure.ErrorLog.ErrorClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Errors by second, until the collector takes them. An error that comes in after its second was
 * taken counts for the oldest one that was not. Guarded by the {@link ErrorLog} that has it.
 */
final class ErrorSeconds {
  /** A server that invents SQLSTATEs must fill neither the memory nor the disk. */
  static final int MAX_CLASSES = 32;

  private final TreeMap<Long, Map<ErrorClass, Tally>> open = new TreeMap<>();
  private long oldest;

  private static final class Tally {
    long count;
    long retried;
  }

  void add(long second, ErrorClass errorClass, boolean retried) {
    Map<ErrorClass, Tally> tallies =
        open.computeIfAbsent(Math.max(second, oldest), unused -> new LinkedHashMap<>());
    ErrorClass counted =
        tallies.size() < MAX_CLASSES || tallies.containsKey(errorClass)
            ? errorClass
            : errorClass.ofUnnamedState();
    Tally tally = tallies.computeIfAbsent(counted, unused -> new Tally());
    tally.count++;
    tally.retried += retried ? 1 : 0;
  }

  /** Takes one second out; empty if nothing was raised in it. Seconds are taken in order. */
  List<ErrorSecond> take(long second) {
    oldest = Math.max(oldest, second + 1);
    Map<ErrorClass, Tally> tallies = open.remove(second);
    List<ErrorSecond> taken = new ArrayList<>();
    if (tallies != null) {
      tallies.forEach(
          (kind, tally) -> taken.add(new ErrorSecond(kind, tally.count, tally.retried)));
    }
    return taken;
  }

  /** The last second that has something; -1 if none has. */
  long last() {
    return open.isEmpty() ? -1 : open.lastKey();
  }
}
