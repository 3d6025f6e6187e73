package io.shardmark.driver.tpcc.input;

/**
 * The shard of each warehouse, if the database names it: what makes a transaction distributed.
 * Without it every warehouse counts as its own partition. Immutable.
 */
public final class WarehouseShards {
  /** Nothing is known of shards. */
  public static final WarehouseShards UNKNOWN = new WarehouseShards(new int[0], 0);

  private final int[] shardOf;
  private final int count;

  private WarehouseShards(int[] shardOf, int count) {
    this.shardOf = shardOf;
    this.count = count;
  }

  /**
   * @param shardOf shard of warehouse w at index w; index 0 is not used
   * @param count how many shards there are, those without a warehouse included
   */
  public static WarehouseShards of(int[] shardOf, int count) {
    return new WarehouseShards(shardOf.clone(), count);
  }

  public boolean areKnown() {
    return count > 0;
  }

  /** How many shards; 0 if that is not known. */
  public int count() {
    return count;
  }

  /** Index of the shard of a warehouse; only if the shards are known. */
  public int shardOf(int warehouseId) {
    return shardOf[warehouseId];
  }

  /** True if a transaction on both warehouses touches more than one partition of the data. */
  boolean areApart(int warehouseId, int otherWarehouseId) {
    return areKnown()
        ? shardOf[warehouseId] != shardOf[otherWarehouseId]
        : warehouseId != otherWarehouseId;
  }
}
