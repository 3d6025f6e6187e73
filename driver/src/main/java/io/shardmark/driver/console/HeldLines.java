package io.shardmark.driver.console;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Lines that are kept until they can be printed: the first and the last ones if there are many. */
final class HeldLines {
  private static final int MOST_AT_EACH_END = 1000;

  private final List<String> first = new ArrayList<>();
  private final Deque<String> last = new ArrayDeque<>();
  private long dropped;

  void add(String line) {
    if (first.size() < MOST_AT_EACH_END) {
      first.add(line);
      return;
    }
    if (last.size() == MOST_AT_EACH_END) {
      last.removeFirst();
      dropped++;
    }
    last.addLast(line);
  }

  /** All that is kept, with a line in place of those that are not. */
  List<String> all() {
    List<String> all = new ArrayList<>(first);
    if (dropped > 0) {
      all.add("(" + dropped + " lines were not kept)");
    }
    all.addAll(last);
    return all;
  }

  /** The newest ones, in order. */
  List<String> newest(int count) {
    List<String> all = last.isEmpty() ? first : new ArrayList<>(last);
    return List.copyOf(all.subList(Math.max(0, all.size() - count), all.size()));
  }
}
