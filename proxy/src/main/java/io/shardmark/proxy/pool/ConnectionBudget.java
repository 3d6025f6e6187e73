package io.shardmark.proxy.pool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many connections to one shard as one user the pools of all event loops may have together. A
 * pool that needs one takes it; one that finds none left says so, and gets unused ones of other
 * loops, and as long as it has less than its equal share also used ones when they become free. Any
 * thread; asked only when connections are opened, closed or waited for.
 */
final class ConnectionBudget {
  /** What a pool wants that has clients waiting. */
  enum Want {
    NOTHING,
    /** What others do not need. */
    MORE,
    /** What others have beyond their share. */
    SHARE
  }

  /** The connections of one event loop. */
  interface Member {
    /** There may be one more now. Any thread. */
    void budgetChanged();

    /** Another one needs what this does not use. Any thread. */
    void askedForUnused();
  }

  private final int loops;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger wanting = new AtomicInteger();
  private final AtomicInteger wantingShare = new AtomicInteger();
  private final List<Member> pools = new CopyOnWriteArrayList<>();

  /**
   * @param loops number of event loops
   */
  ConnectionBudget(int loops) {
    this.loops = loops;
  }

  void join(Member pool) {
    pools.add(pool);
  }

  void leave(Member pool) {
    pools.remove(pool);
  }

  /** What each loop can be sure of: at least one, even if the size is smaller than that. */
  int share(int size) {
    return Math.max(1, size / loops);
  }

  private int limit(int size) {
    return Math.max(size, loops);
  }

  /**
   * One more connection.
   *
   * @param held how many the asking pool has
   * @param size for all loops together
   */
  boolean tryTake(int held, int size) {
    if (held >= share(size) && wantingShare.get() > 0) {
      return false;
    }
    int now = taken.get();
    while (now < limit(size)) {
      if (taken.compareAndSet(now, now + 1)) {
        return true;
      }
      now = taken.get();
    }
    return false;
  }

  /** One less. */
  void giveBack() {
    taken.decrementAndGet();
    if (isWanted()) {
      pools.forEach(Member::budgetChanged);
    }
  }

  /** The size has been made smaller. */
  boolean isOver(int size) {
    return taken.get() > limit(size);
  }

  boolean isWanted() {
    return wanting.get() > 0;
  }

  boolean isShareWanted() {
    return wantingShare.get() > 0;
  }

  void change(Want before, Want now) {
    count(before, -1);
    count(now, 1);
  }

  private void count(Want want, int difference) {
    if (want != Want.NOTHING) {
      wanting.addAndGet(difference);
    }
    if (want == Want.SHARE) {
      wantingShare.addAndGet(difference);
    }
  }

  /** Asks the other loops for what they do not use. */
  void askFor(Member needy) {
    for (Member pool : pools) {
      if (!pool.equals(needy)) {
        pool.askedForUnused();
      }
    }
  }
}
