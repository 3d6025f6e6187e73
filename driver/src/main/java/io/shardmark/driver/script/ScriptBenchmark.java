package io.shardmark.driver.script;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.data.DataSet;
import io.shardmark.sql.script.ScriptSet;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Transactions of the user's own, in pgbench's syntax, on the user's own tables. */
public final class ScriptBenchmark implements Benchmark {
  @Override
  public Identity identity() {
    return new Identity(
        "script", "Custom SQL", List.of(ScriptMix.VARIABLES), EnumSet.allOf(DatabaseKind.class));
  }

  @Override
  public Scale scale(PropertyReader values) {
    return Scale.shared("scale unit", ScriptMix.of(values).scale());
  }

  @Override
  public Map<String, Object> inEffect(Settings settings) {
    ScriptMix mix = ScriptMix.of(settings.values());
    Map<String, Object> files = new LinkedHashMap<>();
    mix.parts()
        .forEach(
            part ->
                files.put(
                    part.type().name(),
                    "weight %d, CRC-32 %s".formatted(part.weight(), part.checksum())));
    Map<String, Object> inEffect = new LinkedHashMap<>();
    inEffect.put("scripts", files);
    inEffect.put(
        ScriptMix.VARIABLES.key(),
        settings.values().text(ScriptMix.VARIABLES).orElse(ScriptMix.VARIABLES.missing()));
    return inEffect;
  }

  @Override
  public void check(PropertyReader values) {
    ScriptMix.of(values);
  }

  @Override
  public boolean hasTables() {
    return false;
  }

  @Override
  public ScriptSet scripts(PropertyReader values) {
    return new ScriptSet(key(), List.of(), List.of(), List.of(), List.of());
  }

  @Override
  public DataSet dataSet(PropertyReader values) {
    throw noTables();
  }

  @Override
  public Conditions conditions(PropertyReader values) {
    throw noTables();
  }

  private static ConfigException noTables() {
    return new ConfigException(
        "workload=script: the tables are yours: there is nothing to build, load, destroy or verify");
  }

  @Override
  public Workload open(Settings settings) {
    return new ScriptWorkload(settings);
  }
}
