package io.shardmark.driver.judge;

import static java.util.Objects.requireNonNullElse;

import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.HoldUps;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.VerdictKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the driver or its machine limited a run. Waits that the database caused are no evidence:
 * neither for its answers nor for a connection while all are busy or broken.
 */
public final class DriverJudge {
  private DriverJudge() {}

  /**
   * @param held whether a rate was asked and held: then no driver was the limit, but what makes it
   *     slow is a part of each latency
   */
  static List<Finding> findings(RunResult run, boolean held) {
    List<String> bound = new ArrayList<>();
    List<String> saturated = new ArrayList<>();
    double underWay = underWay(run);
    double seconds = run.interval().seconds();
    for (Map.Entry<String, Client> one : run.clients().entrySet()) {
      String name = one.getKey() + " ";
      List<String> limits = limits(one.getValue(), underWay, seconds);
      if (!limits.isEmpty()) {
        bound.add(name + String.join(", ", limits));
      } else {
        saturation(one.getValue(), underWay, seconds)
            .ifPresent(text -> saturated.add(full(one.getValue()) + name + text));
      }
    }
    List<Finding> findings = new ArrayList<>();
    if (!bound.isEmpty()) {
      findings.add(
          new Finding(
              held ? VerdictKind.DRIVER_LATE : VerdictKind.DRIVER_BOUND,
              String.join("; ", bound),
              (held
                      ? "the asked rate was held, but latencies are longer than the server's"
                      : "the server can do more than this shows")
                  + "; use a larger machine for the driver, or several drivers"
                  + " (docs/several-drivers.md)"));
    }
    if (!saturated.isEmpty()) {
      findings.add(
          new Finding(
              VerdictKind.MACHINE_SATURATED,
              String.join("; ", saturated),
              "run the driver on another machine to see what the server can do"));
    }
    return findings;
  }

  /** Why a driver alone limited the run, by what it used; empty if it did not. */
  public static List<String> limits(Client load) {
    return limits(load, 0, 0);
  }

  private static Optional<String> heldUp(Client load, double seconds) {
    HoldUps heldUp = requireNonNullElse(load.heldUp(), HoldUps.NONE);
    return heldUp.longestSeconds() < Limits.LONGEST_HELD_UP_SECONDS
            && heldUp.seconds() <= Limits.MOST_HELD_UP_SHARE * seconds
        ? Optional.empty()
        : Optional.of(
            "was suspended or without a processor for %s, of them %s from second %s on"
                .formatted(
                    Texts.seconds(heldUp.seconds()),
                    Texts.seconds(heldUp.longestSeconds()),
                    Texts.number(Math.max(0, heldUp.longestFrom()))));
  }

  private static List<String> limits(Client load, double underWay, double seconds) {
    List<String> limits = new ArrayList<>();
    if (load.coresUsed() >= Limits.MOST_CORE_SHARE * load.coresAvailable()) {
      limits.add("used %s".formatted(cores(load)));
    } else if (isSaturated(load)) {
      return limits; // who lacks a processor is held up, collects garbage and writes slowly
    }
    heldUp(load, seconds).ifPresent(limits::add);
    // No collection takes more than the process had.
    double collected = Math.min(load.gcShare(), load.coresUsed());
    if (collected > Limits.MOST_GC_SHARE) {
      limits.add(
          "collected garbage for %s of the time (java -Xmx)".formatted(Texts.percent(collected)));
    }
    if (load.recorderStallShare() > Limits.MOST_STALL_SHARE) {
      limits.add(
          "let its terminals wait for their results to be written for %s of the time (resultRows=none)"
              .formatted(Texts.percent(load.recorderStallShare())));
    }
    if (!isOnBusyMachine(load)) {
      limits.addAll(late(load, underWay));
    }
    return limits;
  }

  /** How many transactions of a driver were at the database, on the average; 0 if not known. */
  private static double underWay(RunResult run) {
    Latency service = run.latencyMillis().all().service();
    int drivers = run.clients().size();
    return service == null || run.interval().seconds() <= 0 || drivers == 0
        ? 0
        : service.mean() / 1000 * service.count() / run.interval().seconds() / drivers;
  }

  private static String cores(Client load) {
    return "%s of %s"
        .formatted(
            Texts.number(load.coresUsed()),
            Texts.plural(load.coresAvailable(), "processor", "processors"));
  }

  /** Whether others take the processors that the driver lacks. */
  private static boolean isOnBusyMachine(Client load) {
    Double busy = load.machineBusyShare();
    return isSaturated(load)
        || (load.serverOnSameMachine() && (busy == null || busy >= Limits.LEAST_SHORT_SHARE));
  }

  private static boolean isSaturated(Client load) {
    return requireNonNullElse(load.machineBusyShare(), 0.0) >= Limits.MOST_MACHINE_SHARE;
  }

  /** What a driver does later than it wants, for want of a processor. */
  private static List<String> late(Client load, double underWay) {
    List<String> late = new ArrayList<>();
    double lateMillis = load.schedulerLatenessP99Millis();
    double allowed =
        Math.max(Limits.FREE_LATENESS_MILLIS, Limits.MOST_LATENESS_SHARE * load.serviceP50Millis());
    if (load.schedulerLatenessCount() >= Limits.FEWEST_FOR_LATENESS && lateMillis > allowed) {
      late.add(
          "sent transactions up to %s ms late (p99) though a connection was free"
              .formatted(Texts.number(lateMillis)));
    }
    double delay = requireNonNullElse(load.runnableDelayShare(), 0.0);
    if (delay > Limits.MOST_RUNNABLE_DELAY
        && load.coresUsed() * delay >= Limits.FREE_RUNNABLE_DELAY * underWay * (1 - delay)) {
      late.add(
          "waited for a processor for %s of the time in which it wanted one"
              .formatted(Texts.percent(delay)));
    }
    return late;
  }

  private static String full(Client load) {
    Double busy = load.machineBusyShare();
    return busy == null
        ? ""
        : "the machine was %s (%s busy): "
            .formatted(
                busy >= Limits.MOST_MACHINE_SHARE ? "full" : "too small for both",
                Texts.percent(busy));
  }

  private static Optional<String> saturation(Client load, double underWay, double seconds) {
    List<String> late = late(load, underWay);
    if (!isSaturated(load) && (late.isEmpty() || !isOnBusyMachine(load))) {
      return Optional.empty();
    }
    String others = load.serverOnSameMachine() ? "the server and others" : "others";
    Double used = load.machineCoresUsed();
    String parts =
        used == null
            ? ""
            : "%s used %s".formatted(others, Texts.number(Math.max(0, used - load.coresUsed())));
    List<String> causes = new ArrayList<>();
    causes.add("used %s".formatted(cores(load)));
    causes.addAll(late);
    heldUp(load, seconds).ifPresent(causes::add);
    causes.add(parts);
    causes.removeIf(String::isEmpty);
    return Optional.of(String.join(", ", causes));
  }
}
