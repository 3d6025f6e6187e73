package io.shardmark.driver.oscollector;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Time all processors together spent since the machine started, in any one unit (only fractions are
 * made of it).
 *
 * @param times in the order of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal,
 *     guest, guest_nice. As in Linux, user contains guest, and nice contains guest_nice
 */
record CpuTicks(List<Long> times) {
  private static final int COLUMNS = 10;
  private static final int IDLE = 3;
  private static final int IO_WAIT = 4;
  private static final int FIRST_GUEST = 8;

  /** Times in that order; those that are not there are 0. */
  static CpuTicks of(long... times) {
    return new CpuTicks(Arrays.stream(Arrays.copyOf(times, COLUMNS)).boxed().toList());
  }

  long idle() {
    return times.get(IDLE);
  }

  long ioWait() {
    return times.get(IO_WAIT);
  }

  /** All time; the guest figures are already in user and nice. */
  long total() {
    return times.stream().limit(FIRST_GUEST).mapToLong(Long::longValue).sum();
  }

  /**
   * What has passed since an earlier reading. Linux may take back a little idle or iowait time:
   * that is none then, also in {@link #total}, or the shares of others would be above one.
   */
  CpuTicks since(CpuTicks before) {
    return new CpuTicks(
        IntStream.range(0, COLUMNS)
            .mapToObj(i -> Math.max(0, times.get(i) - before.times.get(i)))
            .toList());
  }
}
