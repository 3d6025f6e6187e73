package io.shardmark.driver.live;

import com.sun.management.OperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmHeapPressureMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.live.LiveState.ConnectionState;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.LatencyHistogram;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.Snapshot;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.LatencyKind;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What {@code /metrics} answers: the run's figures, read at each scrape, and what this process
 * uses. All counters begin with the terminals, so that they only grow: ramp-up and end are in them,
 * other than in the figures of the run. Safe on any thread.
 */
final class RunMetrics implements AutoCloseable {
  private static final String PREFIX = "shardmark_driver_";

  /** The format that every version of Prometheus reads. */
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
  private final JvmHeapPressureMetrics heapPressure = new JvmHeapPressureMetrics();

  private final LiveRun run;
  private final RunFacts facts;

  /**
   * Ends of buckets: a power of two nanoseconds or half way to the next, from 32 microseconds to 69
   * seconds, so that a percentile read from them is at most a third off.
   */
  static final List<Long> BOUNDS_NANOS =
      IntStream.rangeClosed(15, 36)
          .boxed()
          .flatMap(power -> Stream.of(1L << power, (1L << power) + (1L << (power - 1))))
          .limit(43)
          .toList();

  /** A value and what distinguishes it from others of its name. */
  private record MetricPoint(double value, Labels labels) {
    static MetricPoint of(double value, String... labels) {
      return new MetricPoint(value, Labels.of(labels));
    }
  }

  RunMetrics(LiveRun run) {
    this.run = run;
    facts = run.facts();
    registry.getPrometheusRegistry().register((MultiCollector) this::figures);
    // The JVM counts the machine's load from one look to the next, and the run itself looks at its
    // start and end. The other two have no base unit and a counter's suffix.
    Set<String> left = Set.of("system.cpu.usage", "system.cpu.count", "process.cpu.time");
    registry.config().meterFilter(MeterFilter.deny(id -> left.contains(id.getName())));
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    FunctionCounter.builder("process.cpu", system, os -> Math.max(0, os.getProcessCpuTime()) / 1e9)
        .description("Processor time of this process")
        .baseUnit("seconds")
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    garbageCollection.bindTo(registry);
    heapPressure.bindTo(registry);
  }

  private MetricSnapshots figures() {
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    all.metricSnapshot(info());
    run.ofAll(
        done -> {
          addCounters(all, done);
          addHistograms(all, done);
          return done;
        });
    addGauges(all);
    return all.build();
  }

  private static void addHistograms(MetricSnapshots.Builder all, Snapshot done) {
    histogram(
        all,
        "response_seconds",
        "From due to done, of successes",
        latencies(done, LatencyKind.DUE));
    histogram(
        all,
        "service_seconds",
        "From first statement to done, of successes",
        latencies(done, LatencyKind.SERVICE));
    LatencyHistogram waits = new LatencyHistogram();
    done.types().forEach(type -> waits.add(type.latencies(LatencyKind.CONNECTION_WAIT)));
    histogram(
        all,
        "connection_wait_seconds",
        "Waits of successes for a connection",
        Stream.of(buckets(waits, Labels.EMPTY)));
  }

  private InfoSnapshot info() {
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

  private void addCounters(MetricSnapshots.Builder all, Snapshot done) {
    counter(
        all,
        "transactions",
        "Transactions by how they ended",
        done.types().stream().flatMap(RunMetrics::outcomes));
    counter(
        all,
        "errors",
        "Errors raised, those tried again included, by class and SQLSTATE",
        run.errorLog().counts().stream().map(this::error));
    counter(
        all, "retries", "Transactions tried again", ofTypes(done, type -> type.retries().count()));
    counter(
        all,
        "distributed_transactions",
        "Successes that touched more than one partition",
        ofTypes(done, TypeStatistics::distributed));
    List<Long> ofShards = done.ofPartitions();
    if (!ofShards.isEmpty()) {
      counter(
          all,
          "shard_transactions",
          "Successes by the shard of their home " + facts.scale().unit(),
          IntStream.range(0, ofShards.size())
              .mapToObj(
                  shard ->
                      MetricPoint.of(
                          (double) ofShards.get(shard), "shard", facts.shards().get(shard))));
    }
  }

  private static Stream<MetricPoint> outcomes(TypeStatistics type) {
    return Stream.of(
        outcome(type.type(), "committed", type.count(Disposition.COMMITTED)),
        outcome(type.type(), "rolled_back", type.count(Disposition.ROLLED_BACK)),
        outcome(type.type(), "failed", type.errors()));
  }

  private static MetricPoint outcome(TransactionType type, String outcome, long count) {
    // So that a dashboard needs no names of types: what the main metric counts, all that count.
    String role = type.headline() ? "main" : type.counted() ? "counted" : "background";
    return MetricPoint.of((double) count, "type", type.name(), "outcome", outcome, "role", role);
  }

  private MetricPoint error(ErrorResult error) {
    return MetricPoint.of(
        (double) (error.count() + error.outside()),
        "type",
        error.type(),
        "class",
        error.disposition().toLowerCase(Locale.ROOT),
        "sqlstate",
        error.sqlState().isEmpty() ? "none" : error.sqlState());
  }

  private static Stream<MetricPoint> ofTypes(Snapshot done, ToLongFunction<TypeStatistics> count) {
    return done.types().stream()
        .map(type -> MetricPoint.of((double) count.applyAsLong(type), "type", type.type().name()));
  }

  private static Stream<HistogramDataPointSnapshot> latencies(Snapshot done, LatencyKind kind) {
    return done.types().stream()
        .map(type -> buckets(type.latencies(kind), Labels.of("type", type.type().name())));
  }

  private static HistogramDataPointSnapshot buckets(LatencyHistogram counted, Labels labels) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    List<Long> counts = counted.countsUpTo(BOUNDS_NANOS);
    for (int bucket = 0; bucket < counts.size(); bucket++) {
      buckets.bucket(
          bucket < BOUNDS_NANOS.size() ? BOUNDS_NANOS.get(bucket) / 1e9 : Double.POSITIVE_INFINITY,
          counts.get(bucket));
    }
    return HistogramDataPointSnapshot.builder()
        .classicHistogramBuckets(buckets.build())
        .sum(counted.sumNanos() / 1e9)
        .labels(labels)
        .build();
  }

  private void addGauges(MetricSnapshots.Builder all) {
    LiveFigures now = run.now();
    ConnectionState pool = run.state().connections();
    String units = facts.scale().plural();
    String capitalized = units.substring(0, 1).toUpperCase(Locale.ROOT) + units.substring(1);
    gauge(
        all,
        "transactions_in_flight",
        "Transactions that have a connection or wait for one",
        MetricPoint.of(pool.inUse() + pool.waitedFor()));
    gauge(
        all,
        "connections",
        "Connections of the pool by state",
        MetricPoint.of(pool.inUse(), "state", "in_use"),
        MetricPoint.of(pool.idle(), "state", "idle"));
    gauge(
        all,
        "connection_waiters",
        "Workers that wait for a connection",
        MetricPoint.of(pool.waitedFor()));
    gauge(
        all,
        "processors",
        "Processors that this process may use",
        MetricPoint.of(Runtime.getRuntime().availableProcessors()));
    gauge(all, "terminals", "Emulated users", MetricPoint.of(facts.terminals()));
    gauge(all, units, capitalized + " of the run", MetricPoint.of(facts.scale().size()));
    gauge(
        all,
        "elapsed_seconds",
        "Since the terminals started",
        MetricPoint.of(now.sinceStart().toMillis() / 1e3));
    now.timeLeft()
        .map(left -> MetricPoint.of(left.toMillis() / 1e3))
        .ifPresent(left -> gauge(all, "left_seconds", "Until the measurement interval ends", left));
    gauge(
        all,
        "phase",
        "1 for the phase that the run is in",
        Arrays.stream(LiveFigures.LivePhase.values())
            .map(phase -> MetricPoint.of(now.phase() == phase ? 1 : 0, "phase", lower(phase)))
            .toArray(MetricPoint[]::new));
    run.idle()
        .ifPresent(
            idle ->
                gauge(
                    all,
                    "idle_sessions",
                    "Idle sessions, hardly used during the run",
                    MetricPoint.of(idle.open(), "state", "open"),
                    MetricPoint.of(idle.lost(), "state", "lost")));
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static void counter(
      MetricSnapshots.Builder all, String name, String help, Stream<MetricPoint> points) {
    all.metricSnapshot(
        new CounterSnapshot(
            new MetricMetadata(PREFIX + name, help),
            points
                .map(point -> new CounterDataPointSnapshot(point.value(), point.labels(), null, 0))
                .toList()));
  }

  private static void gauge(
      MetricSnapshots.Builder all, String name, String help, MetricPoint... points) {
    all.metricSnapshot(
        new GaugeSnapshot(
            new MetricMetadata(PREFIX + name, help),
            Arrays.stream(points)
                .map(point -> new GaugeDataPointSnapshot(point.value(), point.labels(), null))
                .toList()));
  }

  private static void histogram(
      MetricSnapshots.Builder all,
      String name,
      String help,
      Stream<HistogramDataPointSnapshot> points) {
    all.metricSnapshot(
        new HistogramSnapshot(new MetricMetadata(PREFIX + name, help), points.toList()));
  }

  String scrape() {
    return registry.scrape(CONTENT_TYPE);
  }

  @Override
  public void close() {
    garbageCollection.close();
    heapPressure.close();
    registry.close();
  }
}
