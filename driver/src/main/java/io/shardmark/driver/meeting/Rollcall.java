package io.shardmark.driver.meeting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Finds drivers that are not heard of: whose row has not changed for a while, although it could be
 * read all the time. No clocks are compared. Not safe for several threads.
 */
final class Rollcall {
  static final int LOST_AFTER_SECONDS = 15;

  private record Heard(long beat, long nanos) {}

  private final int own;
  private final Map<Integer, Heard> heard = new HashMap<>();
  private final Set<Integer> silent = new HashSet<>();

  /** Of the driver with this index, which does not look for itself. */
  Rollcall(int own) {
    this.own = own;
  }

  /** The rows could not be read: nobody is blamed for the time until now. */
  void blind() {
    heard.clear();
  }

  /** Those who are silent now and were not before. */
  List<MeetingRow> call(List<MeetingRow> rows, long nowNanos) {
    List<MeetingRow> found = new ArrayList<>();
    for (MeetingRow row : rows) {
      if (row.index() == own || row.state().isAtLeast(MeetingRow.MeetingState.DONE)) {
        silent.remove(row.index());
        continue;
      }
      Heard last = heard.get(row.index());
      if (last == null || last.beat() != row.status().beat()) {
        heard.put(row.index(), new Heard(row.status().beat(), nowNanos));
        silent.remove(row.index());
      } else if (nowNanos - last.nanos() > TimeUnit.SECONDS.toNanos(LOST_AFTER_SECONDS)
          && silent.add(row.index())) {
        found.add(row);
      }
    }
    return found;
  }

  boolean isSilent(MeetingRow row) {
    return silent.contains(row.index());
  }
}
