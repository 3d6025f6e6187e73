package io.shardmark.proxy.execution;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.routing.MapPlans;
import io.shardmark.proxy.routing.PlanCache;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.SimpleStatement;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;
import java.util.function.Supplier;

/**
 * From texts to plans, with the current shard map. One for each event loop, to which it belongs;
 * the cache is shared, and what it gives is immutable.
 */
public final class ExecutionPlanner {
  private final PlanCache cache;
  private final Supplier<ShardMap> live;
  private final LoopCounters counters;

  /** Of the map that was looked at last. */
  private MapPlans plans;

  public ExecutionPlanner(PlanCache cache, Supplier<ShardMap> map, LoopCounters counters) {
    this.counters = counters;
    this.cache = cache;
    this.live = map;
    this.plans = cache.of(map.get());
  }

  @SuppressWarnings("ReferenceEquality") // a map is one object; to compare its content costs much
  private MapPlans plans() {
    ShardMap now = live.get();
    if (plans.map() != now) {
      plans = cache.of(now);
    }
    return plans;
  }

  /** What plans are made for now. */
  public ShardMap map() {
    return plans().map();
  }

  /** Which schemas there are now. */
  public Schemas schemas() {
    return map().schemas();
  }

  /** Changes whenever plans made before may be wrong. */
  public long version() {
    return map().version();
  }

  /** Plans over another map, for one session; its plans are kept apart. */
  public ExecutionPlanner over(ShardMap other) {
    return new ExecutionPlanner(cache.apart(), () -> other, counters);
  }

  /**
   * The statements of a Query message, in order; none if it is empty.
   *
   * @param searchPath schemas in which unqualified names are looked up
   */
  public List<SimpleStatement> simple(String text, List<String> searchPath) {
    List<SimpleStatement> planned = plans().planSimple(text, searchPath);
    counters.add(LoopCounter.PLAN_LOOKUPS, planned.size());
    return planned;
  }

  /** The statement of a Parse message. */
  public PlannedStatement extended(String text, List<String> searchPath) {
    counters.count(LoopCounter.PLAN_LOOKUPS);
    return plans().planParse(text, searchPath);
  }
}
