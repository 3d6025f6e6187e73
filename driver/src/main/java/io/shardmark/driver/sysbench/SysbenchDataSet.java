package io.shardmark.driver.sysbench;

import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.Origin;
import io.shardmark.loader.data.RowSource;
import io.shardmark.loader.data.RowWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The rows of {@code sysbench prepare}. A unit is 50,000 rows of a table. */
final class SysbenchDataSet implements DataSet {
  private static final int UNIT_ROWS = 50_000;
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private final SysbenchTables tables;
  private final KeyDistribution keys;
  private final List<DataTable> dataTables;

  /**
   * @param keys from which the values of {@code k} are drawn
   */
  SysbenchDataSet(SysbenchTables tables, KeyDistribution keys) {
    this.tables = tables;
    this.keys = keys;
    dataTables =
        IntStream.rangeClosed(1, tables.count())
            .mapToObj(
                table ->
                    DataTable.of("sbtest" + table, "sbtest" + table + ".csv", "id:i k:i c:t pad:t"))
            .toList();
  }

  @Override
  public String size() {
    return sizeOf(tables);
  }

  private static String sizeOf(SysbenchTables tables) {
    return "%d tables of %d rows".formatted(tables.count(), tables.size());
  }

  @Override
  public Map<String, String> parameters() {
    return Map.of(
        "tables", Integer.toString(tables.count()), "tableSize", Integer.toString(tables.size()));
  }

  /** The last rows are loaded at the end of the last table. */
  @Override
  public Optional<String> loadedSize(Connection connection) throws SQLException {
    SysbenchTables loaded =
        new SysbenchTables(
            tables.count(), tables.largestId(connection, tables.count()), tables.hasIndexOnK());
    return Optional.of(sizeOf(loaded));
  }

  @Override
  public Optional<String> lastKeyedTable() {
    return Optional.of("sbtest" + tables.count());
  }

  @Override
  public String namePrefix() {
    return "sbtest";
  }

  @Override
  public List<DataTable> tables() {
    return dataTables;
  }

  private int unitsPerTable() {
    return (tables.size() - 1) / UNIT_ROWS + 1;
  }

  @Override
  public int unitCount() {
    return tables.count() * unitsPerTable();
  }

  @Override
  public LoadUnit unit(int number) {
    int table = number / unitsPerTable();
    int part = number % unitsPerTable();
    return new LoadUnit(
        number, "sbtest%d %d".formatted(table + 1, part + 1), 0, List.of(dataTables.get(table)));
  }

  @Override
  public long expectedRows(int firstUnit, int endUnit) {
    long rows = 0;
    for (int unit = firstUnit; unit < endUnit; unit++) {
      rows += lastId(unit) - firstId(unit) + 1;
    }
    return rows;
  }

  private int firstId(int unit) {
    return unit % unitsPerTable() * UNIT_ROWS + 1;
  }

  private int lastId(int unit) {
    return Math.min(tables.size(), firstId(unit) - 1 + UNIT_ROWS);
  }

  @Override
  public String partitionName(int partition) {
    return "Tables";
  }

  @Override
  public RowSource rows(Origin origin) {
    DigitGroups digits = new DigitGroups();
    return (unit, table, out) -> write(unit.number(), origin.seed(), digits, out);
  }

  private int write(int unit, long seed, DigitGroups digits, RowWriter out) {
    SplittableRandom random = new SplittableRandom(seed * 31 + (unit + 1) * GOLDEN_GAMMA);
    int first = firstId(unit);
    int last = lastId(unit);
    for (int id = first; id <= last; id++) {
      out.startRow();
      out.int32(id);
      out.int32(keys.next(random));
      digits.fill(random, DigitGroups.C_LENGTH);
      out.text(digits.bytes(), 0, DigitGroups.C_LENGTH);
      digits.fill(random, DigitGroups.PAD_LENGTH);
      out.text(digits.bytes(), 0, DigitGroups.PAD_LENGTH);
    }
    return last - first + 1;
  }
}
