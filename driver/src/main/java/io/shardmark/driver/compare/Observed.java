package io.shardmark.driver.compare;

import io.shardmark.driver.results.Bottleneck;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.ProcessorCost;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.RunData.Resources;
import io.shardmark.driver.results.reader.SampledSeries;
import io.shardmark.driver.results.reader.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What else a comparison keeps of a run.
 *
 * @param bottleneck what limited it, in words; empty if it does not say
 * @param figures of operating system and database, by name, in the order of tables
 * @param overTime what came out over time
 */
public record Observed(String bottleneck, Map<String, Double> figures, OverTime overTime) {
  static final Observed NONE = new Observed("", Map.of(), new OverTime(1, List.of(), List.of()));

  /** As in {@code db_stats.csv}: of these a run has the greatest, of others the sum. */
  private static final String GREATEST = "_max";

  private static final double PERCENT = 100;

  /** The name of the figure: of the driver and of all servers together. */
  static final String PROCESSOR_TIME = "processor time of a transaction, us";

  /**
   * The types that make the main metric, in buckets of equal width.
   *
   * @param widthSeconds a second, or a power of two of them
   * @param successes in each bucket
   * @param sumMillis of their latencies, in each
   */
  public record OverTime(double widthSeconds, List<Long> successes, List<Double> sumMillis) {
    private static OverTime of(RunData run) {
      Set<String> headline =
          run.result().types().stream()
              .filter(TypeResult::headline)
              .map(TypeResult::name)
              .collect(Collectors.toSet());
      List<Long> successes = new ArrayList<>();
      List<Double> sumMillis = new ArrayList<>();
      for (Timeline.Line line : run.timeline().lines()) {
        for (int i = 0; headline.contains(line.type()) && i < line.successes().size(); i++) {
          long count = line.successes().get(i);
          add(successes, sumMillis, i, count, count == 0 ? 0 : count * line.mean().get(i));
        }
      }
      return new OverTime(run.timeline().widthSeconds(), successes, sumMillis);
    }

    private static void add(
        List<Long> successes, List<Double> sumMillis, int bucket, long count, double millis) {
      if (bucket == successes.size()) {
        successes.add(0L);
        sumMillis.add(0.0);
      }
      successes.set(bucket, successes.get(bucket) + count);
      sumMillis.set(bucket, sumMillis.get(bucket) + millis);
    }

    public double seconds() {
      return widthSeconds * successes.size();
    }

    /** In buckets of another width, a multiple of the own one; a last part of one is left out. */
    public OverTime in(double seconds) {
      int together = (int) Math.round(seconds / widthSeconds);
      List<Long> counts = new ArrayList<>();
      List<Double> sums = new ArrayList<>();
      for (int i = 0; i < successes.size() / together * together; i++) {
        add(counts, sums, i / together, successes.get(i), sumMillis.get(i));
      }
      return new OverTime(seconds, counts, sums);
    }

    /** Rates per so many seconds. */
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
    double transactions = Math.max(1, run.result().transactionCount());
    double micros = run.result().interval().seconds() * 1e6 / transactions;
    run.client().ifPresent(client -> addProcessors(figures, client, micros));
    ProcessorCost.of(run.result()).ifPresent(cost -> addCost(figures, cost));
    addIdle(figures, run.result().idleSessions());
    for (Bottleneck.Use use : run.bottleneck().map(Bottleneck::uses).orElse(List.of())) {
      if (use.share() != null && (use.what().startsWith("Se") || use.what().startsWith("Waits"))) {
        String what = Character.toLowerCase(use.what().charAt(0)) + use.what().substring(1);
        figures.put(what + " %", PERCENT * use.share());
      }
    }
    addMachine(figures, run.resources());
    run.result()
        .databaseFigures()
        .forEach(
            (name, value) -> {
              boolean whole = name.endsWith(GREATEST) || name.equals("relation_bytes");
              figures.put(
                  "database: " + name + (whole ? "" : " per transaction"),
                  whole ? value : value / transactions);
            });
    return new Observed(
        run.bottleneck().map(Bottleneck::sentence).orElse(""), figures, OverTime.of(run));
  }

  /**
   * @param micros of the interval for each transaction
   */
  private static void addProcessors(Map<String, Double> figures, Client client, double micros) {
    figures.put("driver: processors used", client.coresUsed());
    figures.put("driver: " + PROCESSOR_TIME, client.coresUsed() * micros);
    Double busy = client.machineBusyShare();
    if (busy != null) {
      figures.put("machine of the driver: busy %", PERCENT * busy);
      figures.put(
          "machine of the driver: " + PROCESSOR_TIME, busy * client.coresAvailable() * micros);
    }
  }

  private static void addCost(Map<String, Double> figures, ProcessorCost cost) {
    if (cost.all() != null) {
      figures.put(PROCESSOR_TIME, cost.all());
    }
    cost.parts().forEach((who, micros) -> figures.put(who + ": " + PROCESSOR_TIME, micros));
  }

  private static void addIdle(Map<String, Double> figures, @Nullable IdleSessions idle) {
    if (idle == null) {
      return;
    }
    figures.put("idle sessions", (double) idle.opened());
    figures.put("idle sessions opened per second", idle.openedPerSecond());
    figures.put("idle sessions lost", (double) idle.lost());
    Double each = idle.bytesPerSession();
    if (each != null) {
      figures.put("memory of an idle session, KB", each / 1024);
    }
    Double ratio = idle.p99HeldToBefore();
    if (ratio != null) {
      figures.put("p99 with idle sessions by that before", ratio);
    }
    Latency answers = idle.questions().latencyMillis();
    if (answers != null) {
      figures.put("p99 of idle sessions, ms", answers.p99());
    }
  }

  private static void addMachine(Map<String, Double> figures, Resources seen) {
    if (seen.system().isPresent()) {
      for (String column : List.of("cpu_user", "cpu_system", "cpu_iowait", "cpu_steal")) {
        double share = seen.system().get().mean(column);
        putUsed(figures, "OS collector: " + column + " %", PERCENT * share);
      }
    }
    for (Map.Entry<String, SampledSeries> device : seen.devices().entrySet()) {
      SampledSeries series = device.getValue();
      for (String column : series.columns().keySet()) {
        putUsed(figures, device.getKey() + " " + column, series.mean(column));
      }
    }
  }

  private static void putUsed(Map<String, Double> figures, String name, double mean) {
    if (mean > 0) {
      figures.put(name, mean);
    }
  }
}
