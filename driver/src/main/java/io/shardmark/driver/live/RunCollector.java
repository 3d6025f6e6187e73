package io.shardmark.driver.live;

import com.sun.management.OperatingSystemMXBean;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.live.LiveState.ConnectionState;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog.ErrorCount;
import io.shardmark.driver.measure.LatencyBuckets;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.LiveFigures.Phase;
import io.shardmark.driver.measure.LiveTotals;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;

/**
 * A run's figures in Prometheus' form, read at each scrape. All counters begin with the terminals,
 * so that they only grow: ramp-up and end are in them, other than in the figures of the run.
 */
final class RunCollector implements MultiCollector {
  private static final String PREFIX = "shardmark_driver_";

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final LiveRun run;
  private final List<TransactionType> types;
  private final LiveTotals totals;

  RunCollector(LiveRun run) {
    this.run = run;
    types = run.facts().types();
    totals = run.totals();
  }

  @Override
  public MetricSnapshots collect() {
    List<MetricSnapshot> snapshots = new ArrayList<>();
    snapshots.add(info());
    snapshots.add(transactions());
    snapshots.add(errors());
    snapshots.add(ofTypes("retries", "Transactions tried again", totals::retries));
    snapshots.add(
        ofTypes(
            "distributed_transactions",
            "Successes that touched more than one partition",
            totals::distributed));
    snapshots.add(latency("response_seconds", "From due to done, of successes", totals::response));
    snapshots.add(
        latency("service_seconds", "From first statement to done, of successes", totals::service));
    snapshots.add(
        HistogramSnapshot.builder()
            .name(PREFIX + "connection_wait_seconds")
            .help("Waits of successes for a connection")
            .dataPoint(histogram(totals.connectionWait(), Labels.EMPTY))
            .build());
    if (totals.partitions() > 0) {
      snapshots.add(shards());
    }
    snapshots.add(
        CounterSnapshot.builder()
            .name("process_cpu_seconds")
            .help("Processor time of this process")
            .dataPoint(
                CounterDataPointSnapshot.builder()
                    .value(Math.max(0, system.getProcessCpuTime()) / 1e9)
                    .build())
            .build());
    addGauges(snapshots);
    return new MetricSnapshots(snapshots);
  }

  private InfoSnapshot info() {
    RunFacts facts = run.facts();
    return InfoSnapshot.builder()
        .name(PREFIX + "run")
        .help("Which run this is")
        .dataPoint(
            InfoSnapshot.InfoDataPointSnapshot.builder()
                .labels(
                    Labels.of(
                        "product", facts.product(),
                        "workload", facts.workload(),
                        "db", facts.database(),
                        "run", Integer.toString(facts.run()),
                        "statement_profile", facts.statementProfile()))
                .build())
        .build();
  }

  private CounterSnapshot transactions() {
    CounterSnapshot.Builder family = counter("transactions", "Transactions by how they ended");
    for (TransactionType type : types) {
      int index = type.index();
      family
          .dataPoint(outcome(type, "committed", totals.count(index, Disposition.COMMITTED)))
          .dataPoint(outcome(type, "rolled_back", totals.count(index, Disposition.ROLLED_BACK)))
          .dataPoint(outcome(type, "failed", totals.errors(index)));
    }
    return family.build();
  }

  private static CounterDataPointSnapshot outcome(
      TransactionType type, String outcome, long count) {
    return point(Labels.of("type", type.name(), "outcome", outcome), count);
  }

  /** Errors raised, also those after which the transaction was tried again. */
  private CounterSnapshot errors() {
    CounterSnapshot.Builder family =
        counter("errors", "Errors raised, those tried again included, by class and SQLSTATE");
    for (ErrorCount error : run.errorLog().counts()) {
      String state = error.errorClass().sqlState();
      family.dataPoint(
          point(
              Labels.of(
                  "type", types.get(error.errorClass().typeIndex()).name(),
                  "class", error.errorClass().disposition().name().toLowerCase(Locale.ROOT),
                  "sqlstate", state.isEmpty() ? "none" : state),
              error.count() + error.outside()));
    }
    return family.build();
  }

  private CounterSnapshot ofTypes(String name, String help, IntToLongFunction count) {
    CounterSnapshot.Builder family = counter(name, help);
    types.forEach(
        type ->
            family.dataPoint(
                point(Labels.of("type", type.name()), count.applyAsLong(type.index()))));
    return family.build();
  }

  private CounterSnapshot shards() {
    CounterSnapshot.Builder family =
        counter(
            "shard_transactions",
            "Successes by the shard of their home " + run.facts().scale().unit());
    for (int shard = 0; shard < totals.partitions(); shard++) {
      family.dataPoint(
          point(Labels.of("shard", run.facts().shards().get(shard)), totals.ofPartition(shard)));
    }
    return family.build();
  }

  private HistogramSnapshot latency(
      String name, String help, IntFunction<LatencyBuckets> bucketsOfType) {
    HistogramSnapshot.Builder family = HistogramSnapshot.builder().name(PREFIX + name).help(help);
    types.forEach(
        type ->
            family.dataPoint(
                histogram(bucketsOfType.apply(type.index()), Labels.of("type", type.name()))));
    return family.build();
  }

  private static HistogramSnapshot.HistogramDataPointSnapshot histogram(
      LatencyBuckets counted, Labels labels) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    for (int bucket = 0; bucket <= LatencyBuckets.BOUNDED; bucket++) {
      buckets.bucket(LatencyBuckets.boundSeconds(bucket), counted.count(bucket));
    }
    return HistogramSnapshot.HistogramDataPointSnapshot.builder()
        .classicHistogramBuckets(buckets.build())
        .sum(counted.sumSeconds())
        .labels(labels)
        .build();
  }

  private void addGauges(List<MetricSnapshot> snapshots) {
    LiveFigures now = run.now();
    ConnectionState connections = run.state().connections();
    snapshots.add(
        gauge(
            "transactions_in_flight",
            "Transactions that have a connection or wait for one",
            connections.inUse() + connections.waitedFor()));
    snapshots.add(
        GaugeSnapshot.builder()
            .name(PREFIX + "connections")
            .help("Connections of the pool by state")
            .dataPoint(level(Labels.of("state", "in_use"), connections.inUse()))
            .dataPoint(level(Labels.of("state", "idle"), connections.idle()))
            .build());
    snapshots.add(
        gauge("connection_waiters", "Workers that wait for a connection", connections.waitedFor()));
    snapshots.add(
        gauge(
            "processors",
            "Processors that this process may use",
            Runtime.getRuntime().availableProcessors()));
    snapshots.add(gauge("terminals", "Emulated users", run.facts().terminals()));
    Scale scale = run.facts().scale();
    String units = scale.plural();
    String help =
        units.substring(0, 1).toUpperCase(Locale.ROOT) + units.substring(1) + " of the run";
    snapshots.add(gauge(units, help, scale.size()));
    snapshots.add(
        gauge("elapsed_seconds", "Since the terminals started", now.sinceStart().toMillis() / 1e3));
    now.timeLeft()
        .ifPresent(
            left ->
                snapshots.add(
                    gauge(
                        "left_seconds",
                        "Until the measurement interval ends",
                        left.toMillis() / 1e3)));
    GaugeSnapshot.Builder phases =
        GaugeSnapshot.builder().name(PREFIX + "phase").help("1 for the phase that the run is in");
    for (Phase phase : Phase.values()) {
      phases.dataPoint(
          level(
              Labels.of("phase", phase.name().toLowerCase(Locale.ROOT)),
              now.phase() == phase ? 1 : 0));
    }
    snapshots.add(phases.build());
    run.idle()
        .ifPresent(
            idle ->
                snapshots.add(
                    GaugeSnapshot.builder()
                        .name(PREFIX + "idle_sessions")
                        .help("Sessions beside the run that are hardly used")
                        .dataPoint(level(Labels.of("state", "open"), idle.open()))
                        .dataPoint(level(Labels.of("state", "lost"), idle.lost()))
                        .build()));
  }

  private static CounterSnapshot.Builder counter(String name, String help) {
    return CounterSnapshot.builder().name(PREFIX + name).help(help);
  }

  private static CounterDataPointSnapshot point(Labels labels, long value) {
    return CounterDataPointSnapshot.builder().labels(labels).value((double) value).build();
  }

  private static GaugeSnapshot gauge(String name, String help, double value) {
    return GaugeSnapshot.builder()
        .name(PREFIX + name)
        .help(help)
        .dataPoint(level(Labels.EMPTY, value))
        .build();
  }

  private static GaugeDataPointSnapshot level(Labels labels, double value) {
    return GaugeDataPointSnapshot.builder().labels(labels).value(value).build();
  }
}
