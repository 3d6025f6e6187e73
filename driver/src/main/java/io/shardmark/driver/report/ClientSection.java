package io.shardmark.driver.report;

import static io.shardmark.driver.results.Texts.text;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.SampledSeries;
import io.shardmark.driver.verdict.DriverJudge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the load generator itself used, and whether that held the run back. */
final class ClientSection {
  private static final double MEGABYTE = 1 << 20;

  /** More lines nobody can tell apart; those of the busiest drivers are drawn. */
  private static final int MOST_LINES = 8;

  private final RunData run;
  private final SortedMap<Integer, SampledSeries> all;

  ClientSection(RunData run) {
    this.run = run;
    all = run.resources().clients();
  }

  Optional<Section> section() {
    List<Block> blocks = new ArrayList<>();
    run.client().ifPresent(client -> blocks.add(Block.of(figures(client).build())));
    if (isOfSeveral()) {
      addChartsOfSeveral(busiest(), blocks);
    } else if (!all.isEmpty()) {
      addCharts(all.values().iterator().next(), blocks);
    }
    return blocks.isEmpty()
        ? Optional.empty()
        : Optional.of(new Section("client", "The load generator itself", intro(), blocks));
  }

  /** True if the figures are those of several drivers together. */
  private boolean isOfSeveral() {
    return run.drivers().map(Drivers::merged).orElse(all.size() > 1);
  }

  private String intro() {
    String verdict =
        run.client().isEmpty()
            ? "The run did not live to judge whether it was the bottleneck."
            : "What it means for the result is in the verdict at the top.";
    return isOfSeveral()
        ? verdict
            + " The table has all drivers together; what each used stands under \"The drivers\"."
        : verdict;
  }

  /** Of a run without a verdict: what its figures over time say; empty if nothing is wrong. */
  static Optional<String> suspicion(RunData run) {
    if (run.client().isPresent()) {
      return Optional.empty();
    }
    SortedMap<Integer, SampledSeries> all = run.resources().clients();
    return all.entrySet().stream()
        .flatMap(
            one ->
                suspicion(
                    all.size() > 1 ? "Driver " + one.getKey() : "The load generator",
                    one.getValue())
                    .stream())
        .findFirst();
  }

  private static Optional<String> suspicion(String who, SampledSeries figures) {
    double used = figures.mean("cores_used");
    double available = figures.mean("cores_available");
    double collecting = figures.mean("gc_ms") / 1000;
    if (used > DriverJudge.MOST_CORE_SHARE * available) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "%s used %.2f of %.0f processors and may have limited this run.",
              who,
              used,
              available));
    }
    return collecting > DriverJudge.MOST_GC_SHARE
        ? Optional.of(
            "%s spent %s of its time in garbage collection and may have limited this run."
                .formatted(who, Texts.percent(collecting)))
        : Optional.empty();
  }

  private TableBuilder figures(Client client) {
    TableBuilder table = new TableBuilder("").prose("What").number("Value", "Limit");
    // The limit is one for each driver; their sum says nothing.
    double limit = isOfSeveral() ? 0 : DriverJudge.MOST_CORE_SHARE * client.coresAvailable();
    table.row(
        "processors used",
        text("%.2f of %d", client.coresUsed(), client.coresAvailable()),
        limit > 0 ? text("%.2f", limit) : "");
    addShare(table, "machine busy", client.machineBusyShare(), "90 %");
    addShare(
        table,
        "waits for a processor, share of the time that terminals wanted one",
        client.runnableDelayShare(),
        "30 %");
    addShare(table, "garbage collection, share of the interval", client.gcShare(), "5 %");
    table.row("garbage collections", text("%,d", client.gcCount()), "");
    table.row("garbage collection, all together", text("%,d ms", client.gcMillis()), "");
    table.row("waits for the recorder", text("%,d", client.recorderStalls()), "");
    table.row(
        "lateness of terminals, p99", text("%,.3f ms", client.schedulerLatenessP99Millis()), "");
    table.row("wait for a connection, p99", text("%,.3f ms", client.connectionWaitP99Millis()), "");
    if (client.peakRssBytes() > 0) {
      table.row("memory of the process, peak", Texts.bytes((double) client.peakRssBytes()), "");
    }
    String heap = run.result().jvm().get("maxHeapMegabytes");
    if (heap != null) {
      table.row("heap, at most", heap + " MB", "");
    }
    return table;
  }

  private static void addShare(
      TableBuilder table, String name, @Nullable Double share, String limit) {
    if (share != null) {
      table.row(name, Texts.percent(share), limit);
    }
  }

  private void addCharts(SampledSeries figures, List<Block> blocks) {
    double cores = figures.mean("cores_available");
    ChartData processors = overTime("processors", figures);
    if (cores > 0) {
      processors.upTo(cores).mark(DriverJudge.MOST_CORE_SHARE * cores);
    }
    blocks.add(
        Block.of(
            processors
                .series("", "used by the driver", figures.column("cores_used"))
                .build(
                    "chart-client-cpu",
                    "Processors used by the driver",
                    "low",
                    "Of %.0f that it may use. Above the line, 80 %% of them, the driver is the bottleneck."
                        .formatted(cores))));
    ChartData collections = overTime("ms", figures);
    collections.view("Time per second").series("", "garbage collection", figures.column("gc_ms"));
    collections.view("Longest").series("", "longest collection", figures.column("gc_max_ms"));
    blocks.add(
        Block.of(
            collections.build("chart-client-gc", "Garbage collection of the driver", "low", "")));
    ChartData memory = overTime("MB", figures);
    memory.series("", "process (RSS)", megabytes(figures, "rss_bytes"));
    memory.series("", "heap, committed", megabytes(figures, "heap_committed_bytes"));
    memory.series("", "heap, used", megabytes(figures, "heap_used_bytes"));
    blocks.add(Block.of(memory.build("chart-client-memory", "Memory of the driver", "low", "")));
  }

  /** In the order of their indexes. */
  private SortedMap<Integer, SampledSeries> busiest() {
    SortedMap<Integer, SampledSeries> busiest = new TreeMap<>();
    all.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<Integer, SampledSeries>>comparingDouble(
                    one -> one.getValue().mean("cores_used"))
                .reversed())
        .limit(MOST_LINES)
        .forEach(one -> busiest.put(one.getKey(), one.getValue()));
    return busiest;
  }

  private void addChartsOfSeveral(SortedMap<Integer, SampledSeries> shown, List<Block> blocks) {
    if (shown.isEmpty()) {
      return;
    }
    SampledSeries any = shown.values().iterator().next();
    String note =
        shown.size() < all.size()
            ? "Those %d of %d drivers that used the most processors."
                .formatted(shown.size(), all.size())
            : "";
    ChartData processors =
        overTime("% of its processors", any).upTo(100).mark(100 * DriverJudge.MOST_CORE_SHARE);
    shown.forEach((index, one) -> processors.series("", "driver " + index, shareOfCores(one)));
    blocks.add(
        Block.of(
            processors.build(
                "chart-client-cpu",
                "Processors used by each driver",
                "low",
                ("Above the line, 80 % of those it may use, a driver is the bottleneck. " + note)
                    .strip())));
    ChartData collections = overTime("ms", any);
    lines(collections.view("Time per second"), "gc_ms", shown);
    lines(collections.view("Longest"), "gc_max_ms", shown);
    blocks.add(
        Block.of(
            collections.build(
                "chart-client-gc", "Garbage collection of each driver", "low", note)));
    ChartData memory = overTime("MB", any);
    memory.view("Process (RSS)");
    shown.forEach((i, one) -> memory.series("", "driver " + i, megabytes(one, "rss_bytes")));
    memory.view("Heap, used");
    shown.forEach((i, one) -> memory.series("", "driver " + i, megabytes(one, "heap_used_bytes")));
    blocks.add(Block.of(memory.build("chart-client-memory", "Memory of each driver", "low", note)));
  }

  private static void lines(
      ChartData chart, String column, SortedMap<Integer, SampledSeries> shown) {
    shown.forEach((index, one) -> chart.series("", "driver " + index, one.column(column)));
  }

  private static List<Double> shareOfCores(SampledSeries figures) {
    List<Double> used = figures.column("cores_used");
    List<Double> available = figures.column("cores_available");
    List<Double> shares = new ArrayList<>();
    for (int i = 0; i < Math.min(used.size(), available.size()); i++) {
      shares.add(100 * used.get(i) / available.get(i));
    }
    return shares;
  }

  private ChartData overTime(String unit, SampledSeries figures) {
    return ChartData.time(unit, figures.widthSeconds(), run.result().interval().seconds())
        .sampled();
  }

  private static List<Double> megabytes(SampledSeries figures, String column) {
    return figures.column(column).stream().map(bytes -> bytes / MEGABYTE).toList();
  }
}
