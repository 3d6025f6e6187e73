package io.shardmark.proxy.catalog;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which problems to tell: those that stay. While tables are made one by one, each look finds others
 * that the next one does not. For one thread at a time.
 */
final class SettledProblems {
  private final Set<String> told;
  private List<String> now;

  /**
   * @param told what has been told already
   */
  SettledProblems(List<String> told) {
    this.told = new HashSet<>(told);
    this.now = told;
  }

  /** Takes what a look found; true if some of it was never told: then it is to be settled. */
  boolean found(List<String> problems) {
    now = problems;
    told.retainAll(problems);
    return !told.containsAll(problems);
  }

  /** Nothing new was found for a while: the lines to tell, each once. */
  List<String> settled() {
    return now.stream().filter(told::add).toList();
  }
}
