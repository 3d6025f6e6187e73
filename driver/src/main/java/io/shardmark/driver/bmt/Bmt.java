package io.shardmark.driver.bmt;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.Key;
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

/** The BMT: single-row operations on one table of wide rows. */
public final class Bmt implements Benchmark {
  static final String TITLE = "BMT";
  private static final String KEY = "bmt";

  @Override
  public String key() {
    return KEY;
  }

  @Override
  public String title() {
    return TITLE;
  }

  @Override
  public List<? extends Key> keys() {
    return List.of(BmtKey.values());
  }

  @Override
  public Set<DatabaseKind> databases() {
    return Set.of(DatabaseKind.POSTGRES);
  }

  @Override
  public Scale scale(PropertyReader values) {
    return Scale.shared("row", BmtKey.rows(values));
  }

  @Override
  public ScriptSet scripts(PropertyReader values) {
    return new ScriptSet(
        KEY,
        List.of("tableCreates"),
        List.of("indexCreates", "buildFinish"),
        List.of("tableDrops"),
        List.of("tableTruncates"));
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    return new BmtDataSet(BmtKey.rows(values), values.integer(BmtKey.STATEMENTS_PER_COMMIT));
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    return new BmtConditions(values.integer(BmtKey.STATEMENTS_PER_COMMIT));
  }

  @Override
  public Workload open(Settings settings) {
    return new BmtWorkload(settings);
  }
}
