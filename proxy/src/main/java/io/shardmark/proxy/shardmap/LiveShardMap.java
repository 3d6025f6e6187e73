package io.shardmark.proxy.shardmap;

import java.util.function.Supplier;

/**
 * The current shard map. Any thread reads, without lock; the catalog's thread publishes. A session
 * reads it once for a statement and goes on with what it got.
 */
public final class LiveShardMap implements Supplier<ShardMap> {
  private volatile ShardMap map;

  public LiveShardMap(ShardMap first) {
    this.map = first;
  }

  @Override
  public ShardMap get() {
    return map;
  }

  /** Makes this the current map. */
  public void publish(ShardMap newer) {
    map = newer;
  }
}
