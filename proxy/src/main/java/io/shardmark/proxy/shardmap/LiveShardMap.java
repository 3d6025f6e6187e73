package io.shardmark.proxy.shardmap;

import java.util.function.Supplier;

/**
 * The current shard map. Any thread reads, without lock; the catalog's thread publishes. A session
 * reads it once for a statement and goes on with what it got.
 */
public final class LiveShardMap implements Supplier<ShardMap> {
  private volatile ShardMap map;

  /** By {@link System#nanoTime}. */
  private volatile long changedNanos = System.nanoTime();

  public LiveShardMap(ShardMap first) {
    this.map = first;
  }

  @Override
  public ShardMap get() {
    return map;
  }

  /** Makes this the current map. */
  public void publish(ShardMap newer) {
    changedNanos = System.nanoTime(); // before any standby is asked for the tables of the map
    map = newer;
  }

  /** A standby that does not show what was committed before that time may not have its tables. */
  public long changedNanos() {
    return changedNanos;
  }
}
