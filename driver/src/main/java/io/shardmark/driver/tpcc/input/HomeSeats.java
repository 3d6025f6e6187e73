package io.shardmark.driver.tpcc.input;

import io.shardmark.loader.tpcc.PopulationUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * Where terminals sit. Without shards they fill the warehouses in turn, then the next district of
 * each, so that every warehouse has its share. With shards they take turns over the shards first,
 * so that every shard has the same number of terminals however few warehouses it has. Immutable.
 */
public final class HomeSeats {
  private final List<List<Integer>> groups;

  private HomeSeats(List<List<Integer>> groups) {
    this.groups = List.copyOf(groups);
  }

  /**
   * A terminal's home.
   *
   * @param warehouseId home warehouse
   * @param districtId 1 .. 10
   */
  public record Seat(int warehouseId, int districtId) {}

  /**
   * @param warehouseFrom first home warehouse of this process
   * @param warehouseTo last one
   */
  public static HomeSeats of(int warehouseFrom, int warehouseTo, WarehouseShards shards) {
    List<List<Integer>> groups = new ArrayList<>();
    for (int shard = 0; shard < Math.max(1, shards.count()); shard++) {
      groups.add(new ArrayList<>());
    }
    for (int warehouse = warehouseFrom; warehouse <= warehouseTo; warehouse++) {
      groups.get(shards.areKnown() ? shards.shardOf(warehouse) : 0).add(warehouse);
    }
    groups.removeIf(List::isEmpty);
    return new HomeSeats(groups.stream().map(List::copyOf).toList());
  }

  /**
   * @param index of the terminal, from 0
   */
  public Seat seat(int index) {
    List<Integer> warehouses = groups.get(index % groups.size());
    int inGroup = index / groups.size();
    return new Seat(
        warehouses.get(inGroup % warehouses.size()),
        1 + inGroup / warehouses.size() % PopulationUnit.DISTRICTS);
  }
}
