package io.shardmark.loader.tpcc;

import io.shardmark.loader.data.RowWriter;

/** Orders of a district, their lines, and the entries of those that are not delivered. */
final class OrderRows {
  private static final int STREAM_LINE_COUNTS = 101;

  private final BlockRandom random;
  private final RandomText text;
  private final long seed;
  private final long loadTimeMicros;
  // Another stream, because orders and their lines are written in separate passes.
  private final BlockRandom lineCounts = new BlockRandom();
  private final int[] customers = new int[PopulationUnit.CUSTOMERS];

  OrderRows(Population population, BlockRandom random, RandomText text) {
    this.random = random;
    this.text = text;
    seed = population.seed();
    loadTimeMicros = population.loadTimeMicros();
  }

  int orders(PopulationUnit unit, RowWriter out) {
    startLineCounts(unit);
    permuteCustomers();
    for (int order = 1; order <= PopulationUnit.CUSTOMERS; order++) {
      out.startRow();
      out.int32(order);
      out.int32(unit.warehouse());
      out.int32(unit.chunk());
      out.int32(customers[order - 1]);
      if (order < PopulationUnit.FIRST_OPEN_ORDER) {
        out.int32(random.uniform(1, 10));
      } else {
        out.nullValue();
      }
      out.int32(nextLineCount());
      out.int32(1);
      out.timestamp(loadTimeMicros);
    }
    return PopulationUnit.CUSTOMERS;
  }

  int lines(PopulationUnit unit, RowWriter out) {
    startLineCounts(unit);
    int rows = 0;
    for (int order = 1; order <= PopulationUnit.CUSTOMERS; order++) {
      int count = nextLineCount();
      for (int number = 1; number <= count; number++) {
        line(unit, order, number, out);
      }
      rows += count;
    }
    return rows;
  }

  private void line(PopulationUnit unit, int order, int number, RowWriter out) {
    boolean delivered = order < PopulationUnit.FIRST_OPEN_ORDER;
    out.startRow();
    out.int32(unit.warehouse());
    out.int32(unit.chunk());
    out.int32(order);
    out.int32(number);
    out.int32(random.uniform(1, PopulationUnit.ITEMS));
    if (delivered) {
      out.timestamp(loadTimeMicros);
      out.decimal(0, 2);
    } else {
      out.nullValue();
      out.decimal(random.uniform(1, 9_999_99), 2);
    }
    out.int32(unit.warehouse());
    out.int32(5);
    text.alphanumeric(out, 24, 24);
  }

  int newOrders(PopulationUnit unit, RowWriter out) {
    for (int order = PopulationUnit.FIRST_OPEN_ORDER; order <= PopulationUnit.CUSTOMERS; order++) {
      out.startRow();
      out.int32(unit.warehouse());
      out.int32(unit.chunk());
      out.int32(order);
    }
    return PopulationUnit.CUSTOMERS - PopulationUnit.FIRST_OPEN_ORDER + 1;
  }

  private void startLineCounts(PopulationUnit unit) {
    lineCounts.reset(seed, STREAM_LINE_COUNTS, unit.warehouse(), unit.chunk());
  }

  /** TPC-C 4.3.3.1: O_OL_CNT is random within [5 .. 15]. */
  private int nextLineCount() {
    return lineCounts.uniform(5, 15);
  }

  /** TPC-C 4.3.3.1: O_C_ID is taken from a random permutation of the customers (Fisher-Yates). */
  private void permuteCustomers() {
    for (int i = 0; i < customers.length; i++) {
      int j = random.uniform(0, i);
      customers[i] = customers[j];
      customers[j] = i + 1;
    }
  }
}
