package io.shardmark.driver.isolation;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.NumberedRows;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.verify.Condition;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.sql.jdbc.FirstValue;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Appends to lists and reads of them, judged by the anomalies that their history has. */
public final class IsolationBenchmark implements Benchmark {
  static final String TABLE_NAME = "isolation_list";
  private static final DataTable TABLE =
      DataTable.of(TABLE_NAME, TABLE_NAME + ".csv", "id:i vals:t");
  private static final int UNIT_ROWS = 10_000;

  @Override
  public Identity identity() {
    return new Identity(
        "isolation",
        "Isolation",
        List.of(IsolationKey.values()),
        Set.of(DatabaseKind.POSTGRES, DatabaseKind.MYSQL, DatabaseKind.MARIADB));
  }

  @Override
  public Scale scale(PropertyReader values) {
    return Scale.shared("list", values.integer(IsolationKey.LISTS));
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    int lists = values.integer(IsolationKey.LISTS);
    return new NumberedRows(
        lists + " lists",
        Map.of("lists", Integer.toString(lists)),
        TABLE_NAME,
        List.of(new NumberedRows.NumberedTable(TABLE, lists)),
        UNIT_ROWS,
        "Lists",
        connection ->
            FirstValue.number(connection, "SELECT count(*) FROM " + TABLE_NAME) + " lists",
        origin ->
            (range, out) -> {
              for (int id = range.first(); id <= range.last(); id++) {
                out.startRow();
                out.int32(id);
                out.text(new byte[0], 0, 0);
              }
            });
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    return new Conditions() {
      @Override
      public String table() {
        return TABLE_NAME;
      }

      @Override
      public List<Condition> all(DatabaseKind kind) {
        return List.of(
            Condition.always(
                "lists",
                "each list is empty or ends with the comma after its last value",
                2,
                1,
                "SELECT id, vals FROM isolation_list WHERE vals <> '' AND vals NOT LIKE '%,'"));
      }
    };
  }

  @Override
  public Workload open(Settings settings) {
    return new IsolationWorkload(settings);
  }
}
