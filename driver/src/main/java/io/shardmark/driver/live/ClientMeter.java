package io.shardmark.driver.live;

import com.sun.management.OperatingSystemMXBean;
import io.shardmark.driver.live.LiveState.ClientState;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** What this process uses, from one look to the next. Used by one thread. */
final class ClientMeter {
  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans().stream()
          .filter(collector -> stopsTheProgram(collector.getName()))
          .toList();
  private long lastNanos = System.nanoTime();
  private long lastCpuNanos = system.getProcessCpuTime();
  private long lastCollectionMillis = collectionMillis();

  /** As the figures of the whole run have it: concurrent work of a collector is no pause. */
  private static boolean stopsTheProgram(String collector) {
    return !collector.endsWith("Cycles") && !collector.contains("Concurrent");
  }

  private long collectionMillis() {
    return collectors.stream().mapToLong(collector -> collector.getCollectionTime()).sum();
  }

  ClientState read() {
    long now = System.nanoTime();
    long cpu = system.getProcessCpuTime();
    long collection = collectionMillis();
    double wall = Math.max(1, now - lastNanos);
    Runtime runtime = Runtime.getRuntime();
    ClientState reading =
        new ClientState(
            Math.max(0, cpu - lastCpuNanos) / wall,
            runtime.availableProcessors(),
            Math.min(1, (collection - lastCollectionMillis) * 1e6 / wall),
            runtime.totalMemory() - runtime.freeMemory());
    lastNanos = now;
    lastCpuNanos = cpu;
    lastCollectionMillis = collection;
    return reading;
  }
}
