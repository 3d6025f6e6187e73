package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.LatencyDistribution;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.Timeline;
import io.shardmark.driver.results.reader.TypeData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** How long transactions took. */
final class LatencySections {
  private static final String UNIT = "ms";
  private static final String TYPE = "Transaction type";

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
                        "half",
                        "Each cell counts the transactions that ended in that time with that latency; colours are logarithmic.")));
      }
    }
    return new Section(
        "latency",
        "Response times",
        "From when a transaction was due to its last byte, of successful transactions, in ms."
            + (limited() ? " The limits are those of TPC-C 5.2.5.3, for 90 % of each type." : "")
            + partitions(),
        blocks);
  }

  private boolean limited() {
    return run.tpcc() || run.result().limited();
  }

  /** By type with the limit of each; below all of them together what their time consists of. */
  private LatencyTable percentiles() {
    LatencyTable table = new LatencyTable("", TYPE);
    if (limited()) {
      table.addLimits();
    }
    for (TypeData type : run.types()) {
      double limit = type.result().limitMillis();
      if (limit > 0) {
        table.row(type.name(), type.figures(), limit, type.limitMet());
      } else {
        table.row(type.name(), type.figures());
      }
    }
    addParts(table, run.result().latencyMillis());
    return table;
  }

  private static void addParts(LatencyTable table, Latencies all) {
    all.of(Scope.ALL, LatencyKind.DUE).ifPresent(figures -> table.total("all counted", figures));
    all.of(Scope.ALL, LatencyKind.SERVICE)
        .ifPresent(figures -> table.part("from sent to end", figures));
    all.of(Scope.ALL, LatencyKind.QUEUE_WAIT)
        .ifPresent(figures -> table.part("wait for a worker", figures));
    all.of(Scope.ALL, LatencyKind.CONNECTION_WAIT)
        .ifPresent(figures -> table.part("wait for a connection", figures));
    Optional<Latency> distributed = all.of(Scope.DISTRIBUTED, LatencyKind.DUE);
    if (distributed.isPresent()) {
      all.of(Scope.LOCAL, LatencyKind.DUE)
          .ifPresent(figures -> table.part("one partition", figures));
      table.part("several partitions", distributed.get());
    }
  }

  /** That of the type that makes the main figure, small; empty without figures over time. */
  Optional<Curve> smallCurve() {
    return run.types().stream()
        .filter(type -> type.result().headline())
        .flatMap(type -> run.timeline().lines().stream().filter(l -> l.type().equals(type.name())))
        .findFirst()
        .map(
            line ->
                Curve.of(
                    "p95 of %s over time".formatted(line.type()),
                    Texts.range(line.p95(), UNIT),
                    line.p95()));
  }

  private Block overTime() {
    Timeline timeline = run.timeline();
    ChartData chart =
        ChartData.time(UNIT, timeline.widthSeconds(), run.result().interval().seconds());
    addView(chart, "mean", Timeline.Line::mean);
    addView(chart, "p50", Timeline.Line::p50);
    addView(chart, "p95", Timeline.Line::p95);
    addView(chart, "p99", Timeline.Line::p99);
    chart.firstView(2);
    hideBackground(chart);
    for (TypeData type : run.types()) {
      if (type.result().limitMillis() > 0) {
        chart.limit(type.name(), type.result().limitMillis());
      }
    }
    return Block.of(
        chart.build(
            "chart-latency",
            "Response time over time",
            "",
            limited()
                ? "A dashed line is the limit of a type, where its response times come near it."
                : ""));
  }

  /** Nobody waits for work in the background, and its scale would hide what users wait for. */
  private void hideBackground(ChartData chart) {
    run.types().stream()
        .filter(type -> !type.result().counted())
        .forEach(type -> chart.hidden(type.name()));
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
      all = type.result().counted() ? all.plus(type.due()) : all;
      if (type.due().count() > 0) {
        chart.curve(type.name(), type.name(), type.due().curve());
      }
    }
    if (all.count() > 0) {
      chart.curve("total", "all counted", all.curve());
    }
    hideBackground(chart);
    return Block.of(
        chart.build(
            "chart-curve",
            "Latency by percentile",
            "half",
            "Read at 99 %: of a hundred transactions one took longer. Both axes are logarithmic."));
  }

  /** By type: from sending on, and one partition against several. */
  Optional<Section> byType() {
    List<Block> blocks = new ArrayList<>();
    LatencyTable sent = new LatencyTable("From sent to end, by type, in ms", TYPE);
    LatencyTable scopes = new LatencyTable("One partition and several, by type, in ms", TYPE);
    for (TypeData type : run.types()) {
      Optional<Latency> service = type.result().latencyMillis().of(Scope.ALL, LatencyKind.SERVICE);
      if (service.isPresent()) {
        sent.row(type.name(), service.get());
      } else if (type.service().count() > 0) {
        sent.row(type.name(), type.service().figures());
      }
      addScopes(scopes, type.name(), type.result().latencyMillis());
    }
    if (!sent.isEmpty()) {
      blocks.add(Block.of(sent.build()));
    }
    if (!scopes.isEmpty()) {
      blocks.add(Block.of(scopes.build()));
    }
    return blocks.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Section(
                    "waits",
                    "Response times from sending on, and over partitions",
                    "Sent: what database and network took. Between due and sent lie the waits for a"
                        + " worker of the driver and for a connection. Measured from sending alone,"
                        + " a stall would hide the transactions it delayed."
                        + partitions(),
                    blocks)
                .fold());
  }

  /** What a partition is, where transactions touched several. */
  private String partitions() {
    Optional<Latency> local = run.result().latencyMillis().of(Scope.LOCAL, LatencyKind.DUE);
    Optional<Latency> distributed =
        run.result().latencyMillis().of(Scope.DISTRIBUTED, LatencyKind.DUE);
    if (local.isEmpty() || distributed.isEmpty()) {
      return "";
    }
    double share =
        (double) distributed.get().count() / (local.get().count() + distributed.get().count());
    String shards = run.result().facts().get("shards");
    return " %s of the counted transactions touched more than one partition. A partition is %s."
        .formatted(
            Texts.percent(share),
            shards == null
                ? run.tpcc()
                    ? "a %s, because the database said nothing of shards"
                        .formatted(run.result().scale().singular())
                    : "a shard"
                : "one of " + shards + " shards");
  }

  private static void addScopes(LatencyTable table, String name, Latencies latency) {
    Optional<Latency> distributed = latency.of(Scope.DISTRIBUTED, LatencyKind.DUE);
    if (distributed.isPresent()) {
      latency
          .of(Scope.LOCAL, LatencyKind.DUE)
          .ifPresent(figures -> table.row(name + ", one", figures));
      table.part("several", distributed.get());
    }
  }
}
