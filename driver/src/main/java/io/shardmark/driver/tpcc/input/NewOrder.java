package io.shardmark.driver.tpcc.input;

import io.shardmark.driver.benchmark.TransactionType;

/**
 * Input of a New-Order, TPC-C 2.4.1. Lines are in the order the terminal shows them; {@code
 * bySupplyAndItem} lists their positions sorted by supplying warehouse and item, the order in which
 * stock rows are locked.
 *
 * @param warehouseId home warehouse
 * @param districtId 1 .. 10
 * @param customerId 1 .. 3000
 * @param itemIds item of each line; the last one is unused by the population if {@code rollback}
 * @param supplyWarehouseIds supplying warehouse of each line
 * @param quantities 1 .. 10, of each line
 * @param bySupplyAndItem positions of the lines in locking order
 * @param rollback true for the one order in a hundred that ends on an unused item (2.4.1.4)
 * @param remoteLines lines whose supplying warehouse is not the home warehouse
 * @param isDistributed true if a supplying warehouse is in another partition of the data
 */
@SuppressWarnings(
    "ArrayRecordComponent") // drawn once, never compared; four arrays instead of fifteen objects
public record NewOrder(
    int warehouseId,
    int districtId,
    int customerId,
    int[] itemIds,
    int[] supplyWarehouseIds,
    int[] quantities,
    int[] bySupplyAndItem,
    boolean rollback,
    int remoteLines,
    boolean isDistributed)
    implements TpccInput {
  /** TPC-C 2.4.1.3. */
  public static final int MAX_LINES = 15;

  /**
   * An order whose locking order and remote lines are worked out from its lines. The arrays become
   * the order's own.
   */
  public static NewOrder of(
      int warehouseId,
      int districtId,
      int customerId,
      int[] itemIds,
      int[] supplyWarehouseIds,
      int[] quantities,
      boolean rollback,
      WarehouseShards shards) {
    int remoteLines = 0;
    boolean distributed = false;
    for (int supplyWarehouseId : supplyWarehouseIds) {
      remoteLines += supplyWarehouseId == warehouseId ? 0 : 1;
      distributed |= shards.areApart(warehouseId, supplyWarehouseId);
    }
    return new NewOrder(
        warehouseId,
        districtId,
        customerId,
        itemIds,
        supplyWarehouseIds,
        quantities,
        lockingOrder(supplyWarehouseIds, itemIds),
        rollback,
        remoteLines,
        distributed);
  }

  /** Insertion sort: at most 15 lines, and no boxing. Equal keys keep the order of the screen. */
  private static int[] lockingOrder(int[] supplies, int[] items) {
    int[] order = new int[items.length];
    for (int line = 0; line < order.length; line++) {
      int at = line;
      while (at > 0 && isBefore(supplies, items, line, order[at - 1])) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = line;
    }
    return order;
  }

  private static boolean isBefore(int[] supplies, int[] items, int line, int other) {
    return supplies[line] != supplies[other]
        ? supplies[line] < supplies[other]
        : items[line] < items[other];
  }

  public int lineCount() {
    return itemIds.length;
  }

  @Override
  public TransactionType type() {
    return TpccType.NEW_ORDER.type();
  }

  @Override
  public void countInto(long[] counters) {
    counters[TpccAudit.TRANSACTIONS]++;
    counters[TpccAudit.NEW_ORDERS]++;
    counters[TpccAudit.NEW_ORDER_LINES] += lineCount();
    counters[TpccAudit.NEW_ORDER_REMOTE_LINES] += remoteLines;
    if (rollback) {
      counters[TpccAudit.NEW_ORDER_ROLLBACKS]++;
    }
  }
}
