package io.shardmark.proxy.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Adds up the loops' numbers at each scrape and gives them Prometheus' form. */
final class CounterCollector implements MultiCollector {
  private final ProxyMetrics metrics;

  CounterCollector(ProxyMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public MetricSnapshots collect() {
    List<MetricSnapshot> snapshots = new ArrayList<>();
    snapshots.addAll(loopCounters());
    snapshots.addAll(loopGauges());
    snapshots.addAll(shardCounters());
    snapshots.addAll(shardGauges());
    snapshots.addAll(timers());
    snapshots.addAll(background());
    BackgroundRunner runner = metrics.tasks();
    if (runner != null) {
      snapshots.addAll(tasks(runner));
    }
    return new MetricSnapshots(snapshots);
  }

  private List<MetricSnapshot> loopCounters() {
    Map<String, CounterSnapshot.Builder> families = new LinkedHashMap<>();
    for (LoopCounter counter : LoopCounter.values()) {
      families
          .computeIfAbsent(
              counter.family(), name -> CounterSnapshot.builder().name(name).help(counter.help()))
          .dataPoint(
              CounterSnapshot.CounterDataPointSnapshot.builder()
                  .labels(labels(counter.label(), counter.value()))
                  .value((double) metrics.sum(loop -> loop.get(counter)))
                  .build());
    }
    return families.values().stream().map(CounterSnapshot.Builder::build).collect(asSnapshots());
  }

  private List<MetricSnapshot> loopGauges() {
    return Arrays.stream(LoopGauge.values())
        .map(gauge -> gauge(gauge.family(), gauge.help(), metrics.sum(loop -> loop.get(gauge))))
        .collect(asSnapshots());
  }

  private List<MetricSnapshot> shardCounters() {
    List<MetricSnapshot> snapshots = new ArrayList<>();
    for (ShardCounter counter : ShardCounter.values()) {
      CounterSnapshot.Builder family =
          CounterSnapshot.builder().name(counter.family()).help(counter.help());
      for (int index = 0; index < metrics.shards().size(); index++) {
        int shard = index;
        family.dataPoint(
            CounterSnapshot.CounterDataPointSnapshot.builder()
                .labels(Labels.of("shard", metrics.shards().get(shard)))
                .value(metrics.sum(loop -> loop.get(shard, counter)) * counter.scale())
                .build());
      }
      snapshots.add(family.build());
    }
    return snapshots;
  }

  private List<MetricSnapshot> shardGauges() {
    GaugeSnapshot.Builder servers =
        GaugeSnapshot.builder().name("shardmark_servers").help("Server connections by state");
    GaugeSnapshot.Builder waiting =
        GaugeSnapshot.builder()
            .name("shardmark_clients_waiting")
            .help("Clients waiting for a server connection");
    for (int index = 0; index < metrics.shards().size(); index++) {
      int shard = index;
      String name = metrics.shards().get(shard);
      for (ShardGauge gauge : ShardGauge.values()) {
        boolean server = !gauge.state().isEmpty();
        (server ? servers : waiting)
            .dataPoint(
                GaugeSnapshot.GaugeDataPointSnapshot.builder()
                    .labels(
                        server
                            ? Labels.of("shard", name, "state", gauge.state())
                            : Labels.of("shard", name))
                    .value((double) metrics.sum(loop -> loop.get(shard, gauge)))
                    .build());
      }
    }
    return List.of(servers.build(), waiting.build());
  }

  private List<MetricSnapshot> timers() {
    Map<String, HistogramSnapshot.Builder> families = new LinkedHashMap<>();
    for (LoopTimer timer : LoopTimer.values()) {
      families
          .computeIfAbsent(
              timer.family(), name -> HistogramSnapshot.builder().name(name).help(timer.help()))
          .dataPoint(histogram(timer));
    }
    return families.values().stream().map(HistogramSnapshot.Builder::build).collect(asSnapshots());
  }

  private HistogramSnapshot.HistogramDataPointSnapshot histogram(LoopTimer timer) {
    long[] counts = new long[Histogram.BOUNDED + 1];
    double sum = 0;
    for (LoopCounters loop : metrics.loops()) {
      Histogram histogram = loop.histogram(timer);
      sum += histogram.sumSeconds();
      for (int bucket = 0; bucket < counts.length; bucket++) {
        counts[bucket] += histogram.count(bucket);
      }
    }
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    for (int bucket = 0; bucket < counts.length; bucket++) {
      buckets.bucket(Histogram.boundSeconds(bucket), counts[bucket]);
    }
    return HistogramSnapshot.HistogramDataPointSnapshot.builder()
        .classicHistogramBuckets(buckets.build())
        .sum(sum)
        .labels(labels(timer.phase().isEmpty() ? "" : "phase", timer.phase()))
        .build();
  }

  private List<MetricSnapshot> background() {
    BackgroundCounters counters = metrics.background();
    CounterSnapshot recovered =
        CounterSnapshot.builder()
            .name("shardmark_recovered_transactions")
            .help("Prepared transactions finished by recovery")
            .dataPoint(point("outcome", "committed", counters.recoveredCommittedCount()))
            .dataPoint(point("outcome", "rolled_back", counters.recoveredRolledBackCount()))
            .build();
    return List.of(
        recovered,
        gauge(
            "shardmark_transactions_in_doubt",
            "Prepared transactions without decision at the last look",
            counters.inDoubt()),
        counter(
            "shardmark_recovery_failures",
            "Recovery attempts that failed",
            counters.recoveryFailureCount()),
        counter(
            "shardmark_deadlocks_broken",
            "Deadlocks over several shards that were broken",
            counters.deadlocksBrokenCount()),
        counter(
            "shardmark_plans_made",
            "Statements planned that the plan cache did not have",
            metrics.plansMade()),
        counter("shardmark_catalog_reads", "Looks at the catalogs", counters.catalogRefreshCount()),
        counter(
            "shardmark_catalog_failures",
            "Looks at the catalogs in which a shard did not answer",
            counters.catalogFailureCount()));
  }

  private static List<MetricSnapshot> tasks(BackgroundRunner runner) {
    CounterSnapshot.Builder runs =
        CounterSnapshot.builder()
            .name("shardmark_background_runs")
            .help("Runs of background tasks, failed ones included");
    CounterSnapshot.Builder failures =
        CounterSnapshot.builder()
            .name("shardmark_background_failures")
            .help("Runs of background tasks that ended with an unexpected error")
            .dataPoint(point("task", "work for others", runner.handedOverFailures()));
    GaugeSnapshot.Builder success =
        GaugeSnapshot.builder()
            .name("shardmark_background_since_success_seconds")
            .help("Time since a background task last succeeded");
    for (BackgroundTask.State task : runner.states()) {
      runs.dataPoint(point("task", task.name(), task.runs()));
      failures.dataPoint(point("task", task.name(), task.failures()));
      success.dataPoint(
          GaugeSnapshot.GaugeDataPointSnapshot.builder()
              .labels(labels("task", task.name()))
              .value(task.sinceSuccess().toMillis() / 1e3)
              .build());
    }
    return List.of(runs.build(), failures.build(), success.build());
  }

  private static CounterSnapshot counter(String name, String help, long value) {
    return CounterSnapshot.builder().name(name).help(help).dataPoint(point("", "", value)).build();
  }

  private static CounterSnapshot.CounterDataPointSnapshot point(
      String label, String labelValue, long value) {
    return CounterSnapshot.CounterDataPointSnapshot.builder()
        .labels(labels(label, labelValue))
        .value((double) value)
        .build();
  }

  private static GaugeSnapshot gauge(String name, String help, long value) {
    return GaugeSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(GaugeSnapshot.GaugeDataPointSnapshot.builder().value((double) value).build())
        .build();
  }

  private static Labels labels(String name, String value) {
    return name.isEmpty() ? Labels.EMPTY : Labels.of(name, value);
  }

  private static java.util.stream.Collector<MetricSnapshot, ?, List<MetricSnapshot>> asSnapshots() {
    return Collectors.toList();
  }
}
