package io.shardmark.driver.report.html;

import io.shardmark.driver.report.RunData;
import io.shardmark.driver.report.RunData.ClientUse;
import io.shardmark.driver.report.SampledSeries;
import io.shardmark.driver.report.html.Page.Block;
import io.shardmark.driver.report.html.Page.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the load generator itself used, and whether that held the run back. */
final class ClientSection {
  private static final double MEGABYTE = 1 << 20;

  /** The limits of docs/measurement.md, for runs that did not live to judge themselves. */
  private static final double CPU_LIMIT = 0.8;

  private static final double GC_LIMIT = 0.05;

  private final RunData run;
  private final Optional<SampledSeries> series;

  ClientSection(RunData run) {
    this.run = run;
    series = run.resources().client();
  }

  Optional<Section> section() {
    List<Block> blocks = new ArrayList<>();
    run.client().ifPresent(client -> blocks.add(Block.of(figures(client).build())));
    series.ifPresent(figures -> addCharts(figures, blocks));
    return blocks.isEmpty()
        ? Optional.empty()
        : Optional.of(new Section("client", "The load generator itself", intro(), blocks));
  }

  private String intro() {
    return run.client()
        .map(
            client ->
                client.driverBound()
                    ? "It was the bottleneck: " + String.join("; ", client.reasons()) + "."
                    : "It was not the bottleneck: all its figures are within their limits.")
        .orElse("The run did not live to judge whether it was the bottleneck.");
  }

  /** Of a run without a verdict: what its figures over time say; empty if nothing is wrong. */
  static Optional<String> suspicion(RunData run) {
    if (run.client().isPresent() || run.resources().client().isEmpty()) {
      return Optional.empty();
    }
    SampledSeries figures = run.resources().client().get();
    double used = figures.mean("cores_used");
    double available = figures.mean("cores_available");
    double collecting = figures.mean("gc_ms") / 1000;
    if (used > CPU_LIMIT * available) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "The load generator used %.2f of %.0f processors and may have limited this run.",
              used,
              available));
    }
    return collecting > GC_LIMIT
        ? Optional.of(
            "The load generator spent %s of its time in garbage collection and may have limited this run."
                .formatted(Texts.share(collecting)))
        : Optional.empty();
  }

  private TableBuilder figures(ClientUse client) {
    TableBuilder table = new TableBuilder("").text("What").number("Value", "Limit");
    Map<String, Double> figures = client.figures();
    double cores = figures.getOrDefault("coresAvailable", 0.0);
    String ofCores = String.format(Locale.ROOT, " of %.0f", cores);
    add(table, figures, "coresUsed", "processors used", "%.2f", CPU_LIMIT * cores, ofCores);
    addShare(table, figures, "machineBusyShare", "machine busy", "");
    addShare(table, figures, "gcShare", "garbage collection, share of the interval", "5 %");
    add(table, figures, "gcCount", "garbage collections", "%,.0f", 0, "");
    add(table, figures, "gcMillis", "garbage collection, all together", "%,.0f", 0, " ms");
    add(table, figures, "recorderStalls", "waits for the recorder", "%,.0f", 0, "");
    String lateness = "schedulerLatenessP99Millis";
    add(table, figures, lateness, "lateness of terminals, p99", "%,.3f", 0, " ms");
    add(table, figures, "connectionWaitP99Millis", "wait for a connection, p99", "%,.3f", 0, " ms");
    Double rss = figures.get("peakRssBytes");
    if (rss != null && rss > 0) {
      table.row("memory of the process, peak", Texts.bytes(rss), "");
    }
    String heap =
        run.setup().surroundings().getOrDefault("Driver's Java", Map.of()).get("maxHeapMegabytes");
    if (heap != null) {
      table.row("heap, at most", heap + " MB", "");
    }
    return table;
  }

  private static void add(
      TableBuilder table,
      Map<String, Double> figures,
      String key,
      String name,
      String format,
      double limit,
      String after) {
    Double value = figures.get(key);
    if (value != null) {
      table.row(
          name,
          String.format(Locale.ROOT, format, value) + after,
          limit > 0 ? String.format(Locale.ROOT, format, limit) : "");
    }
  }

  private static void addShare(
      TableBuilder table, Map<String, Double> figures, String key, String name, String limit) {
    Double value = figures.get(key);
    if (value != null) {
      table.row(name, Texts.share(value), limit);
    }
  }

  private void addCharts(SampledSeries figures, List<Block> blocks) {
    double cores = figures.mean("cores_available");
    ChartData processors = overTime("processors", figures);
    if (cores > 0) {
      processors.upTo(cores).mark(CPU_LIMIT * cores);
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

  private ChartData overTime(String unit, SampledSeries figures) {
    return ChartData.time(unit, figures.widthSeconds(), run.interval().seconds()).sampled();
  }

  private static List<Double> megabytes(SampledSeries figures, String column) {
    return figures.column(column).stream().map(bytes -> bytes / MEGABYTE).toList();
  }
}
