package io.shardmark.driver.oscollector;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The lines of the CSV files: BenchmarkSQL's headers, and rows in the shape its Python collector
 * wrote them, with at most 12 significant digits and at least one decimal.
 */
final class CollectorRow {
  static final String SYS_INFO_HEADER =
      "run,elapsed,cpu_user,cpu_nice,cpu_system,cpu_idle,cpu_iowait,cpu_irq,cpu_softirq,cpu_steal,"
          + "cpu_guest,cpu_guest_nice,vm_nr_dirty";
  static final String BLOCK_HEADER =
      "run,elapsed,device,rdiops,rdmerges,rdkbps,wriops,wrmerges,wrkbps";
  static final String NET_HEADER = "run,elapsed,device,rxpktsps,rxkbps,txpktsps,txkbps";

  private static final MathContext DIGITS = new MathContext(12, RoundingMode.HALF_EVEN);
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);
  private static final long SECTORS_PER_KB = 2;
  private static final long BYTES_PER_KB = 1024;

  private CollectorRow() {}

  /** Fractions 0 to 1 of the processors' time in the interval, and the dirty pages at its end. */
  static String sysInfo(int run, long elapsedMillis, SystemSnapshot from, SystemSnapshot to) {
    CpuTicks spent = to.cpu().since(from.cpu());
    StringBuilder row = new StringBuilder().append(run).append(',').append(elapsedMillis);
    for (long time : spent.times()) {
      row.append(',').append(quotient(time, spent.total()));
    }
    return row.append(',').append(to.dirtyPages()).toString();
  }

  /**
   * Rates per second.
   *
   * @param device name with its prefix, such as {@code blk_sda}
   * @param nanos length of the interval
   */
  static String block(
      int run,
      long elapsedMillis,
      String device,
      long nanos,
      BlockCounters from,
      BlockCounters to) {
    return rates(
        run,
        elapsedMillis,
        device,
        perSecond(to.readOperations() - from.readOperations(), 1, nanos),
        perSecond(to.readMerges() - from.readMerges(), 1, nanos),
        perSecond(to.readSectors() - from.readSectors(), SECTORS_PER_KB, nanos),
        perSecond(to.writeOperations() - from.writeOperations(), 1, nanos),
        perSecond(to.writeMerges() - from.writeMerges(), 1, nanos),
        perSecond(to.writeSectors() - from.writeSectors(), SECTORS_PER_KB, nanos));
  }

  /**
   * Rates per second.
   *
   * @param device name with its prefix, such as {@code net_eth0}
   * @param nanos length of the interval
   */
  static String net(
      int run, long elapsedMillis, String device, long nanos, NetCounters from, NetCounters to) {
    return rates(
        run,
        elapsedMillis,
        device,
        perSecond(to.receivedPackets() - from.receivedPackets(), 1, nanos),
        perSecond(to.receivedBytes() - from.receivedBytes(), BYTES_PER_KB, nanos),
        perSecond(to.sentPackets() - from.sentPackets(), 1, nanos),
        perSecond(to.sentBytes() - from.sentBytes(), BYTES_PER_KB, nanos));
  }

  private static String rates(int run, long elapsedMillis, String device, String... values) {
    return Arrays.stream(values)
        .collect(Collectors.joining(",", run + "," + elapsedMillis + "," + device + ",", ""));
  }

  /** A counter that went back belongs to a device that was taken out and put in again. */
  private static String perSecond(long count, long divisor, long nanos) {
    BigDecimal scaled = BigDecimal.valueOf(Math.max(0, count)).multiply(NANOS_PER_SECOND);
    return nanos <= 0
        ? "0.0"
        : decimal(scaled, BigDecimal.valueOf(divisor).multiply(BigDecimal.valueOf(nanos)));
  }

  private static String quotient(long part, long whole) {
    return whole == 0 ? "0.0" : decimal(BigDecimal.valueOf(part), BigDecimal.valueOf(whole));
  }

  private static String decimal(BigDecimal dividend, BigDecimal divisor) {
    BigDecimal value = dividend.divide(divisor, DIGITS).stripTrailingZeros();
    return (value.scale() < 1 ? value.setScale(1) : value).toPlainString();
  }
}
