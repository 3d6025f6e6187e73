package io.shardmark.driver.report.html;

import io.shardmark.driver.report.LatencyBreakdown;
import io.shardmark.driver.report.LatencyBreakdown.Kind;
import io.shardmark.driver.report.LatencyBreakdown.LatencyFigures;
import io.shardmark.driver.report.LatencyBreakdown.Scope;
import io.shardmark.driver.report.LatencyDistribution;
import io.shardmark.driver.report.RunData;
import io.shardmark.driver.report.Timeline;
import io.shardmark.driver.report.TypeData;
import io.shardmark.driver.report.html.Page.Block;
import io.shardmark.driver.report.html.Page.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How long transactions took. */
final class LatencySections {
  private static final String UNIT = "ms";
  private static final String TYPE = "Transaction type";
  private static final List<String> PERCENTILES = List.of("p50", "p90", "p95", "p99", "p99.9");

  private final RunData run;

  LatencySections(RunData run) {
    this.run = run;
  }

  Section responseTimes() {
    List<Block> blocks = new ArrayList<>();
    boolean measured = run.types().stream().anyMatch(type -> type.due().count() > 0);
    if (!measured) {
      blocks.add(Block.note("There are no latencies."));
    } else {
      blocks.add(Block.of(percentiles().build()));
      if (!run.timeline().lines().isEmpty()) {
        blocks.add(overTime());
      }
      blocks.add(curve());
      if (run.heatMap().columns() > 0) {
        blocks.add(
            Block.of(
                ChartData.heat(UNIT, run.heatMap())
                    .build(
                        "chart-heat",
                        "Latencies over time, all types",
                        "tall",
                        "Each cell counts the transactions that ended in that time with that latency; colours are logarithmic.")));
      }
    }
    return new Section(
        "latency",
        "Response times",
        "From when a transaction was due to its last byte, of successful transactions, in ms.",
        blocks);
  }

  private LatencyTable percentiles() {
    LatencyTable table = new LatencyTable("", TYPE);
    for (TypeData type : run.types()) {
      LatencyFigures figures =
          type.latency()
              .flatMap(latency -> latency.of(Scope.ALL, Kind.DUE))
              .orElseGet(() -> type.due().figures());
      table.row(type.name(), figures);
    }
    run.latency()
        .flatMap(latency -> latency.of(Scope.ALL, Kind.DUE))
        .ifPresent(figures -> table.total("all counted", figures));
    return table;
  }

  private Block overTime() {
    Timeline timeline = run.timeline();
    ChartData chart = ChartData.time(UNIT, timeline.widthSeconds(), run.interval().seconds());
    addView(chart, "mean", Timeline.Line::mean);
    addView(chart, "p50", Timeline.Line::p50);
    addView(chart, "p95", Timeline.Line::p95);
    addView(chart, "p99", Timeline.Line::p99);
    chart.firstView(2);
    return Block.of(chart.build("chart-latency", "Response time over time", "", ""));
  }

  private void addView(ChartData chart, String name, Function<Timeline.Line, List<Double>> values) {
    chart.view(name);
    for (Timeline.Line line : run.timeline().lines()) {
      chart.series(line.type(), line.type(), values.apply(line));
    }
  }

  private Block curve() {
    ChartData chart = ChartData.curve(UNIT);
    LatencyDistribution all = LatencyDistribution.NONE;
    for (TypeData type : run.types()) {
      all = type.rule().counted() ? all.plus(type.due()) : all;
      if (type.due().count() > 0) {
        chart.curve(type.name(), type.name(), type.due().curve());
      }
    }
    if (all.count() > 0) {
      chart.curve("total", "all counted", all.curve());
    }
    return Block.of(
        chart.build(
            "chart-curve",
            "Latency by percentile",
            "",
            "Read at 99 %: of a hundred transactions one took longer. Both axes are logarithmic."));
  }

  /** Due time against send time. */
  Optional<Section> kinds() {
    List<Block> blocks = new ArrayList<>();
    if (run.latency().isPresent()) {
      kindsOfSummary(run.latency().get(), blocks);
    } else {
      kindsOfRows(blocks);
    }
    if (blocks.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Section(
            "waits",
            "From due and from sent",
            "Due: what the user of a terminal waited. Sent: what database and network took. Between them lie the waits for a worker of the driver and for a connection. Measured from sending alone, a stall would hide the transactions it delayed.",
            blocks));
  }

  private void kindsOfSummary(LatencyBreakdown all, List<Block> blocks) {
    ChartData chart = ChartData.steps(UNIT, PERCENTILES);
    LatencyTable table = new LatencyTable("All counted types, in ms", "Measured");
    addKind(all, Kind.DUE, "from due to end", "total", table, chart);
    addKind(all, Kind.SERVICE, "from sent to end", "NEW_ORDER", table, chart);
    addKind(all, Kind.QUEUE_WAIT, "wait for a worker", "", table, null);
    addKind(all, Kind.CONNECTION_WAIT, "wait for a connection", "", table, null);
    if (table.isEmpty()) {
      return;
    }
    blocks.add(Block.of(table.build()));
    blocks.add(Block.of(chart.build("chart-waits", "From due and from sent", "low", "")));
    LatencyTable byType = new LatencyTable("From sent to end, by type, in ms", TYPE);
    for (TypeData type : run.types()) {
      type.latency()
          .flatMap(latency -> latency.of(Scope.ALL, Kind.SERVICE))
          .ifPresent(figures -> byType.row(type.name(), figures));
    }
    blocks.add(Block.of(byType.build()));
  }

  private static void addKind(
      LatencyBreakdown all,
      Kind kind,
      String name,
      String key,
      LatencyTable table,
      @Nullable ChartData chart) {
    all.of(Scope.ALL, kind)
        .ifPresent(
            figures -> {
              table.row(name, figures);
              if (chart != null) {
                chart.series(key, name, values(figures));
              }
            });
  }

  private static List<Double> values(LatencyFigures figures) {
    return List.of(figures.p50(), figures.p90(), figures.p95(), figures.p99(), figures.p999());
  }

  private void kindsOfRows(List<Block> blocks) {
    LatencyTable table = new LatencyTable("From sent to end, in ms", TYPE);
    for (TypeData type : run.types()) {
      if (type.service().count() > 0) {
        table.row(type.name(), type.service().figures());
      }
    }
    if (!table.isEmpty()) {
      blocks.add(Block.of(table.build()));
    }
  }

  /** One partition against several. */
  Optional<Section> partitions() {
    Optional<LatencyFigures> local =
        run.latency().flatMap(latency -> latency.of(Scope.LOCAL, Kind.DUE));
    Optional<LatencyFigures> distributed =
        run.latency().flatMap(latency -> latency.of(Scope.DISTRIBUTED, Kind.DUE));
    if (local.isEmpty() || distributed.isEmpty()) {
      return Optional.empty();
    }
    LatencyTable table = new LatencyTable("", TYPE);
    for (TypeData type : run.types()) {
      type.latency().ifPresent(latency -> addScopes(table, type.name(), latency));
    }
    table.total("all counted, one", local.get());
    table.total("all counted, several", distributed.get());
    ChartData chart = ChartData.steps(UNIT, PERCENTILES);
    chart.series("NEW_ORDER", "one partition", values(local.get()));
    chart.series("PAYMENT", "several partitions", values(distributed.get()));
    double share =
        (double) distributed.get().count() / (local.get().count() + distributed.get().count());
    String shards = run.setup().surroundings().getOrDefault("Workload", Map.of()).get("shards");
    return Optional.of(
        new Section(
            "partitions",
            "One partition and several",
            "%s of the counted transactions touched more than one partition. A partition is %s."
                .formatted(
                    Texts.share(share),
                    shards == null
                        ? "a warehouse, because the database said nothing of shards"
                        : "one of " + shards + " shards"),
            List.of(
                Block.of(table.build()),
                Block.of(
                    chart.build("chart-partitions", "One partition and several", "low", "")))));
  }

  private static void addScopes(LatencyTable table, String name, LatencyBreakdown latency) {
    Optional<LatencyFigures> distributed = latency.of(Scope.DISTRIBUTED, Kind.DUE);
    if (distributed.isPresent()) {
      latency.of(Scope.LOCAL, Kind.DUE).ifPresent(figures -> table.row(name + ", one", figures));
      table.part("several", distributed.get());
    }
  }
}
