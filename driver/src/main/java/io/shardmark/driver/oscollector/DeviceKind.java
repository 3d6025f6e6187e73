package io.shardmark.driver.oscollector;

import java.util.Arrays;
import java.util.List;

/** What is counted of a kind of device, in the order of the columns of its file. */
enum DeviceKind {
  /**
   * Sectors are of 512 bytes whatever the disk's. The counters of the columns are followed by the
   * time in which it worked on something, in milliseconds.
   */
  BLOCK("blk_", "rdiops,rdmerges,rdkbps,wriops,wrmerges,wrkbps", 1, 1, 2, 1, 1, 2),
  NET("net_", "rxpktsps,rxkbps,txpktsps,txkbps", 1, 1024, 1, 1024);

  private final String prefix;
  private final String header;

  @SuppressWarnings("ImmutableEnumChecker") // what Stream.toList makes
  private final List<Long> divisors;

  DeviceKind(String prefix, String columns, long... divisors) {
    this.prefix = prefix;
    this.header = "run,elapsed,device," + columns;
    this.divisors = Arrays.stream(divisors).boxed().toList();
  }

  /** The name that users and files have for a device, such as {@code blk_sda}. */
  String device(String kernelName) {
    return prefix + kernelName;
  }

  String kernelName(String device) {
    return device.substring(prefix.length());
  }

  static DeviceKind of(String device) {
    return device.startsWith(BLOCK.prefix) ? BLOCK : NET;
  }

  String header() {
    return header;
  }

  /** What each column's counter is divided by, so that it is in the column's unit. */
  List<Long> divisors() {
    return divisors;
  }
}
