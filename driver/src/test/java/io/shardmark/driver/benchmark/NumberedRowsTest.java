package io.shardmark.driver.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.Origin;
import io.shardmark.loader.data.RowSource;
import io.shardmark.loader.data.RowWriter;
import io.shardmark.loader.writer.CsvEncoder;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class NumberedRowsTest {
  private final List<NumberedRows.Range> made = new ArrayList<>();

  private NumberedRows rows(NumberedRows.NumberedTable... parts) {
    return new NumberedRows(
        "some",
        Map.of(),
        "t",
        List.of(parts),
        10,
        "Rows",
        connection -> "some",
        origin -> (range, out) -> made.add(range));
  }

  private static NumberedRows.NumberedTable part(String table, int rows) {
    return new NumberedRows.NumberedTable(DataTable.of(table, table + ".csv", "id:i"), rows);
  }

  @Test
  void unitsAreRangesOfOneTableAfterTheOther() {
    NumberedRows data = rows(part("ta", 20), part("tb", 1), part("tc", 25));

    assertThat(data.unitCount()).isEqualTo(6);
    assertThat(unitNames(data)).containsExactly("ta 1", "ta 2", "tb 1", "tc 1", "tc 2", "tc 3");
    assertThat(write(data)).containsExactly(10, 10, 1, 10, 10, 5);
    assertThat(made)
        .containsExactly(
            new NumberedRows.Range(0, 0, 1, 10),
            new NumberedRows.Range(1, 0, 11, 20),
            new NumberedRows.Range(2, 1, 1, 1),
            new NumberedRows.Range(3, 2, 1, 10),
            new NumberedRows.Range(4, 2, 11, 20),
            new NumberedRows.Range(5, 2, 21, 25));
    assertThat(data.expectedRows(0, 6)).isEqualTo(46);
    assertThat(data.expectedRows(2, 4)).isEqualTo(11);
  }

  @Test
  void aTableWithoutRowsHasAUnitWithoutRows() {
    NumberedRows data = rows(part("ta", 0), part("tb", 3));

    assertThat(unitNames(data)).containsExactly("ta 1", "tb 1");
    assertThat(write(data)).containsExactly(0, 3);
    assertThat(data.expectedRows(0, 1)).isZero();
  }

  @Test
  void theLargestTableEndsAtTheLargestInteger() {
    NumberedRows data = rows(part("ta", Integer.MAX_VALUE));

    assertThat(data.expectedRows(data.unitCount() - 1, data.unitCount())).isEqualTo(7);
  }

  private static List<String> unitNames(NumberedRows data) {
    List<String> names = new ArrayList<>();
    for (int unit = 0; unit < data.unitCount(); unit++) {
      names.add(data.unit(unit).name());
    }
    return names;
  }

  private static List<Integer> write(NumberedRows data) {
    RowSource source = data.rows(new Origin(9, LocalDateTime.of(2020, 1, 1, 0, 0)));
    RowWriter unused = new CsvEncoder((block, offset, length) -> {}, "", 8192);
    List<Integer> counts = new ArrayList<>();
    for (int number = 0; number < data.unitCount(); number++) {
      LoadUnit unit = data.unit(number);
      counts.add(source.write(unit, unit.tables().get(0), unused));
    }
    return counts;
  }
}
