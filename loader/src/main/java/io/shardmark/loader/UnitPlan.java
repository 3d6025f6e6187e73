package io.shardmark.loader;

import io.shardmark.loader.population.LoadUnit;
import java.util.BitSet;

/**
 * The units a process has to load, in order: items, then warehouse by warehouse. Units have fixed
 * numbers over the whole population, so that nothing but a bit for each is kept. Immutable once
 * built.
 */
final class UnitPlan {
  private static final int ITEM_UNITS = LoadUnit.Kind.ITEM.chunks();

  /** About this many rows has a warehouse: stock, customers, history, orders, lines, the rest. */
  private static final long ROWS_PER_WAREHOUSE = 499_011;

  private final int firstUnit;
  private final int endUnit;
  private final BitSet done;

  /**
   * @param done numbers of the units that an earlier run has completed
   */
  UnitPlan(int warehouseFrom, int warehouseTo, BitSet done) {
    firstUnit = warehouseFrom == 1 ? 0 : ITEM_UNITS + (warehouseFrom - 1) * LoadUnit.PER_WAREHOUSE;
    endUnit = ITEM_UNITS + warehouseTo * LoadUnit.PER_WAREHOUSE;
    this.done = done;
  }

  /** Units of a population of so many warehouses. */
  static int unitsOf(int warehouses) {
    return ITEM_UNITS + warehouses * LoadUnit.PER_WAREHOUSE;
  }

  static LoadUnit unit(int number) {
    if (number < ITEM_UNITS) {
      return new LoadUnit(LoadUnit.Kind.ITEM, 0, number + 1);
    }
    int inWarehouses = number - ITEM_UNITS;
    return LoadUnit.ofWarehouse(
        inWarehouses / LoadUnit.PER_WAREHOUSE + 1, inWarehouses % LoadUnit.PER_WAREHOUSE);
  }

  static int number(LoadUnit unit) {
    if (unit.kind() == LoadUnit.Kind.ITEM) {
      return unit.chunk() - 1;
    }
    return ITEM_UNITS + (unit.warehouse() - 1) * LoadUnit.PER_WAREHOUSE + unit.indexInWarehouse();
  }

  /**
   * The first unit that is to be loaded, from a number on.
   *
   * @return its number, or -1
   */
  int next(int from) {
    int number = done.nextClearBit(Math.max(from, firstUnit));
    return number < endUnit ? number : -1;
  }

  /** How many units of a warehouse are to be loaded; warehouse 0 is the items. */
  int remaining(int warehouse) {
    int first = warehouse == 0 ? 0 : ITEM_UNITS + (warehouse - 1) * LoadUnit.PER_WAREHOUSE;
    int units = warehouse == 0 ? ITEM_UNITS : LoadUnit.PER_WAREHOUSE;
    return units - done.get(first, first + units).cardinality();
  }

  int total() {
    return endUnit - firstUnit;
  }

  int alreadyDone() {
    return done.get(firstUnit, endUnit).cardinality();
  }

  long expectedRows() {
    long warehouseUnits = (long) endUnit - Math.max(firstUnit, ITEM_UNITS);
    long rows = warehouseUnits / LoadUnit.PER_WAREHOUSE * ROWS_PER_WAREHOUSE;
    rows += firstUnit == 0 ? LoadUnit.ITEMS : 0;
    return rows * (total() - alreadyDone()) / Math.max(1, total());
  }
}
