package io.shardmark.proxy.metrics;

import io.shardmark.proxy.background.BackgroundRunner;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** All numbers of this process. Any thread. */
public final class ProxyMetrics {
  private final List<String> shards;
  private final List<LoopCounters> loops = new CopyOnWriteArrayList<>();
  private final BackgroundCounters background = new BackgroundCounters();
  private volatile LongSupplier plansMade = () -> 0;
  private volatile @Nullable BackgroundRunner tasks;

  /**
   * @param shards names, in the order of their indexes
   */
  public ProxyMetrics(List<String> shards) {
    this.shards = List.copyOf(shards);
  }

  /** The counters of one more event loop. */
  public LoopCounters newLoop() {
    LoopCounters counters = new LoopCounters(shards.size());
    loops.add(counters);
    return counters;
  }

  /** What background threads count. */
  public BackgroundCounters background() {
    return background;
  }

  /**
   * Where the number of plans is asked, which all loops make together.
   *
   * @param count how many were made since the start; any thread
   */
  public void countPlansBy(LongSupplier count) {
    plansMade = count;
  }

  /** Whose tasks are shown. */
  public void showTasks(BackgroundRunner runner) {
    tasks = runner;
  }

  @Nullable BackgroundRunner tasks() {
    return tasks;
  }

  /** Statements planned that the plan cache did not have. */
  public long plansMade() {
    return plansMade.getAsLong();
  }

  /** Shard names by index. */
  public List<String> shards() {
    return shards;
  }

  /** One number over all event loops. */
  public long sum(ToLongFunction<LoopCounters> number) {
    return loops.stream().mapToLong(number).sum();
  }

  List<LoopCounters> loops() {
    return List.copyOf(loops);
  }
}
