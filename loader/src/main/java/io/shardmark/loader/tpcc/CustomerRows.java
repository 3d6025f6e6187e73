package io.shardmark.loader.tpcc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.loader.data.RowWriter;

/** Customers of a district and the history row that each has. */
final class CustomerRows {
  private static final byte[] GOOD_CREDIT = "GC".getBytes(US_ASCII);
  private static final byte[] BAD_CREDIT = "BC".getBytes(US_ASCII);
  private static final byte[] MIDDLE_NAME = "OE".getBytes(US_ASCII);

  private final BlockRandom random;
  private final RandomText text;
  private final long loadTimeMicros;
  private final int nonUniformCLast;

  CustomerRows(Population population, BlockRandom random, RandomText text) {
    this.random = random;
    this.text = text;
    loadTimeMicros = population.loadTimeMicros();
    nonUniformCLast = population.nonUniformCLast();
  }

  int customers(PopulationUnit unit, RowWriter out) {
    for (int customer = 1; customer <= PopulationUnit.CUSTOMERS; customer++) {
      out.startRow();
      out.int32(customer);
      out.int32(unit.chunk());
      out.int32(unit.warehouse());
      out.decimal(random.uniform(0, 5_000), 4);
      // TPC-C 4.3.3.1: C_CREDIT is GC, for one customer in ten, drawn at random, BC.
      out.text(random.uniform(1, 10) == 1 ? BAD_CREDIT : GOOD_CREDIT, 0, 2);
      byte[] lastName = LastName.bytes(lastNameNumber(customer));
      out.text(lastName, 0, lastName.length);
      text.alphanumeric(out, 8, 16);
      out.decimal(50_000_00, 2);
      out.decimal(-10_00, 2);
      out.decimal(10_00, 2);
      out.int32(1);
      // TPC-C 4.3.3.1: C_DELIVERY_CNT is 0. BenchmarkSQL writes 1 into databases and 0 into files.
      out.int32(0);
      RowGenerator.address(out, text);
      text.digits(out, 16);
      out.timestamp(loadTimeMicros);
      out.text(MIDDLE_NAME, 0, 2);
      text.alphanumeric(out, 300, 500);
    }
    return PopulationUnit.CUSTOMERS;
  }

  /**
   * TPC-C 4.3.3.1, C_LAST: each of the 1,000 names once for the first 1,000 customers, NURand(255,
   * 0, 999) for the others.
   */
  private int lastNameNumber(int customer) {
    return customer <= 1_000
        ? customer - 1
        : random.nonUniform(NonUniform.LAST_NAME_A, nonUniformCLast, 0, 999);
  }

  int history(PopulationUnit unit, RowWriter out) {
    long before =
        (unit.warehouse() - 1L) * PopulationUnit.DISTRICTS * PopulationUnit.CUSTOMERS
            + (unit.chunk() - 1L) * PopulationUnit.CUSTOMERS;
    for (int customer = 1; customer <= PopulationUnit.CUSTOMERS; customer++) {
      out.startRow();
      out.int32(Math.toIntExact(before + customer));
      out.int32(customer);
      out.int32(unit.chunk());
      out.int32(unit.warehouse());
      out.int32(unit.chunk());
      out.int32(unit.warehouse());
      out.timestamp(loadTimeMicros);
      out.decimal(10_00, 2);
      text.alphanumeric(out, 12, 24);
    }
    return PopulationUnit.CUSTOMERS;
  }
}
