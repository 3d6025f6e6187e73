package io.shardmark.driver.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether the driver, rather than the system it measured, limited a run.
 *
 * @param driverBound true if the result is a lower bound of what the system can do
 * @param reasons what spoke for it, empty if nothing did
 */
public record DriverVerdict(boolean driverBound, List<String> reasons) {
  private static final double MAX_CORE_SHARE = 0.8;
  private static final double MAX_GC_SHARE = 0.05;
  private static final long FREE_LATENESS_NANOS = 1_000_000;
  private static final double MAX_WAIT_SHARE = 0.1;

  public DriverVerdict {
    reasons = List.copyOf(reasons);
  }

  /** Judges by fixed thresholds, which docs/measurement.md lists. */
  public static DriverVerdict of(ClientLoad load) {
    List<String> reasons = new ArrayList<>();
    if (load.coresUsed() >= MAX_CORE_SHARE * load.coresAvailable()) {
      reasons.add(text("used %.2f of %d processors", load.coresUsed(), load.coresAvailable()));
    }
    if (load.gcPauseShare() > MAX_GC_SHARE) {
      reasons.add(text("garbage collection took %.1f %% of the time", 100 * load.gcPauseShare()));
    }
    if (load.ringStalls() > 0) {
      reasons.add(text("workers waited %d times for the collector", load.ringStalls()));
    }
    long allowed =
        Math.max(FREE_LATENESS_NANOS, Math.round(MAX_WAIT_SHARE * load.serviceP50Nanos()));
    if (load.schedulerLatenessP99Nanos() > allowed) {
      reasons.add(
          text(
              "transactions were sent up to %.1f ms late (p99) though a worker was free",
              load.schedulerLatenessP99Nanos() / 1e6));
    }
    if (load.connectionWaitP99Nanos() > allowed) {
      reasons.add(
          text(
              "transactions waited up to %.1f ms (p99) for one of the configured connections",
              load.connectionWaitP99Nanos() / 1e6));
    }
    return new DriverVerdict(!reasons.isEmpty(), reasons);
  }

  /** One sentence for people. */
  public String sentence() {
    return driverBound
        ? "This run was driver-bound, its figures are a lower bound of what the system can do: "
            + String.join("; ", reasons)
            + "."
        : "The driver did not limit this run.";
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
