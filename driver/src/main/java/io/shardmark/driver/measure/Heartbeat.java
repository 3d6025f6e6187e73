package io.shardmark.driver.measure;

import io.shardmark.driver.results.HoldUps;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A thread that only wakes up again and again. Where it comes late, the whole process was held up:
 * suspended, or without a processor. And it finds a thread that hangs, by the processor time that
 * the thread no longer takes: one that waits for work comes round now and then, one that waits for
 * a file system does not. Its own hold-ups count for no thread. Safe on any thread.
 */
public final class Heartbeat implements AutoCloseable {
  static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** A thread that comes so late has not just lost its turn. */
  static final long HELD_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final int MOST_HOLD_UPS = 10_000;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Thread thread;
  private final List<HoldUp> holdUps = new ArrayList<>();
  private final List<Watch> watches = new ArrayList<>();
  private volatile boolean closed;

  private record HoldUp(long fromNanos, long untilNanos) {
    long overlap(long from, long until) {
      return Math.max(0, Math.min(untilNanos, until) - Math.max(fromNanos, from));
    }
  }

  /** A thread that must not hang. Used by the heartbeat's thread. */
  private static final class Watch {
    private final Thread watched;
    private final long limitNanos;
    private final Consumer<String> onHang;
    private long cpuNanos = -1;
    private long idleNanos;

    Watch(Thread watched, long limitNanos, Consumer<String> onHang) {
      this.watched = watched;
      this.limitNanos = limitNanos;
      this.onHang = onHang;
    }
  }

  /** Not started yet. */
  public Heartbeat() {
    thread = new Thread(this::run, "heartbeat");
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /**
   * Watches this thread too from now on.
   *
   * @param limitNanos how long it may take no processor time, to about a period
   * @param onHang receives the thread's name, once, on the heartbeat's thread
   */
  public void watch(Thread watched, long limitNanos, Consumer<String> onHang) {
    synchronized (this) {
      watches.add(new Watch(watched, limitNanos, onHang));
    }
  }

  /** Watches no thread any more. */
  public void watchNobody() {
    synchronized (this) {
      watches.clear();
    }
  }

  private void run() {
    long last = System.nanoTime();
    while (!closed) {
      LockSupport.parkNanos(this, PERIOD_NANOS);
      long now = System.nanoTime();
      beat(last, now);
      last = now;
    }
  }

  /** The thread slept from one instant to another. */
  void beat(long last, long now) {
    boolean heldUp = now - last - PERIOD_NANOS >= HELD_UP_NANOS;
    List<Watch> hanging = new ArrayList<>();
    synchronized (this) {
      if (heldUp && holdUps.size() < MOST_HOLD_UPS) {
        holdUps.add(new HoldUp(last, now));
      }
      if (!heldUp) {
        watches.stream().filter(one -> hangs(one, now - last)).forEach(hanging::add);
        watches.removeAll(hanging);
      }
    }
    hanging.forEach(one -> one.onHang.accept(one.watched.getName()));
  }

  private boolean hangs(Watch one, long nanos) {
    // Negative where the platform does not count, and after the thread's end.
    long cpu = threads.getThreadCpuTime(one.watched.getId());
    one.idleNanos = cpu >= 0 && cpu == one.cpuNanos ? one.idleNanos + nanos : 0;
    one.cpuNanos = cpu;
    return one.idleNanos >= one.limitNanos;
  }

  /** For how long the process was held up between two instants. */
  synchronized long heldUpNanos(long from, long until) {
    return holdUps.stream().mapToLong(one -> one.overlap(from, until)).sum();
  }

  /** The hold-ups of a measurement interval. */
  public synchronized HoldUps during(MeasurementInterval interval) {
    long longest = 0;
    long from = interval.startNanos();
    for (HoldUp one : holdUps) {
      long nanos = one.overlap(interval.startNanos(), interval.endNanos());
      if (nanos > longest) {
        longest = nanos;
        from = one.fromNanos();
      }
    }
    return longest == 0
        ? HoldUps.NONE
        : new HoldUps(
            heldUpNanos(interval.startNanos(), interval.endNanos()) / 1e9,
            longest / 1e9,
            (from - interval.startNanos()) / 1e9);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
