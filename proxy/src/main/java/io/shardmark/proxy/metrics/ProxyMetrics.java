package io.shardmark.proxy.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask.TaskState;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All numbers of this process, as meters of one registry. What loops count is added up when it is
 * read. Any thread.
 */
public final class ProxyMetrics {
  static final String PREFIX = "shardmark_proxy_";

  /** Buckets of durations double from 16.384 microseconds, 2 to this power in nanoseconds. */
  private static final int FIRST_POWER = 14;

  private static final int BUCKETS = 21;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<String> shards = new CopyOnWriteArrayList<>();
  private final List<LoopCounters> loops = new CopyOnWriteArrayList<>();
  private final Timer[] timers =
      Arrays.stream(LoopTimer.values()).map(this::timer).toArray(Timer[]::new);
  private final Map<BackgroundCounter, AtomicLong> background =
      new EnumMap<>(BackgroundCounter.class);
  private volatile LongSupplier plansMade = () -> 0;
  private volatile @Nullable BackgroundRunner tasks;

  /**
   * @param shards names, in the order of their indexes
   */
  public ProxyMetrics(List<String> shards) {
    for (LoopCounter each : LoopCounter.values()) {
      show(each.metric(), Tags.empty(), all -> all.sum(loop -> loop.get(each)));
    }
    for (BackgroundCounter each : BackgroundCounter.values()) {
      background.put(each, new AtomicLong());
      show(each.metric(), Tags.empty(), all -> all.of(each).get());
    }
    takeShards(shards);
    FunctionCounter.builder(PREFIX + "plans_made", this, all -> all.plansMade.getAsLong())
        .description("Statements planned that the plan cache did not have")
        .register(registry);
  }

  /** These shards count. */
  public void takeShards(List<String> names) {
    for (int index = shards.size(); index < names.size(); index++) {
      shards.add(names.get(index));
      registerShard(index);
    }
  }

  private void registerShard(int shard) {
    Tags name = Tags.of("shard", shards.get(shard));
    for (ShardCounter each : ShardCounter.values()) {
      show(each.metric(), name, all -> all.sum(shard, each) * each.scale());
    }
  }

  private void show(MetricName name, Tags shard, ToDoubleFunction<ProxyMetrics> value) {
    Tags tags = shard.and(name.tags());
    if (name.isGauge()) {
      Gauge.builder(name.family(), this, value)
          .description(name.help())
          .tags(tags)
          .register(registry);
    } else {
      FunctionCounter.builder(name.family(), this, value)
          .description(name.help())
          .tags(tags)
          .register(registry);
    }
  }

  private Timer timer(LoopTimer timer) {
    return Timer.builder(timer.metric().family())
        .description(timer.metric().help())
        .tags(timer.metric().tags())
        .serviceLevelObjectives(
            IntStream.range(FIRST_POWER, FIRST_POWER + BUCKETS)
                .mapToObj(power -> Duration.ofNanos(1L << power))
                .toArray(Duration[]::new))
        .register(registry);
  }

  PrometheusMeterRegistry registry() {
    return registry;
  }

  /**
   * All meters in Prometheus' text form.
   *
   * @param contentType of one of its versions
   */
  String scrape(String contentType) {
    BackgroundRunner runner = tasks;
    if (runner != null) {
      // A task appears once it has been asked to run; to register a meter again changes nothing.
      runner.states().forEach(task -> registerTask(runner, task.name()));
    }
    return registry.scrape(contentType);
  }

  private void registerTask(BackgroundRunner runner, String task) {
    FunctionCounter.builder(
            PREFIX + "background_runs",
            runner,
            all -> stateOf(all, task).mapToLong(TaskState::runs).sum())
        .description("Runs of background tasks, failed ones included")
        .tag("task", task)
        .register(registry);
    failures(runner, task, all -> stateOf(all, task).mapToLong(TaskState::failures).sum());
    Gauge.builder(
            PREFIX + "background_since_success_seconds",
            runner,
            all -> stateOf(all, task).mapToLong(s -> s.sinceSuccess().toMillis()).sum() / 1e3)
        .description("Time since a background task last succeeded")
        .tag("task", task)
        .register(registry);
  }

  private void failures(
      BackgroundRunner runner, String task, ToLongFunction<BackgroundRunner> failures) {
    FunctionCounter.builder(PREFIX + "background_failures", runner, failures::applyAsLong)
        .description("Runs of background tasks that ended with an unexpected error")
        .tag("task", task)
        .register(registry);
  }

  private static Stream<TaskState> stateOf(BackgroundRunner runner, String task) {
    return runner.states().stream().filter(state -> state.name().equals(task));
  }

  /** The counters of one more event loop. */
  public LoopCounters newLoop() {
    LoopCounters counters = new LoopCounters(shards.size(), timers);
    loops.add(counters);
    return counters;
  }

  /** What background threads count; any thread. */
  public AtomicLong of(BackgroundCounter counter) {
    return Objects.requireNonNull(background.get(counter));
  }

  /**
   * Where the number of plans is asked, which all loops make together.
   *
   * @param count how many were made since the start; any thread
   */
  public void countPlansBy(LongSupplier count) {
    plansMade = count;
  }

  /** Whose tasks are shown. */
  public void showTasks(BackgroundRunner runner) {
    tasks = runner;
    failures(runner, "work for others", BackgroundRunner::handedOverFailures);
  }

  /**
   * Shows a number of one host of a shard.
   *
   * @param value any thread
   */
  public void showHost(
      String shard, String host, String name, String help, Supplier<Number> value) {
    Gauge.builder(PREFIX + name, value)
        .description(help)
        .tags(Tags.of("shard", shard, "host", host))
        .register(registry);
  }

  /** All but durations, as names without the common prefix and with their labels. */
  public SortedMap<String, Long> numbers() {
    SortedMap<String, Long> numbers = new TreeMap<>();
    for (Meter meter : registry.getMeters()) {
      String name = meter.getId().getName();
      if (name.startsWith(PREFIX) && !(meter instanceof Timer)) {
        String labels =
            meter.getId().getTags().stream()
                .map(tag -> " " + tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.joining());
        double value = meter.measure().iterator().next().getValue();
        numbers.put(name.substring(PREFIX.length()) + labels, (long) value);
      }
    }
    return numbers;
  }

  /** One number of a shard over all event loops. */
  public long sum(int shard, ShardCounter counter) {
    return sum(loop -> loop.get(shard, counter));
  }

  /** One number over all event loops. */
  public long sum(ToLongFunction<LoopCounters> number) {
    return loops.stream().mapToLong(number).sum();
  }
}
