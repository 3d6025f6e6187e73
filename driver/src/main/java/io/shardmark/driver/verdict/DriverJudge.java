package io.shardmark.driver.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether the driver or its machine limited a run. Waits that the database caused are no evidence:
 * neither for its answers nor for a connection while all are busy or broken.
 */
public final class DriverJudge {
  /** Of the processors that it may use. */
  public static final double MOST_CORE_SHARE = 0.8;

  private static final double MOST_MACHINE_SHARE = 0.9;

  /** Of the interval. */
  public static final double MOST_GC_SHARE = 0.05;

  private static final double MOST_STALL_SHARE = 0.01;
  private static final double MOST_RUNNABLE_DELAY = 0.3;
  private static final long FREE_LATENESS_NANOS = 1_000_000;
  private static final double MOST_LATENESS_SHARE = 0.1;

  /** A 99th percentile of fewer is one transaction, such as the first that loads classes. */
  private static final long FEWEST_FOR_LATENESS = 1000;

  private DriverJudge() {}

  static List<Finding> findings(VerdictInput run) {
    List<String> bound = new ArrayList<>();
    List<String> saturated = new ArrayList<>();
    run.drivers()
        .forEach(
            (name, load) -> {
              List<String> limits = limits(load);
              if (!limits.isEmpty()) {
                bound.add(name + " " + String.join(", ", limits));
              } else {
                saturation(load).ifPresent(text -> saturated.add(name + " " + text));
              }
            });
    List<Finding> findings = new ArrayList<>();
    if (!bound.isEmpty()) {
      findings.add(
          new Finding(
              VerdictKind.DRIVER_BOUND,
              String.join("; ", bound),
              "the system can do more than is shown: use a larger machine, or several drivers"
                  + " (docs/several-drivers.md)"));
    }
    if (!saturated.isEmpty()) {
      findings.add(
          new Finding(
              VerdictKind.MACHINE_SATURATED,
              String.join("; ", saturated),
              "on a machine of its own it takes nothing from the system"));
    }
    return findings;
  }

  /** Why a driver limited the run by itself; empty if it did not. */
  public static List<String> limits(DriverLoad load) {
    List<String> limits = new ArrayList<>();
    if (load.coresUsed() >= MOST_CORE_SHARE * load.coresAvailable()) {
      limits.add("used %s".formatted(cores(load)));
    }
    if (load.gcPauseShare() > MOST_GC_SHARE) {
      limits.add(
          "collected garbage for %s of the time (java -Xmx)"
              .formatted(Figures.percent(load.gcPauseShare())));
    }
    if (load.ringStallShare() > MOST_STALL_SHARE) {
      limits.add(
          "let its terminals wait for their results to be written for %s of the time (resultRows=none)"
              .formatted(Figures.percent(load.ringStallShare())));
    }
    if (!isOnBusyMachine(load)) {
      limits.addAll(late(load));
    }
    return limits;
  }

  private static String cores(DriverLoad load) {
    return "%s of %s"
        .formatted(
            Figures.number(load.coresUsed()),
            Figures.plural(load.coresAvailable(), "processor", "processors"));
  }

  /** Whether others take the processors that the driver lacks. */
  private static boolean isOnBusyMachine(DriverLoad load) {
    return load.serverHere() || isSaturated(load);
  }

  private static boolean isSaturated(DriverLoad load) {
    return load.machineBusyShare().orElse(0) >= MOST_MACHINE_SHARE;
  }

  /** What a driver does later than it wants, for want of a processor. */
  private static List<String> late(DriverLoad load) {
    List<String> late = new ArrayList<>();
    DriverLoad.Lateness lateness = load.lateness();
    long allowed =
        Math.max(FREE_LATENESS_NANOS, Math.round(MOST_LATENESS_SHARE * lateness.serviceP50Nanos()));
    if (lateness.count() >= FEWEST_FOR_LATENESS && lateness.p99Nanos() > allowed) {
      late.add(
          "sent transactions up to %s late (p99) though a connection was free"
              .formatted(Figures.millis(lateness.p99Nanos())));
    }
    double delay = load.runnableDelayShare().orElse(0);
    if (delay > MOST_RUNNABLE_DELAY) {
      late.add(
          "waited for a processor for %s of the time in which it wanted one"
              .formatted(Figures.percent(delay)));
    }
    return late;
  }

  private static Optional<String> saturation(DriverLoad load) {
    List<String> late = late(load);
    if (!isSaturated(load) && late.isEmpty()) {
      return Optional.empty();
    }
    String others = load.serverHere() ? "the server and others" : "others";
    List<String> causes = new ArrayList<>();
    causes.add("used %s".formatted(cores(load)));
    causes.addAll(late);
    load.machineBusyShare()
        .ifPresent(
            busy ->
                causes.add(
                    "%s used %s of the same machine, which was %s busy"
                        .formatted(
                            others,
                            Figures.number(
                                Math.max(0, busy * load.coresAvailable() - load.coresUsed())),
                            Figures.percent(busy))));
    return Optional.of(String.join(", ", causes));
  }
}
