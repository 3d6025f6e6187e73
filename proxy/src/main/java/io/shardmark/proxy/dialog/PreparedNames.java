package io.shardmark.proxy.dialog;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The statements prepared on one server connection, least recently used first. */
final class PreparedNames {
  /** Returned where nothing has to give way. */
  static final long NONE = 0;

  private final Map<Long, Boolean> byUse = new LinkedHashMap<>(16, 0.75f, true);
  private final int limit;

  /** The statement last asked for: most clients execute one again and again. */
  private long latest = NONE;

  PreparedNames(int limit) {
    this.limit = limit;
  }

  /** Whether it is prepared; counts as a use. */
  boolean use(long id) {
    if (id == latest) {
      return true;
    }
    if (byUse.get(id) == null) {
      return false;
    }
    latest = id;
    return true;
  }

  /** Adds one, or one that was to be closed and is still there. */
  void add(long id) {
    byUse.put(id, Boolean.TRUE);
    latest = id;
  }

  /** Takes out one that must be closed, or {@link #NONE} if there are not too many. */
  long evict() {
    if (byUse.size() <= limit) {
      return NONE;
    }
    Iterator<Long> oldest = byUse.keySet().iterator();
    long evicted = oldest.next();
    oldest.remove();
    return evicted;
  }

  void remove(long id) {
    byUse.remove(id);
    if (latest == id) {
      latest = NONE;
    }
  }

  PreparedNames copy() {
    PreparedNames copy = new PreparedNames(limit);
    copy.byUse.putAll(byUse);
    copy.latest = latest;
    return copy;
  }

  @Override
  public String toString() {
    return byUse.keySet().toString();
  }

  void clear() {
    byUse.clear();
    latest = NONE;
  }
}
