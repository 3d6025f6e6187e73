package io.shardmark.loader.tpcc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.loader.data.RowWriter;

/**
 * Makes the rows of TPC-C 4.3.3.1, block by block. Belongs to one thread; allocates nothing per
 * row. The rows are BenchmarkSQL's except for its faults: {@code c_delivery_cnt} is 0, as the
 * specification has it, and {@code hist_id} does not overflow.
 */
public final class RowGenerator {
  static final int STREAM_CONSTANTS = 100;

  private final Population population;
  private final BlockRandom random = new BlockRandom();
  private final RandomText text = new RandomText(random);
  private final CustomerRows customers;
  private final OrderRows orders;

  public RowGenerator(Population population) {
    this.population = population;
    customers = new CustomerRows(population, random, text);
    orders = new OrderRows(population, random, text);
  }

  /**
   * Writes the rows that a unit has in one of its tables.
   *
   * @return the number of rows written
   */
  public int write(PopulationUnit unit, PopulationTable table, RowWriter out) {
    random.reset(population.seed(), table.stream(), unit.warehouse(), unit.chunk());
    return switch (table) {
      case CONFIG -> throw new IllegalArgumentException("configuration is no part of a unit");
      case ITEM -> items(unit, out);
      case WAREHOUSE -> warehouse(unit.warehouse(), out);
      case DISTRICT -> districts(unit.warehouse(), out);
      case STOCK -> stock(unit, out);
      case CUSTOMER -> customers.customers(unit, out);
      case HISTORY -> customers.history(unit, out);
      case ORDER -> orders.orders(unit, out);
      case ORDER_LINE -> orders.lines(unit, out);
      case NEW_ORDER -> orders.newOrders(unit, out);
    };
  }

  /** Writes the rows of {@code bmsql_config}: the scale and the constants of NURand. */
  public int writeConfig(RowWriter out) {
    config(out, "warehouses", population.warehouses());
    config(out, "nURandCLast", population.nonUniformCLast());
    config(out, "nURandCC_ID", population.nonUniformCCustomerId());
    config(out, "nURandCI_ID", population.nonUniformCItemId());
    return 4;
  }

  private static void config(RowWriter out, String name, int value) {
    out.startRow();
    ascii(out, name);
    ascii(out, Integer.toString(value));
  }

  private static void ascii(RowWriter out, String value) {
    byte[] bytes = value.getBytes(US_ASCII);
    out.text(bytes, 0, bytes.length);
  }

  private int items(PopulationUnit unit, RowWriter out) {
    for (int item = unit.firstItem(); item <= unit.lastItem(); item++) {
      out.startRow();
      out.int32(item);
      text.alphanumeric(out, 14, 24);
      out.decimal(random.uniform(1_00, 100_00), 2);
      text.data(out);
      out.int32(random.uniform(1, 10_000));
    }
    return unit.lastItem() - unit.firstItem() + 1;
  }

  private int warehouse(int warehouse, RowWriter out) {
    out.startRow();
    out.int32(warehouse);
    out.decimal(300_000_00, 2);
    out.decimal(random.uniform(0, 2_000), 4);
    text.alphanumeric(out, 6, 10);
    address(out, text);
    return 1;
  }

  private int districts(int warehouse, RowWriter out) {
    for (int district = 1; district <= PopulationUnit.DISTRICTS; district++) {
      out.startRow();
      out.int32(district);
      out.int32(warehouse);
      out.decimal(30_000_00, 2);
      out.decimal(random.uniform(0, 2_000), 4);
      out.int32(PopulationUnit.CUSTOMERS + 1);
      text.alphanumeric(out, 6, 10);
      address(out, text);
    }
    return PopulationUnit.DISTRICTS;
  }

  private int stock(PopulationUnit unit, RowWriter out) {
    for (int item = unit.firstItem(); item <= unit.lastItem(); item++) {
      out.startRow();
      out.int32(item);
      out.int32(unit.warehouse());
      out.int32(random.uniform(10, 100));
      out.int32(0);
      out.int32(0);
      out.int32(0);
      text.data(out);
      for (int district = 1; district <= PopulationUnit.DISTRICTS; district++) {
        text.alphanumeric(out, 24, 24);
      }
    }
    return unit.lastItem() - unit.firstItem() + 1;
  }

  /** Streets, city, state and zip, as warehouses, districts and customers have them. */
  static void address(RowWriter out, RandomText text) {
    text.alphanumeric(out, 10, 20);
    text.alphanumeric(out, 10, 20);
    text.alphanumeric(out, 10, 20);
    text.state(out);
    text.zip(out);
  }
}
