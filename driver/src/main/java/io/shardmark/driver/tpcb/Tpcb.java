package io.shardmark.driver.tpcb;

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

/** pgbench's transactions, which go back to TPC-B. */
public final class Tpcb implements Benchmark {
  static final String KEY = "tpcb";
  static final String TITLE = "TPC-B (pgbench)";

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
    return List.of(TpcbKey.values());
  }

  @Override
  public Set<DatabaseKind> databases() {
    return Set.of(DatabaseKind.POSTGRES);
  }

  @Override
  public Scale scale(PropertyReader values) {
    return Scale.shared("branch", TpcbScale.of(values).branches());
  }

  @Override
  public ScriptSet scripts(PropertyReader values) {
    return new ScriptSet(
        KEY,
        List.of("tableCreates", "functionCreates"),
        List.of("indexCreates", "buildFinish"),
        List.of("tableDrops", "functionDrops"),
        List.of("tableTruncates"));
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    return new TpcbDataSet(TpcbScale.of(values));
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    return new TpcbConditions(TpcbScale.of(values), TpcbMix.of(values));
  }

  @Override
  public Workload open(Settings settings) {
    return new TpcbWorkload(settings);
  }
}
