package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.ShardMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Plans by statement text, for all threads: those of the newest shard map are shared. Who plans
 * says with which map, so that no thread is ever given a plan of another map than its own.
 */
public final class PlanCache {
  private final DdlPlanner ddl;
  private final LongAdder made;
  private final AtomicReference<@Nullable MapPlans> newest = new AtomicReference<>();

  /**
   * @param ddl plans what is neither a query nor the session's business
   */
  public PlanCache(DdlPlanner ddl) {
    this(ddl, new LongAdder());
  }

  private PlanCache(DdlPlanner ddl, LongAdder made) {
    this.ddl = ddl;
    this.made = made;
  }

  /** An empty cache for maps that only one session knows; its plans are counted with these. */
  public PlanCache apart() {
    return new PlanCache(ddl, made);
  }

  /** The plans of that map. To be kept as long as the map is used. */
  @SuppressWarnings("ReferenceEquality") // a map is one object; to compare its content costs much
  public MapPlans of(ShardMap map) {
    while (true) {
      MapPlans shared = newest.get();
      if (shared != null && shared.map() == map) {
        return shared;
      }
      MapPlans plans = new MapPlans(new Planner(map, ddl), made);
      boolean isOlder = shared != null && shared.map().version() > map.version();
      if (isOlder || newest.compareAndSet(shared, plans)) {
        return plans; // for an older map they are the caller's alone
      }
    }
  }

  /** How many plans have been made because there was none yet. */
  public long madeCount() {
    return made.sum();
  }
}
