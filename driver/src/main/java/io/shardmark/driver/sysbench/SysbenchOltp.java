package io.shardmark.driver.sysbench;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.data.DataSet;
import io.shardmark.sql.script.ScriptSet;
import java.util.List;
import java.util.Set;

/** The OLTP tests of sysbench. */
public final class SysbenchOltp implements Benchmark {
  @Override
  public Identity identity() {
    return new Identity(
        "sysbench-oltp",
        "sysbench OLTP",
        List.of(SysbenchKey.values()),
        Set.of(DatabaseKind.POSTGRES));
  }

  @Override
  public Scale scale(PropertyReader values) {
    return Scale.shared("table", values.integer(SysbenchKey.TABLES));
  }

  @Override
  public ScriptSet scripts(PropertyReader values) {
    SysbenchTables tables = SysbenchTables.of(values);
    return new ScriptSet(
        key(),
        List.of("tableCreates"),
        tables.hasIndexOnK()
            ? List.of("indexCreates", "secondaryIndexCreates", "buildFinish")
            : List.of("indexCreates", "buildFinish"),
        List.of("tableDrops"),
        List.of("tableTruncates"),
        tables.count());
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    SysbenchTables tables = SysbenchTables.of(values);
    return SysbenchRows.of(tables, KeyDistribution.of(values, tables.size()));
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    return new SysbenchConditions(SysbenchTables.of(values));
  }

  @Override
  public Workload open(Settings settings) {
    return new SysbenchWorkload(settings);
  }
}
