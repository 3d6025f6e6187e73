package io.shardmark.driver.replication;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.driver.benchmark.RowText;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.Origin;
import io.shardmark.loader.data.RowSource;
import io.shardmark.loader.data.RowWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The rows as inserts of a run would leave them, dealt to the lanes of each table. */
final class ReplicationDataSet implements DataSet {
  /** Whole transactions, of about so many rows. */
  private static final int UNIT_ROWS = 20_000;

  private final Layout layout;
  private final List<DataTable> tables;

  ReplicationDataSet(Layout layout) {
    this.layout = layout;
    // c10 is left to its default, the day.
    tables =
        IntStream.range(0, layout.tables())
            .mapToObj(Layout::name)
            .map(
                name ->
                    DataTable.of(
                        name, name + ".csv", "c1:i c2:t c3:i c4:t c5:t c6:t c7:t c8:t c9:i"))
            .toList();
  }

  @Override
  public String size() {
    return sizeOf(layout.rows());
  }

  private String sizeOf(long rows) {
    return "%d %s of %d rows"
        .formatted(layout.tables(), layout.tables() == 1 ? "table" : "tables", rows);
  }

  @Override
  public Map<String, String> parameters() {
    return Map.of(
        "tables", Integer.toString(layout.tables()),
        "rows", Integer.toString(layout.rows()),
        "statementsPerCommit", Integer.toString(layout.statements()),
        "textWidth", Integer.toString(layout.width()));
  }

  @Override
  public Optional<String> loadedSize(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*) FROM " + Layout.name(layout.tables() - 1))) {
      row.next();
      return Optional.of(sizeOf(row.getLong(1)));
    }
  }

  @Override
  public Optional<String> lastKeyedTable() {
    return Optional.of(Layout.name(layout.tables() - 1));
  }

  @Override
  public String namePrefix() {
    return "t";
  }

  @Override
  public List<DataTable> tables() {
    return tables;
  }

  private int groupsOfUnit() {
    return Math.max(1, UNIT_ROWS / layout.statements());
  }

  private int unitsPerTable() {
    return Math.max(1, (groups() - 1) / groupsOfUnit() + 1);
  }

  private int groups() {
    return layout.rows() / layout.statements();
  }

  @Override
  public int unitCount() {
    return layout.tables() * unitsPerTable();
  }

  @Override
  public LoadUnit unit(int number) {
    DataTable table = tables.get(number / unitsPerTable());
    return new LoadUnit(
        number, "%s %d".formatted(table.name(), number % unitsPerTable() + 1), 0, List.of(table));
  }

  @Override
  public long expectedRows(int firstUnit, int endUnit) {
    long rows = 0;
    for (int unit = firstUnit; unit < endUnit; unit++) {
      rows += (long) (endGroup(unit) - firstGroup(unit)) * layout.statements();
    }
    return rows;
  }

  private int firstGroup(int unit) {
    return unit % unitsPerTable() * groupsOfUnit();
  }

  private int endGroup(int unit) {
    return Math.min(groups(), firstGroup(unit) + groupsOfUnit());
  }

  @Override
  public String partitionName(int partition) {
    return "Tables";
  }

  @Override
  public RowSource rows(Origin origin) {
    return (unit, table, out) -> write(unit.number(), out);
  }

  private int write(int unit, RowWriter out) {
    int table = unit / unitsPerTable();
    for (int group = firstGroup(unit); group < endGroup(unit); group++) {
      int lane = table + group % layout.lanesOf(table) * layout.tables();
      int first = group / layout.lanesOf(table) * layout.statements();
      for (int i = 0; i < layout.statements(); i++) {
        row(Layout.id(lane, first + i), Layout.id(lane, first), first + i + 1, out);
      }
    }
    return (endGroup(unit) - firstGroup(unit)) * layout.statements();
  }

  private void row(int id, int first, int ordinal, RowWriter out) {
    byte[] digits = RowText.digits(id).getBytes(US_ASCII);
    out.startRow();
    out.int32(id);
    out.text(digits, 0, digits.length);
    out.int32(first);
    for (int column = 4; column <= 6; column++) {
      byte[] text = layout.text(id, column).getBytes(US_ASCII);
      out.text(text, 0, text.length);
    }
    out.text(digits, 0, digits.length);
    out.text(digits, 0, digits.length);
    out.int32(ordinal);
  }
}
