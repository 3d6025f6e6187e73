package io.shardmark.driver.oscollector;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines of the CSV files: BenchmarkSQL's headers, and rows in the shape its Python collector
 * wrote them, with at most 12 significant digits and at least one decimal.
 */
final class CollectorRow {
  static final String SYS_INFO_HEADER =
      "run,elapsed,cpu_user,cpu_nice,cpu_system,cpu_idle,cpu_iowait,cpu_irq,cpu_softirq,cpu_steal,"
          + "cpu_guest,cpu_guest_nice,vm_nr_dirty";

  private static final MathContext DIGITS = new MathContext(12, RoundingMode.HALF_EVEN);
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);

  private CollectorRow() {}

  /** Fractions 0 to 1 of the processors' time in the interval, and the dirty pages at its end. */
  static String sysInfo(MachineCounters did) {
    BigDecimal total = BigDecimal.valueOf(did.cpuTotal());
    List<String> fields = new ArrayList<>();
    for (long time : did.cpu().values()) {
      fields.add(quotient(BigDecimal.valueOf(time), total));
    }
    fields.add(Long.toString(did.dirtyPages()));
    return String.join(",", fields);
  }

  /** A device and its rates per second. */
  static String device(String device, long nanos, Counters did) {
    List<String> fields = new ArrayList<>(List.of(device));
    List<Long> divisors = DeviceKind.of(device).divisors();
    for (int i = 0; i < divisors.size(); i++) {
      fields.add(
          quotient(
              BigDecimal.valueOf(did.get(i)).multiply(NANOS_PER_SECOND),
              BigDecimal.valueOf(divisors.get(i)).multiply(BigDecimal.valueOf(nanos))));
    }
    return String.join(",", fields);
  }

  /** 0 of nothing. */
  private static String quotient(BigDecimal part, BigDecimal whole) {
    if (whole.signum() <= 0) {
      return "0.0";
    }
    BigDecimal value = part.divide(whole, DIGITS).stripTrailingZeros();
    return (value.scale() < 1 ? value.setScale(1) : value).toPlainString();
  }
}
