package io.shardmark.driver.benchmark;

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
import java.util.function.Function;

/**
 * A data set whose tables each have rows numbered from 1. A unit is a range of one table's rows.
 *
 * @param parts the tables, in the order of the load; the last one gets its primary key last
 * @param unitRows rows of a unit; a table's last unit may have fewer
 * @param partition what the lines of a load call the rows
 * @param loaded asks for the size of what is loaded
 * @param makers a new maker of rows, for one thread
 */
public record NumberedRows(
    String size,
    Map<String, String> parameters,
    String namePrefix,
    List<NumberedTable> parts,
    int unitRows,
    String partition,
    LoadedSize loaded,
    Function<Origin, RowMaker> makers)
    implements DataSet {
  /** A table and how many rows it has. */
  public record NumberedTable(DataTable table, int rows) {}

  /** See {@link DataSet#loadedSize}. */
  @FunctionalInterface
  public interface LoadedSize {
    String ask(Connection connection) throws SQLException;
  }

  /**
   * The rows of a unit.
   *
   * @param unit its number
   * @param part index of its table
   * @param first number of its first row
   * @param last number of its last row; below {@code first} if it has none
   */
  public record Range(int unit, int part, int first, int last) {
    int count() {
      return last - first + 1;
    }
  }

  /** Writes all rows of a range. */
  @FunctionalInterface
  public interface RowMaker {
    void write(Range range, RowWriter out);
  }

  public NumberedRows {
    parameters = Map.copyOf(parameters);
    parts = List.copyOf(parts);
  }

  @Override
  public List<DataTable> tables() {
    return parts.stream().map(NumberedTable::table).toList();
  }

  private int units(NumberedTable part) {
    return (part.rows - 1) / unitRows + 1;
  }

  @Override
  public int unitCount() {
    return parts.stream().mapToInt(this::units).sum();
  }

  private Range range(int unit) {
    int inPart = unit;
    int part = 0;
    while (inPart >= units(parts.get(part))) {
      inPart -= units(parts.get(part++));
    }
    int last = (int) Math.min(parts.get(part).rows, (inPart + 1L) * unitRows);
    return new Range(unit, part, inPart * unitRows + 1, last);
  }

  @Override
  public LoadUnit unit(int number) {
    Range range = range(number);
    DataTable table = parts.get(range.part).table;
    String name = "%s %d".formatted(table.name(), (range.first - 1) / unitRows + 1);
    return new LoadUnit(number, name, 0, List.of(table));
  }

  @Override
  public long expectedRows(int firstUnit, int endUnit) {
    long rows = 0;
    for (int unit = firstUnit; unit < endUnit; unit++) {
      rows += range(unit).count();
    }
    return rows;
  }

  @Override
  public String partitionName(int number) {
    return partition;
  }

  @Override
  public Optional<String> loadedSize(Connection connection) throws SQLException {
    return Optional.of(loaded.ask(connection));
  }

  @Override
  public RowSource rows(Origin origin) {
    RowMaker maker = makers.apply(origin);
    return (unit, table, out) -> {
      Range range = range(unit.number());
      maker.write(range, out);
      return range.count();
    };
  }
}
