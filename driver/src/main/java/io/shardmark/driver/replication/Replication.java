package io.shardmark.driver.replication;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.data.DataSet;
import io.shardmark.sql.script.ScriptSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Transactions on a primary, and what its standby has applied of them. */
public final class Replication implements Benchmark {
  @Override
  public Identity identity() {
    return new Identity(
        "replication",
        "Replication",
        List.of(ReplicationKey.values()),
        Set.of(DatabaseKind.POSTGRES));
  }

  @Override
  public Scale scale(PropertyReader values) {
    return Scale.shared("table", TableLayout.of(values).tables());
  }

  /** Where the standby is and how long a run waits says nothing of its figures. */
  @Override
  public Map<String, Object> inEffect(Settings settings) {
    Map<String, Object> inEffect = new LinkedHashMap<>(Benchmark.super.inEffect(settings));
    inEffect.remove(ReplicationKey.STANDBY_CONN.key());
    inEffect.remove(ReplicationKey.DRAIN_SECS.key());
    return inEffect;
  }

  @Override
  public ScriptSet scripts(PropertyReader values) {
    return scripts(TableLayout.of(values));
  }

  static ScriptSet scripts(TableLayout layout) {
    return new ScriptSet(
        "replication",
        List.of(layout.isWide() ? "wideTableCreates" : "narrowTableCreates"),
        List.of(layout.isWide() ? "wideIndexCreates" : "narrowIndexCreates", "buildFinish"),
        List.of("tableDrops"),
        List.of("tableTruncates"),
        layout.tables());
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    return ReplicationRows.of(TableLayout.of(values));
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    return new ReplicationConditions(TableLayout.of(values));
  }

  @Override
  public Workload open(Settings settings) {
    return new ReplicationWorkload(settings);
  }
}
