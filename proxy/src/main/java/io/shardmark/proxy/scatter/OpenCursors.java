package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.merge.MergeSpec;
import java.util.ArrayList;
import java.util.List;

/** One client's results over several shards that are not fetched to their end. */
final class OpenCursors {
  private static final String PORTAL_PREFIX = "shardmark portal ";

  private final Execution execution;
  private List<ScatterCursor> open = List.of();
  private long count;

  OpenCursors(Execution execution) {
    this.execution = execution;
  }

  /** A new one; its portals are not made yet. */
  ScatterCursor add(MergeSpec spec) {
    List<ScatterCursor> alive = new ArrayList<>();
    for (ScatterCursor cursor : open) {
      if (cursor.isAlive()) {
        alive.add(cursor);
      }
    }
    ScatterCursor cursor =
        new ScatterCursor(execution, spec, PORTAL_PREFIX + Long.toString(++count));
    alive.add(cursor);
    open = alive;
    return cursor;
  }

  /** The transaction is over, and all of them with it. */
  void forget() {
    if (!open.isEmpty()) {
      open.forEach(ScatterCursor::forget);
      open = List.of();
    }
  }

  /** RELEASE SAVEPOINT. */
  void released(int savepointsLeft) {
    open.forEach(cursor -> cursor.released(savepointsLeft));
  }

  /** ROLLBACK TO SAVEPOINT. */
  void rolledBackTo(int savepoint) {
    open.forEach(cursor -> cursor.rolledBackTo(savepoint));
  }
}
