package io.shardmark.driver.sysbench;

import io.shardmark.driver.benchmark.NumberedRows;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.Origin;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The rows of {@code sysbench prepare}. */
final class SysbenchRows {
  private static final int UNIT_ROWS = 50_000;
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private SysbenchRows() {}

  /**
   * @param keys from which the values of {@code k} are drawn
   */
  static DataSet of(SysbenchTables tables, KeyDistribution keys) {
    return new NumberedRows(
        tables.words(tables.size()),
        Map.of(
            "tables",
            Integer.toString(tables.count()),
            "tableSize",
            Integer.toString(tables.size())),
        "sbtest",
        IntStream.rangeClosed(1, tables.count())
            .mapToObj(table -> new NumberedRows.NumberedTable(table(table), tables.size()))
            .toList(),
        UNIT_ROWS,
        "Tables",
        // The last rows are loaded at the end of the last table.
        connection -> tables.words(tables.largestId(connection, tables.count())),
        origin -> maker(origin, keys));
  }

  private static DataTable table(int number) {
    String name = "sbtest" + number;
    return DataTable.of(name, name + ".csv", "id:i k:i c:t pad:t");
  }

  private static NumberedRows.RowMaker maker(Origin origin, KeyDistribution keys) {
    DigitGroups digits = new DigitGroups();
    return (range, out) -> {
      SplittableRandom random =
          new SplittableRandom(origin.seed() * 31 + (range.unit() + 1) * GOLDEN_GAMMA);
      for (int id = range.first(); id <= range.last(); id++) {
        out.startRow();
        out.int32(id);
        out.int32(keys.next(random));
        digits.fill(random, DigitGroups.C_LENGTH);
        out.text(digits.bytes(), 0, DigitGroups.C_LENGTH);
        digits.fill(random, DigitGroups.PAD_LENGTH);
        out.text(digits.bytes(), 0, DigitGroups.PAD_LENGTH);
      }
    };
  }
}
