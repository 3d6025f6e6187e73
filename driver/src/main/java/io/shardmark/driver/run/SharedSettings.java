package io.shardmark.driver.run;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.ResultConfig;
import io.shardmark.config.RunConfig;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What must be alike in all drivers of a run, by key and as it is in effect. How the database is
 * reached is not among it: drivers may use different addresses of one database.
 */
final class SharedSettings {
  private SharedSettings() {}

  static Map<String, String> of(BenchmarkProperties properties, String workload) {
    RunConfig run = properties.wholeRun();
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("workload", workload);
    settings.put("drivers", Integer.toString(properties.drivers().count()));
    ConnectionConfig connection = properties.connection();
    settings.put("db", connection.database().propertyName());
    settings.put("isolation", connection.isolation().toString());
    settings.put("statementTimeoutSecs", Long.toString(connection.statementTimeout().toSeconds()));
    settings.put("statementProfile", run.statementProfile().propertyName());
    settings.put("warehouses", Integer.toString(run.warehouses()));
    settings.put("terminals", Integer.toString(run.terminals()));
    settings.put("connections", Integer.toString(run.connections()));
    settings.put("runMins", properties.text("runMins").orElse(""));
    settings.put("rampupMins", run.rampUp().toString());
    settings.put("terminalWarehouseFixed", Boolean.toString(run.fixedWarehouse()));
    settings.put("retries", Integer.toString(run.retries()));
    settings.put("newOrderRemotePercent", Double.toString(run.newOrderRemotePercent()));
    settings.put("paymentRemotePercent", Double.toString(run.paymentRemotePercent()));
    settings.put("seed", run.seedDrawn() ? "(not set)" : Long.toString(run.seed()));
    settings.put("newOrderWeight", Double.toString(run.mix().newOrder()));
    settings.put("paymentWeight", Double.toString(run.mix().payment()));
    settings.put("orderStatusWeight", Double.toString(run.mix().orderStatus()));
    settings.put("deliveryWeight", Double.toString(run.mix().delivery()));
    settings.put("stockLevelWeight", Double.toString(run.mix().stockLevel()));
    addPacing(settings, run.pacing());
    ResultConfig result = properties.result();
    settings.put("resultRows", result.rows().toString());
    settings.put("resultSampleEvery", Integer.toString(result.sampleEvery()));
    return settings;
  }

  private static void addPacing(Map<String, String> settings, PacingConfig pacing) {
    settings.put("keyingTimeMultiplier", Double.toString(pacing.keyingTimeMultiplier()));
    settings.put("thinkTimeMultiplier", Double.toString(pacing.thinkTimeMultiplier()));
    settings.put("limitTxnsPerMin", Integer.toString(pacing.limitTxnsPerMin()));
    settings.put("limitPacing", pacing.limitPacing().propertyName());
    settings.put("openLoopTxnsPerMin", Integer.toString(pacing.openLoopTxnsPerMin()));
    settings.put("rampupDelay", pacing.rampupDelay().toString());
  }
}
