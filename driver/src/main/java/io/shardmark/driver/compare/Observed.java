package io.shardmark.driver.compare;

import io.shardmark.driver.results.Adversity;
import io.shardmark.driver.results.Bottleneck;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.ProcessorCost;
import io.shardmark.driver.results.RollingChecks;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.ServerProcess;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.RunData.Resources;
import io.shardmark.driver.results.reader.SampledSeries;
import io.shardmark.driver.results.reader.Timeline;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What else a comparison keeps of a run.
 *
 * @param figures of operating system and database, by name, in the order of tables
 */
public record Observed(Map<String, Double> figures, OverTime overTime) {
  static final Observed NONE = new Observed(Map.of(), new OverTime(1, List.of(), List.of()));

  /** As in {@code db_stats.csv}: of these a run has the greatest, of others the sum. */
  private static final String GREATEST = "_max";

  private static final double PERCENT = 100;

  /** A column of a network device, in KB each second. */
  private static final String KILOBYTES = "xkbps";

  private static final double BYTES = 1024;

  /** The name of the figure of a process, or of all those of a role. */
  private static final String SWITCHES = "context switches of a transaction";

  /** The name of the figure: of the driver and of all servers together. */
  static final String PROCESSOR_TIME = "processor time of a transaction, us";

  /**
   * The types that make the main metric, in buckets of equal width.
   *
   * @param widthSeconds a second, or a power of two of them
   * @param sumMillis of latencies
   */
  public record OverTime(double widthSeconds, List<Double> successes, List<Double> sumMillis) {
    private static OverTime of(RunData run) {
      Set<String> headline =
          run.result().types().stream()
              .filter(TypeResult::headline)
              .map(TypeResult::name)
              .collect(Collectors.toSet());
      Timeline timeline =
          new Timeline(
              run.timeline().widthSeconds(),
              run.timeline().lastWidthSeconds(),
              run.timeline().lines().stream()
                  .filter(one -> headline.contains(one.type()))
                  .toList());
      return new OverTime(
          timeline.widthSeconds(),
          timeline.each(
              i -> timeline.lines().stream().mapToDouble(l -> l.successes().get(i)).sum()),
          timeline.each(
              i ->
                  timeline.lines().stream()
                      .filter(line -> line.successes().get(i) > 0)
                      .mapToDouble(line -> line.successes().get(i) * line.mean().get(i))
                      .sum()));
    }

    public double seconds() {
      return widthSeconds * successes.size();
    }

    /** In buckets of another width, a multiple of the own one; a last part of one is left out. */
    public OverTime in(double seconds) {
      int together = (int) Math.round(seconds / widthSeconds);
      int whole = successes.size() / together * together;
      return new OverTime(
          seconds,
          Timeline.sums(successes.subList(0, whole), together),
          Timeline.sums(sumMillis.subList(0, whole), together));
    }

    public List<Double> per(double seconds) {
      return successes.stream().map(count -> seconds * count / widthSeconds).toList();
    }

    /** Mean latency in each bucket; NaN in an empty one. */
    public List<Double> meanMillis() {
      return IntStream.range(0, successes.size())
          .mapToObj(i -> successes.get(i) == 0 ? Double.NaN : sumMillis.get(i) / successes.get(i))
          .toList();
    }
  }

  static Observed of(RunData run) {
    Map<String, Double> figures = new LinkedHashMap<>();
    double transactions = run.result().transactionCount();
    double micros = run.result().interval().seconds() * 1e6 / transactions;
    run.client().ifPresent(client -> addProcessors(figures, client, micros));
    ProcessorCost.of(run.result())
        .ifPresent(
            cost -> {
              putKnown(figures, PROCESSOR_TIME, cost.all());
              cost.parts().forEach((who, us) -> figures.put(who + ": " + PROCESSOR_TIME, us));
            });
    addSwitches(figures, run.result(), transactions);
    Optional.ofNullable(run.result().idleSessions()).ifPresent(idle -> addIdle(figures, idle));
    addChecks(figures, run.result().adversity());
    Bottleneck bottleneck = run.result().bottleneck();
    for (Bottleneck.ResourceUse use :
        bottleneck == null ? List.<Bottleneck.ResourceUse>of() : bottleneck.uses()) {
      if (use.share() != null && (use.what().startsWith("Se") || use.what().startsWith("Waits"))) {
        String what = Character.toLowerCase(use.what().charAt(0)) + use.what().substring(1);
        figures.put(what + " %", PERCENT * use.share());
      }
    }
    addMachine(figures, run.resources(), run.result().interval().seconds() / transactions);
    run.result()
        .databaseFigures()
        .forEach(
            (name, value) -> {
              boolean whole = name.endsWith(GREATEST) || name.equals("relation_bytes");
              figures.put(
                  "database: " + name + (whole ? "" : " per transaction"),
                  whole ? value : value / transactions);
            });
    figures.values().removeIf(value -> !Double.isFinite(value)); // of no transaction
    return new Observed(figures, OverTime.of(run));
  }

  /** Of the driver, and of each role of which all are known. */
  private static void addSwitches(Map<String, Double> figures, RunResult run, double transactions) {
    Map<String, Double> sums = new LinkedHashMap<>();
    Client client = run.client();
    if (client != null && client.contextSwitches() != null) {
      sums.put(ProcessorCost.DRIVER, (double) client.contextSwitches());
    }
    for (ServerProcess one : run.serverProcesses()) {
      Long switches = one.contextSwitches();
      sums.merge(one.role(), switches == null ? Double.NaN : switches, Double::sum);
    }
    sums.forEach((who, sum) -> putUsed(figures, who + ": " + SWITCHES, sum / transactions));
  }

  /**
   * @param micros of the interval for each transaction
   */
  private static void addProcessors(Map<String, Double> figures, Client client, double micros) {
    figures.put("driver: processors used", client.coresUsed());
    figures.put("driver: " + PROCESSOR_TIME, client.coresUsed() * micros);
    Double busy = client.machineBusyShare();
    Double used = client.machineCoresUsed();
    if (busy != null && used != null) {
      figures.put("machine of the driver: busy %", PERCENT * busy);
      figures.put("machine of the driver: " + PROCESSOR_TIME, used * micros);
    }
  }

  private static void addIdle(Map<String, Double> figures, IdleSessions idle) {
    figures.put("idle sessions", (double) idle.opened());
    figures.put("idle sessions opened per second", idle.openedPerSecond());
    figures.put("idle sessions lost", (double) idle.lost());
    Double each = idle.bytesPerSession();
    putKnown(figures, "memory of an idle session, KB", each == null ? null : each / 1024);
    putKnown(figures, "p99 with idle sessions by that before", idle.p99HeldToBefore());
    Latency answers = idle.questions().latencyMillis();
    putKnown(figures, "p99 of idle sessions, ms", answers == null ? null : answers.p99());
  }

  private static void addChecks(Map<String, Double> figures, @Nullable Adversity adversity) {
    RollingChecks checks = adversity == null ? null : adversity.checks();
    if (checks != null) {
      figures.put("rolling checks", (double) checks.checks());
      figures.put("rolling checks: mean, s", checks.meanSeconds());
      putKnown(figures, "rolling checks: cost, %", checks.costPercent());
      figures.put("rolling checks: violations", (double) checks.violations().size());
    }
  }

  private static void putKnown(Map<String, Double> figures, String name, @Nullable Double value) {
    if (value != null) {
      figures.put(name, value);
    }
  }

  /**
   * @param seconds of the interval for each transaction
   */
  private static void addMachine(Map<String, Double> figures, Resources seen, double seconds) {
    for (String column : List.of("cpu_user", "cpu_system", "cpu_iowait", "cpu_steal")) {
      double share = seen.system().map(system -> system.mean(column)).orElse(Double.NaN);
      putUsed(figures, "OS collector: " + column + " %", PERCENT * share);
    }
    for (Map.Entry<String, SampledSeries> device : seen.devices().entrySet()) {
      SampledSeries series = device.getValue();
      for (String column : series.columns().keySet()) {
        putUsed(figures, device.getKey() + " " + column, series.mean(column));
        if (column.endsWith(KILOBYTES)) {
          putUsed(
              figures,
              "%s %s: bytes of a transaction".formatted(device.getKey(), column.substring(0, 2)),
              series.mean(column) * BYTES * seconds);
        }
      }
    }
  }

  private static void putUsed(Map<String, Double> figures, String name, double mean) {
    if (mean > 0) {
      figures.put(name, mean);
    }
  }
}
