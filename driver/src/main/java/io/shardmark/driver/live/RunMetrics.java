package io.shardmark.driver.live;

import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmHeapPressureMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Set;

/** What {@code /metrics} answers: the run, and what this process uses. Safe on any thread. */
final class RunMetrics implements AutoCloseable {
  /** The format that every version of Prometheus reads. */
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();
  private final JvmHeapPressureMetrics heapPressure = new JvmHeapPressureMetrics();

  RunMetrics(LiveRun run) {
    registry.getPrometheusRegistry().register(new RunCollector(run));
    // The JVM counts the machine's load from one look to the next, and the run itself looks at its
    // start and end. The other two have no base unit and a counter's suffix: RunCollector has
    // them.
    Set<String> left = Set.of("system.cpu.usage", "system.cpu.count", "process.cpu.time");
    registry.config().meterFilter(MeterFilter.deny(id -> left.contains(id.getName())));
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    garbageCollection.bindTo(registry);
    heapPressure.bindTo(registry);
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
