package io.shardmark.driver.results.reader;

import java.util.List;

/**
 * Errors that were raised, by class over time, in buckets of equal width; the first begins with the
 * interval.
 *
 * @param widthSeconds of a bucket
 * @param lines a line for each class, the most frequent first
 */
public record ErrorTimeline(double widthSeconds, List<ErrorLine> lines) {
  static final ErrorTimeline NONE = new ErrorTimeline(1, List.of());

  public ErrorTimeline {
    lines = List.copyOf(lines);
  }

  /**
   * One class. Both lists have one element for each bucket.
   *
   * @param name disposition and SQLSTATE
   * @param raised errors, tried again or not
   * @param retried of those, tried again
   */
  public record ErrorLine(String name, List<Long> raised, List<Long> retried) {
    public ErrorLine {
      raised = List.copyOf(raised);
      retried = List.copyOf(retried);
    }
  }
}
