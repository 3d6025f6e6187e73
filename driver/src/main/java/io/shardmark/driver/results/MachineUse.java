package io.shardmark.driver.results;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the machine of the OS collector did in the measurement interval.
 *
 * @param ofServer true if the database server runs on it, as far as is known
 * @param busyShare 0 .. 1: of the time of all processors, what anyone used
 * @param ioWaitShare 0 .. 1: what they were idle for while a disk was waited for
 * @param disks by name
 */
public record MachineUse(
    boolean ofServer, double busyShare, double ioWaitShare, SortedMap<String, Disk> disks) {
  public MachineUse {
    disks = Collections.unmodifiableSortedMap(new TreeMap<>(disks));
  }

  /**
   * @param busyShare 0 .. 1: share of the time in which it worked on something. A disk that works
   *     on much at once can do more though it is always busy
   */
  public record Disk(
      double busyShare,
      double readKbPerSecond,
      double writtenKbPerSecond,
      double writesPerSecond) {}
}
