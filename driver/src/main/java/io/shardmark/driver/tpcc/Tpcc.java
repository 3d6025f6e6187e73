package io.shardmark.driver.tpcc;

import io.shardmark.config.Key;
import io.shardmark.config.PropertyReader;
import io.shardmark.config.TpccKey;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.tpcc.conditions.TpccConditions;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.tpcc.TpccDataSet;
import io.shardmark.sql.script.ScriptSet;
import io.shardmark.sql.script.ScriptStep;
import java.util.List;

/** TPC-C on BenchmarkSQL's schema. */
public final class Tpcc implements Benchmark {
  @Override
  public String key() {
    return "tpcc";
  }

  @Override
  public String title() {
    return TpccWorkload.NAME;
  }

  @Override
  public List<? extends Key> keys() {
    return List.of(TpccKey.values());
  }

  @Override
  public Scale scale(PropertyReader values) {
    int warehouses = values.requiredInteger(TpccKey.WAREHOUSES);
    int from = values.integer(TpccKey.WAREHOUSE_FROM, 1, warehouses, 1);
    int to = values.integer(TpccKey.WAREHOUSE_TO, from, warehouses, warehouses);
    return Scale.divided("warehouse", warehouses, from, to);
  }

  @Override
  public ScriptSet scripts(PropertyReader values) {
    return ScriptStep.scripts();
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    Scale scale = scale(values);
    return new TpccDataSet(scale.size(), scale.from(), scale.to());
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    return new TpccConditions();
  }

  @Override
  public Workload open(Settings settings) {
    return new TpccWorkload(settings.run(), settings.connection().database());
  }
}
