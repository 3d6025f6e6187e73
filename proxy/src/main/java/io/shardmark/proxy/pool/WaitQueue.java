package io.shardmark.proxy.pool;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Clients that wait for a connection, in the order in which they are served: first come, first
 * served, but before all others those who hold connections to other shards meanwhile, which others
 * may wait for. These cannot starve the rest: nobody becomes one of them without a first
 * connection.
 */
final class WaitQueue {
  /** A waiter, and since when it waits, by {@link PoolPlace#nanoTime}. */
  record WaitingClient(PoolWaiter waiter, long sinceNanos) {}

  private final Map<PoolWaiter, Long> holders = new LinkedHashMap<>();
  private final Map<PoolWaiter, Long> others = new LinkedHashMap<>();

  boolean isEmpty() {
    return holders.isEmpty() && others.isEmpty();
  }

  /** Whether one of those waits who hold other connections. */
  boolean hasHolder() {
    return !holders.isEmpty();
  }

  int size() {
    return holders.size() + others.size();
  }

  void add(PoolWaiter waiter, long nowNanos) {
    (waiter.holder() == null ? others : holders).put(waiter, nowNanos);
  }

  /** Whether it waited. */
  boolean remove(PoolWaiter waiter) {
    return others.remove(waiter) != null || holders.remove(waiter) != null;
  }

  private Map<PoolWaiter, Long> next() {
    return holders.isEmpty() ? others : holders;
  }

  /** Who is served next, and stays in; only if not empty. */
  PoolWaiter first() {
    return next().keySet().iterator().next();
  }

  /** Takes out who is served next; only if not empty. */
  WaitingClient poll() {
    Iterator<Map.Entry<PoolWaiter, Long>> all = next().entrySet().iterator();
    Map.Entry<PoolWaiter, Long> first = all.next();
    all.remove();
    return new WaitingClient(first.getKey(), first.getValue());
  }

  /** Takes out all who have waited since then or longer. */
  List<WaitingClient> pollSince(long nanos) {
    List<WaitingClient> late = new ArrayList<>();
    for (Map<PoolWaiter, Long> each : List.of(holders, others)) {
      for (Iterator<Map.Entry<PoolWaiter, Long>> i = each.entrySet().iterator(); i.hasNext(); ) {
        Map.Entry<PoolWaiter, Long> oldest = i.next();
        if (oldest.getValue() - nanos > 0) {
          break;
        }
        i.remove();
        late.add(new WaitingClient(oldest.getKey(), oldest.getValue()));
      }
    }
    return late;
  }

  /** Of those who hold other connections the first, if it has waited since then or longer. */
  @Nullable PoolWaiter firstHolder(long sinceNanos) {
    for (Map.Entry<PoolWaiter, Long> first : holders.entrySet()) {
      return first.getValue() - sinceNanos > 0 ? null : first.getKey();
    }
    return null;
  }
}
