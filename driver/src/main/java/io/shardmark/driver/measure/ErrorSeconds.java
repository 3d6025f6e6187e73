package io.shardmark.driver.measure;

import io.shardmark.driver.measure.ErrorLog.ErrorClass;
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

  private final TreeMap<Long, Map<ErrorClass, ErrorSecond>> open = new TreeMap<>();
  private long oldest;

  void add(long second, ErrorClass errorClass, boolean retried) {
    Map<ErrorClass, ErrorSecond> raised =
        open.computeIfAbsent(Math.max(second, oldest), unused -> new LinkedHashMap<>());
    ErrorClass counted =
        raised.size() < MAX_CLASSES || raised.containsKey(errorClass)
            ? errorClass
            : errorClass.ofUnnamedState();
    raised.merge(counted, new ErrorSecond(counted, 1, retried ? 1 : 0), ErrorSecond::plus);
  }

  /** Takes one second out; empty if nothing was raised in it. Seconds are taken in order. */
  List<ErrorSecond> take(long second) {
    oldest = Math.max(oldest, second + 1);
    Map<ErrorClass, ErrorSecond> raised = open.remove(second);
    return raised == null ? List.of() : List.copyOf(raised.values());
  }

  /** The last second that has something; -1 if none has. */
  long last() {
    return open.isEmpty() ? -1 : open.lastKey();
  }
}
