package io.shardmark.driver.run;

import io.shardmark.config.AdversityConfig;
import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.IdleConfig;
import io.shardmark.config.LiveConfig;
import io.shardmark.config.Processors;
import io.shardmark.config.ResultConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.adversity.EventRunner;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.inventory.BuiltKeys;
import io.shardmark.driver.inventory.Inventory;
import io.shardmark.driver.judge.Threshold;
import io.shardmark.driver.judge.Thresholds;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.terminal.TerminalRun;
import io.shardmark.loader.data.DataSet;
import io.shardmark.sql.script.ScriptSet;
import io.shardmark.sql.shards.Sharding;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a run's properties decide, checked.
 *
 * @param properties as they were read
 * @param acid tests after the interval; empty if none were asked for
 * @param failOn conditions that the run is judged by
 */
record RunPlan(
    BenchmarkProperties properties,
    ResultConfig result,
    LiveConfig live,
    IdleConfig idle,
    AdversityConfig adversity,
    Benchmark benchmark,
    Settings settings,
    Workload workload,
    Optional<AcidTests> acid,
    List<Threshold> failOn,
    int runId) {

  /**
   * @param agreed what several drivers agreed on; null for one alone
   * @throws io.shardmark.config.ConfigException if a key cannot be used
   */
  static RunPlan of(BenchmarkProperties properties, @Nullable Settings agreed, int runId) {
    Benchmark benchmark = Benchmarks.of(properties);
    Settings settings = agreed == null ? Settings.of(benchmark, properties) : agreed;
    ResultConfig result = properties.result();
    LiveConfig live = properties.live();
    IdleConfig idle = properties.idle();
    AdversityConfig adversity = properties.adversity();
    checkEvents(properties, adversity);
    Workload workload = benchmark.open(settings);
    return new RunPlan(
        properties,
        result,
        live,
        idle,
        adversity,
        benchmark,
        settings,
        workload,
        properties.testsAcid() ? Optional.of(AcidRound.tests(properties)) : Optional.empty(),
        failOn(properties, result.failOn().orElse(Thresholds.DEFAULT), workload),
        runId);
  }

  /** The place of the key is put before what is wrong with it, as below. */
  private static void checkEvents(BenchmarkProperties properties, AdversityConfig adversity) {
    try {
      EventRunner.check(adversity.events());
    } catch (ConfigException e) {
      throw properties.located(e);
    }
  }

  /** The place of the key is put before what is wrong with it. */
  private static List<Threshold> failOn(
      BenchmarkProperties properties, String conditions, Workload workload) {
    try {
      return Thresholds.parse(
          conditions,
          workload.types().stream().map(TransactionType::name).toList(),
          workload.metrics().stream().map(MetricRule::name).toList());
    } catch (ConfigException e) {
      throw properties.located(e);
    }
  }

  RunConfig config() {
    return settings.run();
  }

  Processors processors() {
    return properties.processors();
  }

  int workers() {
    return TerminalRun.workerCount(workload, config());
  }

  /**
   * What is the benchmark's in the database.
   *
   * @param sharding which decides the scripts that made it
   */
  Inventory.InventoryScope scope(Optional<Sharding> sharding) {
    if (!benchmark.hasTables()) {
      return new Inventory.InventoryScope("", "", Set.of(), workload.headlineCount());
    }
    ScriptSet scripts = benchmark.scripts(settings.values());
    DatabaseKind kind = settings.connection().database();
    DataSet data = benchmark.dataSet(settings.values());
    return new Inventory.InventoryScope(
        data.namePrefix(),
        data.journalTable(),
        BuiltKeys.of(scripts, DatabaseBuild.locator(Path.of(""), kind, scripts, sharding)),
        workload.headlineCount());
  }
}
