package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Chart;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.SampledSeries;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What machines and database did meanwhile. */
record ResourceSections(RunData run) {
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

  /** Less of the processors' time is nothing. */
  private static final double LEAST_SHOWN = 0.0005;

  private static final Pattern OF_MACHINE = Pattern.compile("(.+?)_(?:driver(\\d+)|at_(.+))");

  Section system() {
    List<Block> blocks = new ArrayList<>();
    if (run.resources().system().isPresent()) {
      SampledSeries series = run.resources().system().get();
      blocks.add(cpu("chart-cpu", "CPU utilization", series));
      if (!series.column("vm_nr_dirty").isEmpty()) {
        blocks.add(dirty(series));
      }
    }
    List<String> idle = new ArrayList<>();
    for (Map.Entry<String, SampledSeries> one : run.resources().devices().entrySet()) {
      String device = one.getKey();
      SampledSeries series = one.getValue();
      if (device.startsWith("sys_info")) {
        String title = "CPU utilization of the machine" + whose(device);
        blocks.add(cpu("chart-cpu-" + device, title, series));
      } else if (isIdle(series)) {
        idle.add(device(device));
      } else {
        blocks.add(device.startsWith("blk_") ? block(device, series) : network(device, series));
      }
    }
    if (!idle.isEmpty()) {
      blocks.add(new Page.PageNote("Devices that did nothing: " + String.join(", ", idle) + "."));
    }
    return new Section(
        "system", "Operating system", "Of the machine that the OS collector looked at.", blocks);
  }

  /** A file of another driver's machine ends in its index, one of a further machine in its host. */
  private static String whose(String file) {
    Matcher matcher = OF_MACHINE.matcher(file);
    if (!matcher.matches()) {
      return "";
    }
    return matcher.group(2) == null ? " " + matcher.group(3) : " of driver " + matcher.group(2);
  }

  /** Its name, without the {@code blk_} or {@code net_} in front. */
  private static String device(String file) {
    Matcher matcher = OF_MACHINE.matcher(file);
    return (matcher.matches() ? matcher.group(1) : file).substring("blk_".length()) + whose(file);
  }

  private static String cpuMeans(SampledSeries series) {
    String means =
        series.columns().keySet().stream()
            .filter(column -> column.startsWith("cpu_") && series.mean(column) >= LEAST_SHOWN)
            .map(column -> column.substring(4) + " " + Texts.percent(series.mean(column)))
            .collect(Collectors.joining(", "));
    return means.isEmpty() ? "" : "Means: " + means + ".";
  }

  private ChartData overTime(String unit, SampledSeries series) {
    return ChartData.sampled(unit, series, run.result().interval().seconds())
        .events(run.result().events());
  }

  private Chart cpu(String id, String title, SampledSeries series) {
    ChartData chart = overTime("%", series).stackedUpTo(100);
    for (String name : CPU) {
      List<Double> values =
          series.column("cpu_" + name).stream().map(share -> 100 * share).toList();
      boolean shown = values.stream().anyMatch(value -> value > 0);
      if (shown) {
        chart.series("", name, values);
      }
    }
    return chart.build(id, title, "low", cpuMeans(series));
  }

  private Chart dirty(SampledSeries series) {
    return overTime("pages", series)
        .series("", "dirty pages", series.column("vm_nr_dirty"))
        .build("chart-dirty", "Dirty kernel buffers", "low", "");
  }

  /** A chart of nothing would only take the room of one. */
  private static boolean isIdle(SampledSeries series) {
    return series.columns().values().stream()
        .flatMap(List::stream)
        .noneMatch(value -> Math.abs(value) > 0);
  }

  private Chart block(String device, SampledSeries series) {
    ChartData chart = overTime("per second", series);
    addPair(chart.view("Operations"), series, "reads", "rdiops", "writes", "wriops");
    addPair(chart.view("KB"), series, "read", "rdkbps", "written", "wrkbps");
    return chart.build("chart-" + device, "Block device " + device(device), "low", "");
  }

  private Chart network(String device, SampledSeries series) {
    ChartData chart = overTime("per second", series);
    addPair(chart.view("KB"), series, "received", "rxkbps", "sent", "txkbps");
    addPair(chart.view("Packets"), series, "received", "rxpktsps", "sent", "txpktsps");
    return chart.build("chart-" + device, "Network device " + device(device), "low", "");
  }

  private static void addPair(ChartData chart, SampledSeries series, String... namesAndColumns) {
    for (int i = 0; i < namesAndColumns.length; i += 2) {
      chart.series("", namesAndColumns[i], series.column(namesAndColumns[i + 1]));
    }
  }

  Section database() {
    return new Section(
        "database",
        "Database",
        "What the server counted, over time.",
        run.resources().database().map(this::databaseCharts).orElse(List.of()));
  }

  /** What the server counted, all of it. */
  Section databaseFigures() {
    double transactions = run.result().transactionCount();
    return new Section(
        "database-figures",
        "Figures of the database",
        "What the server counted, under its own names.",
        List.of(
            new Columns<Map.Entry<String, Double>>()
                .text("Figure", Map.Entry::getKey)
                .number("Value", one -> shown(one.getKey(), one.getValue()))
                .number(
                    "Per transaction",
                    one ->
                        one.getKey().endsWith("_max") || one.getKey().equals("relation_bytes")
                            ? Texts.NONE
                            : shown(one.getKey(), one.getValue() / transactions))
                .table(
                    "During the interval", List.copyOf(run.result().databaseFigures().entrySet()))),
        true);
  }

  private static String shown(String name, double value) {
    return name.contains("bytes") ? Texts.bytes(value) : Texts.three(value);
  }

  private List<Block> databaseCharts(SampledSeries series) {
    ChartData counters = overTime("per second", series);
    ChartData levels = overTime("", series);
    ChartData lags = overTime("", series);
    series
        .columns()
        .forEach(
            (name, values) -> {
              if (name.startsWith("replay_lag_")) {
                lags.view(name).series("", name, values);
              } else if (LEVELS.contains(name)) {
                levels.series("", name, values);
              } else if (values.stream().anyMatch(value -> value > 0)) {
                counters.view(name).series("", name, values);
              }
            });
    return List.of(
        levels.build("chart-levels", "Sessions and waits", "low", ""),
        lags.build("chart-lags", "Lag of the standby", "low", ""),
        counters.build("chart-counters", "Counters", "low", ""));
  }
}
