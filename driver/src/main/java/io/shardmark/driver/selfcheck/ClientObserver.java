package io.shardmark.driver.selfcheck;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import io.shardmark.driver.processes.ListeningProcess;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;
import oshi.SystemInfo;

/** Observes this process. {@link #next} may be called from any thread. */
public final class ClientObserver implements AutoCloseable {
  private final NotificationListener listener = this::onNotification;

  // Since the last call of next(); guarded by this.
  private long lastNanos = System.nanoTime();
  private long lastCpuNanos = cpuNanos();
  private OptionalLong lastSwitches = ResourceUsage.contextSwitches();
  private long gcCount;
  private long gcPauseNanos;
  private long longestGcPauseNanos;

  private ClientObserver() {}

  /** The interval begins now. */
  public static ClientObserver start() {
    ClientObserver observer = new ClientObserver();
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(observer.listener, null, null);
      }
    }
    return observer;
  }

  private void onNotification(Notification notification, Object handback) {
    if (notification
        .getType()
        .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
      GarbageCollectionNotificationInfo info =
          GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
      onCollection(info.getGcName(), info.getGcInfo().getDuration());
    }
  }

  /**
   * ZGC and Shenandoah report their cycles, which stop nobody, apart from their pauses, and G1 of
   * its concurrent work.
   */
  synchronized void onCollection(String collector, long durationMillis) {
    if (collector.endsWith("Cycles") || collector.contains("Concurrent")) {
      return;
    }
    long pause = TimeUnit.MILLISECONDS.toNanos(durationMillis);
    gcCount++;
    gcPauseNanos += pause;
    longestGcPauseNanos = Math.max(longestGcPauseNanos, pause);
  }

  /**
   * What was used since this method was called last, the first time since the start. Costs a few
   * system calls, however many threads there are.
   */
  public synchronized ClientReading next() {
    long nanos = System.nanoTime();
    long cpu = cpuNanos();
    OptionalLong switches = ResourceUsage.contextSwitches();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    ClientReading reading =
        new ClientReading(
            nanos - lastNanos,
            cpu - lastCpuNanos,
            gcCount,
            gcPauseNanos,
            longestGcPauseNanos,
            heap.getUsed(),
            heap.getCommitted(),
            residentBytes(),
            switches.isPresent() && lastSwitches.isPresent()
                ? OptionalLong.of(switches.getAsLong() - lastSwitches.getAsLong())
                : OptionalLong.empty());
    lastNanos = nanos;
    lastCpuNanos = cpu;
    lastSwitches = switches;
    gcCount = 0;
    gcPauseNanos = 0;
    longestGcPauseNanos = 0;
    return reading;
  }

  private static long cpuNanos() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return Math.max(0, system.getProcessCpuTime());
  }

  /** 0 where the platform does not say. */
  private static long residentBytes() {
    return ListeningProcess.memory("self", "VmRSS:")
        .orElseGet(
            () -> new SystemInfo().getOperatingSystem().getCurrentProcess().getResidentMemory());
  }

  /** Stops listening to the garbage collectors. */
  @Override
  public void close() {
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        try {
          emitter.removeNotificationListener(listener);
        } catch (ListenerNotFoundException e) {
          // closed before
        }
      }
    }
  }
}
