package io.shardmark.proxy.server;

import io.shardmark.proxy.execution.Planner;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.routing.MapPlans;
import io.shardmark.proxy.routing.PlanCache;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.SimpleStatement;
import io.shardmark.proxy.shardmap.ShardMap;
import java.util.List;
import java.util.function.Supplier;

/** Plans with the current shard map. One for each event loop; the cache is shared. */
final class RoutingPlanner implements Planner {
  private final PlanCache cache;
  private final Supplier<ShardMap> live;
  private final LoopCounters counters;

  /** Of the map that was looked at last. */
  private MapPlans plans;

  RoutingPlanner(PlanCache cache, Supplier<ShardMap> map, LoopCounters counters) {
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

  @Override
  public ShardMap map() {
    return plans().map();
  }

  @Override
  public Planner over(ShardMap other) {
    return new RoutingPlanner(cache.apart(), () -> other, counters);
  }

  @Override
  public List<SimpleStatement> simple(String text, List<String> searchPath) {
    List<SimpleStatement> planned = plans().planSimple(text, searchPath);
    counters.add(LoopCounter.PLAN_LOOKUPS, planned.size());
    return planned;
  }

  @Override
  public PlannedStatement extended(String text, List<String> searchPath) {
    counters.count(LoopCounter.PLAN_LOOKUPS);
    return plans().planParse(text, searchPath);
  }
}
