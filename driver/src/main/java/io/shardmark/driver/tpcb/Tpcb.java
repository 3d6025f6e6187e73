package io.shardmark.driver.tpcb;

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

/** pgbench's transactions, which go back to TPC-B. */
public final class Tpcb implements Benchmark {
  @Override
  public Identity identity() {
    return new Identity(
        "tpcb", "TPC-B (pgbench)", List.of(TpcbKey.values()), Set.of(DatabaseKind.POSTGRES));
  }

  @Override
  public Scale scale(PropertyReader values) {
    return Scale.shared("branch", TpcbScale.of(values).branches());
  }

  @Override
  public ScriptSet scripts(PropertyReader values) {
    return new ScriptSet(
        key(),
        List.of(layout(values).tableCreates(), "functionCreates"),
        List.of("indexCreates", "buildFinish"),
        List.of("tableDrops", "functionDrops"),
        List.of("tableTruncates"));
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    return TpcbRows.of(TpcbScale.of(values), layout(values));
  }

  private static TpcbLayout layout(PropertyReader values) {
    return values.constant(TpcbKey.TABLES, TpcbLayout.class);
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    return new TpcbConditions(TpcbScale.of(values), TpcbScript.mix(values));
  }

  @Override
  public Workload open(Settings settings) {
    return new TpcbWorkload(settings);
  }
}
