package io.shardmark.driver.selfcheck;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.concurrent.TimeUnit;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/** Observes this process over one interval. {@link #figures} may be called from any thread. */
public final class ClientObserver implements AutoCloseable {
  private final NotificationListener listener = this::onNotification;
  private final long startNanos = System.nanoTime();
  private final long startCpuNanos = cpuNanos();
  private final ProcessStatus start = ProcessStatus.read();

  private long gcCount; // guarded by this, as are the next two
  private long gcPauseNanos;
  private long maxGcPauseNanos;

  // What the last call of next() saw; guarded by this.
  private long lastNanos = startNanos;
  private long lastCpuNanos = startCpuNanos;
  private long lastGcCount;
  private long lastGcPauseNanos;
  private long longestPauseSinceLast;

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
   * ZGC and Shenandoah tell of their cycles, which stop nobody, apart from their pauses, and G1 of
   * its concurrent work.
   */
  synchronized void onCollection(String collector, long durationMillis) {
    if (collector.endsWith("Cycles") || collector.contains("Concurrent")) {
      return;
    }
    long pause = TimeUnit.MILLISECONDS.toNanos(durationMillis);
    gcCount++;
    gcPauseNanos += pause;
    maxGcPauseNanos = Math.max(maxGcPauseNanos, pause);
    longestPauseSinceLast = Math.max(longestPauseSinceLast, pause);
  }

  /** What was used from the start until now. */
  public synchronized ClientFigures figures() {
    ProcessStatus now = ProcessStatus.read();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    long switches = 0;
    for (var thread : now.switchesOfThread().entrySet()) {
      switches +=
          Math.max(
              0, thread.getValue() - start.switchesOfThread().getOrDefault(thread.getKey(), 0L));
    }
    return new ClientFigures(
        System.nanoTime() - startNanos,
        cpuNanos() - startCpuNanos,
        now.systemCpuNanos() - start.systemCpuNanos(),
        gcCount,
        gcPauseNanos,
        maxGcPauseNanos,
        heap.getUsed(),
        heap.getCommitted(),
        now.residentBytes(),
        switches);
  }

  /**
   * What was used since this method was called last, the first time since the start. Costs a few
   * system calls, however many threads there are.
   */
  public synchronized ClientReading next() {
    long nanos = System.nanoTime();
    long cpu = cpuNanos();
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    ClientReading reading =
        new ClientReading(
            nanos - lastNanos,
            cpu - lastCpuNanos,
            gcCount - lastGcCount,
            gcPauseNanos - lastGcPauseNanos,
            longestPauseSinceLast,
            heap.getUsed(),
            heap.getCommitted(),
            ProcessStatus.readResidentBytes());
    lastNanos = nanos;
    lastCpuNanos = cpu;
    lastGcCount = gcCount;
    lastGcPauseNanos = gcPauseNanos;
    longestPauseSinceLast = 0;
    return reading;
  }

  private static long cpuNanos() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return Math.max(0, system.getProcessCpuTime());
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
