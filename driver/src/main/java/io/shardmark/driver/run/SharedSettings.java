package io.shardmark.driver.run;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.ResultConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.recorder.ResultBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What must be alike in all drivers of a run, by key and as it is in effect. How the database is
 * reached is not among it: drivers may use different addresses of one database.
 */
final class SharedSettings {
  private SharedSettings() {}

  static Map<String, String> of(BenchmarkProperties properties, Benchmark benchmark) {
    RunConfig run = Settings.whole(benchmark, properties).run();
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("workload", benchmark.title());
    settings.put("drivers", Integer.toString(properties.drivers().count()));
    ConnectionConfig connection = properties.connection();
    settings.put("db", connection.database().propertyName());
    settings.put("isolation", connection.isolation().toString());
    settings.put("statementTimeoutSecs", Long.toString(connection.statementTimeout().toSeconds()));
    run.own().forEach((name, value) -> settings.put(name, value.toString()));
    settings.put("terminals", Integer.toString(run.terminals()));
    settings.put("connections", Integer.toString(run.connections()));
    settings.put("runMins", properties.text("runMins").orElse(""));
    settings.put("rampupMins", run.rampUp().toString());
    settings.put("retries", Integer.toString(run.retries()));
    settings.put("seed", run.seedDrawn() ? "(not set)" : Long.toString(run.seed()));
    ResultBuilder.pacing(run.pacing())
        .forEach((name, value) -> settings.put(name, value.toString()));
    ResultConfig result = properties.result();
    settings.put("resultRows", result.rows().toString());
    settings.put("resultSampleEvery", Integer.toString(result.sampleEvery()));
    return settings;
  }
}
