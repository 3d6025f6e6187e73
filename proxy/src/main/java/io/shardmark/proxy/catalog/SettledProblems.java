package io.shardmark.proxy.catalog;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which problems to report: those that stay. While tables are made one by one, each look finds
 * others that the next one does not. For one thread at a time.
 */
final class SettledProblems {
  private final Set<String> reported;
  private List<String> now;

  /**
   * @param reported what has been reported already
   */
  SettledProblems(List<String> reported) {
    this.reported = new HashSet<>(reported);
    this.now = reported;
  }

  /** Takes what a look found; true if some of it was never reported: then it is to be settled. */
  boolean found(List<String> problems) {
    now = problems;
    reported.retainAll(problems);
    return !reported.containsAll(problems);
  }

  /** Nothing new was found for a while: the lines to report, each once. */
  List<String> settled() {
    return now.stream().filter(reported::add).toList();
  }
}
