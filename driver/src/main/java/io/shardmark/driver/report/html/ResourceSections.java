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
import java.util.Set;

/** What machines, database and driver did meanwhile. */
final class ResourceSections {
  private static final List<String> CPU =
      List.of("user", "nice", "system", "iowait", "irq", "softirq", "steal");

  /** Go up and down; the other figures of db_stats.csv are what was added in a second. */
  private static final Set<String> LEVELS =
      Set.of(
          "lock_waiters",
          "active_sessions",
          "Innodb_row_lock_current_waits",
          "Threads_running",
          "Threads_connected");

  private final RunData run;

  ResourceSections(RunData run) {
    this.run = run;
  }

  Optional<Section> system() {
    List<Block> blocks = new ArrayList<>();
    run.resources()
        .system()
        .ifPresent(
            series -> {
              blocks.add(Block.of(cpuAverages(series).build()));
              blocks.add(cpu(series));
              if (!series.column("vm_nr_dirty").isEmpty()) {
                blocks.add(dirty(series));
              }
            });
    run.resources()
        .devices()
        .forEach(
            (device, series) -> {
              if (device.startsWith("blk_")) {
                blocks.add(block(device, series));
              } else {
                blocks.add(network(device, series));
              }
            });
    return blocks.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Section(
                "system",
                "Operating system",
                "Of the machine that the OS collector looked at.",
                blocks));
  }

  private static TableBuilder cpuAverages(SampledSeries series) {
    TableBuilder table = new TableBuilder("CPU, mean over the interval");
    List<String> cells = new ArrayList<>();
    for (String column : series.columns().keySet()) {
      double mean = series.mean(column);
      if (column.startsWith("cpu_") && !Double.isNaN(mean)) {
        table.number(column.substring("cpu_".length()));
        cells.add(Texts.share(mean));
      }
    }
    return cells.isEmpty() ? table : table.row(cells.toArray(String[]::new));
  }

  private ChartData overTime(String unit, SampledSeries series) {
    return ChartData.time(unit, series.widthSeconds(), run.interval().seconds()).sampled();
  }

  private Block cpu(SampledSeries series) {
    ChartData chart = overTime("%", series).stackedUpTo(100);
    for (String name : CPU) {
      List<Double> values =
          series.column("cpu_" + name).stream().map(share -> 100 * share).toList();
      boolean shown = values.stream().anyMatch(value -> value > 0);
      if (shown) {
        chart.series("", name, values);
      }
    }
    return Block.of(chart.build("chart-cpu", "CPU utilization", "", ""));
  }

  private Block dirty(SampledSeries series) {
    return Block.of(
        overTime("pages", series)
            .series("", "dirty pages", series.column("vm_nr_dirty"))
            .build("chart-dirty", "Dirty kernel buffers", "low", ""));
  }

  private Block block(String device, SampledSeries series) {
    ChartData chart = overTime("per second", series);
    chart.view("Operations");
    chart.series("", "reads", series.column("rdiops"));
    chart.series("", "writes", series.column("wriops"));
    chart.view("KB");
    chart.series("", "read", series.column("rdkbps"));
    chart.series("", "written", series.column("wrkbps"));
    return Block.of(
        chart.build(
            "chart-" + device, "Block device " + device.substring("blk_".length()), "low", ""));
  }

  private Block network(String device, SampledSeries series) {
    ChartData chart = overTime("per second", series);
    chart.view("KB");
    chart.series("", "received", series.column("rxkbps"));
    chart.series("", "sent", series.column("txkbps"));
    chart.view("Packets");
    chart.series("", "received", series.column("rxpktsps"));
    chart.series("", "sent", series.column("txpktsps"));
    return Block.of(
        chart.build(
            "chart-" + device, "Network device " + device.substring("net_".length()), "low", ""));
  }

  Optional<Section> database() {
    List<Block> blocks = new ArrayList<>();
    if (!run.databaseFigures().isEmpty()) {
      TableBuilder table =
          new TableBuilder("During the interval").text("Figure").number("Value", "Per transaction");
      long transactions = Math.max(1, run.rates().transactions());
      run.databaseFigures()
          .forEach(
              (name, value) ->
                  table.row(
                      name,
                      shown(name, value),
                      name.endsWith("_max") || name.equals("relation_bytes")
                          ? Texts.NONE
                          : shown(name, value / transactions)));
      blocks.add(Block.of(table.build()));
    }
    run.resources().database().ifPresent(series -> addDatabaseCharts(series, blocks));
    return blocks.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Section(
                "database", "Database", "What the server counted, under its own names.", blocks));
  }

  private static String shown(String name, double value) {
    return name.contains("bytes") ? Texts.bytes(value) : Texts.number(value);
  }

  private void addDatabaseCharts(SampledSeries series, List<Block> blocks) {
    ChartData counters = overTime("per second", series);
    ChartData levels = overTime("", series);
    int counterCount = 0;
    int levelCount = 0;
    for (Map.Entry<String, List<Double>> column : series.columns().entrySet()) {
      String name = column.getKey();
      boolean anything = column.getValue().stream().anyMatch(value -> value > 0);
      if (LEVELS.contains(name)) {
        levels.series("", name, column.getValue());
        levelCount++;
      } else if (anything) {
        counters.view(name).series("", name, column.getValue());
        counterCount++;
      }
    }
    if (levelCount > 0) {
      blocks.add(Block.of(levels.build("chart-levels", "Sessions and waits", "low", "")));
    }
    if (counterCount > 0) {
      blocks.add(Block.of(counters.build("chart-counters", "Counters", "", "")));
    }
  }

  Optional<Section> client() {
    return run.client().map(this::client);
  }

  private Section client(ClientUse client) {
    TableBuilder table = new TableBuilder("").text("What").number("Value", "Limit");
    Map<String, Double> figures = client.figures();
    double cores = figures.getOrDefault("coresAvailable", 0.0);
    add(table, figures, "coresUsed", "processors used", "%.2f", 0.8 * cores, " of " + cores(cores));
    addShare(table, figures, "machineBusyShare", "machine busy", "");
    addShare(table, figures, "gcShare", "garbage collection, share of the interval", "5 %");
    add(table, figures, "gcCount", "garbage collections", "%.0f", 0, "");
    add(table, figures, "gcMillis", "garbage collection, all together", "%.0f", 0, " ms");
    add(table, figures, "recorderStalls", "waits for the recorder", "%.0f", 0, "");
    add(
        table,
        figures,
        "schedulerLatenessP99Millis",
        "lateness of terminals, p99",
        "%.3f",
        0,
        " ms");
    add(table, figures, "connectionWaitP99Millis", "wait for a connection, p99", "%.3f", 0, " ms");
    Double rss = figures.get("peakRssBytes");
    if (rss != null && rss > 0) {
      table.row("memory of the process, peak", Texts.bytes(rss), "");
    }
    String heap =
        run.setup().surroundings().getOrDefault("Driver's Java", Map.of()).get("maxHeapMegabytes");
    if (heap != null) {
      table.row("heap, at most", heap + " MB", "");
    }
    List<Block> blocks = new ArrayList<>();
    if (client.driverBound()) {
      blocks.add(Block.note("It was the bottleneck: " + String.join("; ", client.reasons()) + "."));
    }
    blocks.add(Block.of(table.build()));
    return new Section(
        "client",
        "The load generator itself",
        client.driverBound()
            ? ""
            : "It was not the bottleneck: all its figures are within their limits.",
        blocks);
  }

  private static String cores(double cores) {
    return String.format(Locale.ROOT, "%.0f", cores);
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
}
