package io.shardmark.loader;

import io.shardmark.loader.data.LoadUnit;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deals the units of a plan out to the workers and knows which partitions are under way. */
final class UnitQueue {
  private final UnitPlan plan;
  private final LoadListener listener;
  private final Map<Integer, Integer> remaining = new HashMap<>();
  private int nextNumber;
  private int completed;

  UnitQueue(UnitPlan plan, LoadListener listener) {
    this.plan = plan;
    this.listener = listener;
  }

  /** The next unit, or null if all are taken. */
  synchronized @Nullable LoadUnit take(int worker) {
    int number = plan.next(nextNumber);
    if (number < 0) {
      return null;
    }
    nextNumber = number + 1;
    LoadUnit unit = plan.unit(number);
    if (!remaining.containsKey(unit.partition())) {
      remaining.put(unit.partition(), plan.remaining(number));
      listener.partitionStarted(worker, plan.partitionName(unit.partition()));
    }
    return unit;
  }

  synchronized void completed(int worker, LoadUnit unit, long rows) {
    completed++;
    listener.rowsDone(rows);
    int left = remaining.merge(unit.partition(), -1, Integer::sum);
    if (left == 0) {
      listener.partitionDone(worker, plan.partitionName(unit.partition()));
      remaining.remove(unit.partition());
    }
  }

  /** Units that this run has completed. */
  synchronized int completed() {
    return completed;
  }
}
