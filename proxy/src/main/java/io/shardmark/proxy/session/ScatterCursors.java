package io.shardmark.proxy.session;

import io.shardmark.proxy.merge.MergeSpec;
import java.util.ArrayList;
import java.util.List;

/** A session's results over several shards that are not fetched to their end. */
final class ScatterCursors {
  private static final String PORTAL_PREFIX = "shardmark portal ";

  private final ClientSession session;
  private final SqlCursors named;
  private List<ScatterCursor> open = List.of();
  private long count;

  ScatterCursors(ClientSession session) {
    this.session = session;
    this.named = new SqlCursors(session);
  }

  /** Those of SQL, by their names. */
  SqlCursors named() {
    return named;
  }

  /** A new one; its portals are not made yet. */
  ScatterCursor make(MergeSpec spec) {
    List<ScatterCursor> alive = new ArrayList<>();
    for (ScatterCursor cursor : open) {
      if (cursor.isAlive()) {
        alive.add(cursor);
      }
    }
    ScatterCursor cursor = new ScatterCursor(session, spec, PORTAL_PREFIX + Long.toString(++count));
    alive.add(cursor);
    open = alive;
    return cursor;
  }

  /** The transaction is over, and all of them with it. */
  void over() {
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
