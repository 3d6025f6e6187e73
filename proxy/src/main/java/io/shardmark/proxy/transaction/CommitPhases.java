package io.shardmark.proxy.transaction;

import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.LoopTimer;
import org.jspecify.annotations.Nullable;

/** Measures the phases of one commit over several shards, of which one at a time is under way. */
final class CommitPhases {
  private final LoopCounters counters;
  private @Nullable LoopTimer phase;
  private long beginNanos;

  CommitPhases(LoopCounters counters) {
    this.counters = counters;
  }

  /** The present phase; entered once for each of its shards. */
  void enter(LoopTimer next) {
    if (phase != next) {
      end();
      phase = next;
      beginNanos = System.nanoTime();
    }
  }

  /** There is none any more. */
  void end() {
    LoopTimer over = phase;
    if (over != null) {
      counters.record(over, System.nanoTime() - beginNanos);
      phase = null;
    }
  }
}
