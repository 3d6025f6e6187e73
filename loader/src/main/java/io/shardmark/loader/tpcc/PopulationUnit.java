package io.shardmark.loader.tpcc;

import io.shardmark.loader.data.LoadUnit;
import java.util.List;

/**
 * A piece of the population that is generated, written and committed as a whole. Smaller than a
 * warehouse, so that all workers share a load of one warehouse.
 *
 * @param kind which tables it fills
 * @param warehouse 1 .. warehouses; 0 for items, which belong to no warehouse
 * @param chunk 1 .. {@code kind.chunks()}: the district of customers and orders, else a range of
 *     item ids
 */
public record PopulationUnit(UnitKind kind, int warehouse, int chunk) {
  /** Item ids, and so stock rows of a warehouse (TPC-C 4.3.3.1). */
  public static final int ITEMS = 100_000;

  /** Districts of a warehouse. */
  public static final int DISTRICTS = 10;

  /** Customers, and so orders, of a district. */
  public static final int CUSTOMERS = 3_000;

  /** The first order of a district that is not delivered: TPC-C 4.3.3.1 has 900 open orders. */
  public static final int FIRST_OPEN_ORDER = 2_101;

  /** Units of one warehouse. */
  public static final int PER_WAREHOUSE =
      UnitKind.WAREHOUSE.chunks
          + UnitKind.STOCK.chunks
          + UnitKind.CUSTOMER.chunks
          + UnitKind.ORDER.chunks;

  /** What a unit holds. */
  public enum UnitKind {
    ITEM(5, PopulationTable.ITEM),
    WAREHOUSE(1, PopulationTable.WAREHOUSE, PopulationTable.DISTRICT),
    STOCK(5, PopulationTable.STOCK),
    CUSTOMER(DISTRICTS, PopulationTable.CUSTOMER, PopulationTable.HISTORY),
    ORDER(DISTRICTS, PopulationTable.ORDER, PopulationTable.ORDER_LINE, PopulationTable.NEW_ORDER);

    private final int chunks;

    // The list is unmodifiable and holds enum constants.
    @SuppressWarnings("ImmutableEnumChecker")
    private final List<PopulationTable> tables;

    UnitKind(int chunks, PopulationTable... tables) {
      this.chunks = chunks;
      this.tables = List.of(tables);
    }

    /** Units of this kind in a warehouse; for items: in the database. */
    public int chunks() {
      return chunks;
    }
  }

  public PopulationUnit {
    if (chunk < 1 || chunk > kind.chunks || (kind == UnitKind.ITEM) != (warehouse == 0)) {
      throw new IllegalArgumentException("no unit %s %d/%d".formatted(kind, warehouse, chunk));
    }
  }

  /**
   * The unit of a warehouse by its place: the warehouse row first, then stock, customers, orders.
   *
   * @param index 0 .. {@link #PER_WAREHOUSE} - 1
   */
  public static PopulationUnit ofWarehouse(int warehouse, int index) {
    int left = index;
    for (UnitKind kind : UnitKind.values()) {
      if (kind == UnitKind.ITEM) {
        continue;
      }
      if (left < kind.chunks) {
        return new PopulationUnit(kind, warehouse, left + 1);
      }
      left -= kind.chunks;
    }
    throw new IllegalArgumentException("unit " + index + " of a warehouse");
  }

  /** As the loader's engine knows it. */
  LoadUnit loadUnit(int number) {
    return new LoadUnit(
        number,
        "%s %d %d".formatted(kind, warehouse, chunk),
        warehouse,
        kind.tables.stream().map(PopulationTable::table).toList());
  }

  /** First item id of a chunk of items or stock. */
  int firstItem() {
    return (chunk - 1) * (ITEMS / kind.chunks) + 1;
  }

  /** Last item id of a chunk of items or stock. */
  int lastItem() {
    return chunk * (ITEMS / kind.chunks);
  }
}
