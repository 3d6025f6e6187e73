package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Chart;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.LatencyDistribution;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.Timeline;
import io.shardmark.driver.results.reader.TypeData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How long transactions took. */
record LatencySections(RunData run) {
  private static final String UNIT = "ms";

  Section responseTimes() {
    boolean measured = run.types().stream().anyMatch(type -> type.due().count() > 0);
    return new Section(
        "latency",
        "Response times",
        "From when a transaction was due to its last byte, of successful transactions, in ms."
            + (limited() ? " The limits are those of TPC-C 5.2.5.3, for 90 % of each type." : "")
            + partitions(),
        measured
            ? List.of(percentiles(), overTime(), curve(), heat())
            : List.of(new Page.PageNote("There are no latencies.")));
  }

  private boolean limited() {
    return run.tpcc() || run.result().limited();
  }

  /**
   * A row of latencies.
   *
   * @param style empty, {@code total}, or {@code part} of the row above
   * @param limitMillis of the 90th percentile; 0 for none
   * @param met whether the limit is; null without one, unknown if the type did not occur
   */
  private record LatencyRow(
      String style,
      String name,
      Latency figures,
      double limitMillis,
      Page.@Nullable PageGrade met) {
    LatencyRow(String style, String name, Latency figures) {
      this(style, name, figures, 0, null);
    }

    static LatencyRow of(TypeData type) {
      double limit = Math.max(0, type.result().limitMillis());
      Page.PageGrade met =
          type.limitMet()
              .map(yes -> yes ? Page.PageGrade.PASS : Page.PageGrade.FAIL)
              .orElse(Page.PageGrade.UNKNOWN);
      return new LatencyRow("", type.name(), type.figures(), limit, limit == 0 ? null : met);
    }

    String verdict() {
      return met == null
          ? ""
          : met == Page.PageGrade.PASS
              ? "met"
              : met == Page.PageGrade.FAIL ? "not met" : "did not occur";
    }
  }

  private static Columns<LatencyRow> columns() {
    return new Columns<LatencyRow>()
        .text("Transaction type", LatencyRow::name)
        .number("Count", row -> Texts.count(row.figures().count()))
        .styled(LatencyRow::style)
        .latencies(row -> Latency.known(row.figures()), List.of(LatencyFigure.values()));
  }

  /** By type with the limit of each; below all of them together what their time consists of. */
  private Table percentiles() {
    Columns<LatencyRow> columns = columns();
    if (limited()) {
      columns
          .number(
              "Limit of p90", row -> row.limitMillis() == 0 ? "" : Texts.three(row.limitMillis()))
          .text("Limit", LatencyRow::verdict)
          .graded(LatencyRow::met);
    }
    List<LatencyRow> rows = new ArrayList<>(run.types().stream().map(LatencyRow::of).toList());
    Latencies all = run.result().latencyMillis();
    add(rows, "total", "all counted", all.of(Scope.ALL, LatencyKind.DUE));
    add(rows, "part", "from sent to end", all.of(Scope.ALL, LatencyKind.SERVICE));
    add(rows, "part", "wait for a worker", all.of(Scope.ALL, LatencyKind.QUEUE_WAIT));
    add(rows, "part", "wait for a connection", all.of(Scope.ALL, LatencyKind.CONNECTION_WAIT));
    addScopes(rows, all, "part", "one partition", "several partitions");
    return columns.table("", rows);
  }

  private static void add(
      List<LatencyRow> rows, String style, String name, Optional<Latency> figures) {
    figures.ifPresent(known -> rows.add(new LatencyRow(style, name, known)));
  }

  /** What touched one partition and what touched several, if anything touched several. */
  private static void addScopes(
      List<LatencyRow> rows, Latencies latencies, String style, String one, String several) {
    Optional<Latency> distributed = latencies.of(Scope.DISTRIBUTED, LatencyKind.DUE);
    if (distributed.isPresent()) {
      add(rows, style, one, latencies.of(Scope.LOCAL, LatencyKind.DUE));
      add(rows, "part", several, distributed);
    }
  }

  /** That of the type that makes the main figure, small; empty without figures over time. */
  Optional<Page.PageCurve> smallCurve() {
    return run.types().stream()
        .filter(type -> type.result().headline())
        .flatMap(type -> run.timeline().lines().stream().filter(l -> l.type().equals(type.name())))
        .findFirst()
        .map(
            line ->
                new Page.PageCurve(
                    "p95 of %s over time".formatted(line.type()),
                    Texts.range(line.p95(), UNIT),
                    line.p95()));
  }

  private Chart overTime() {
    Timeline timeline = run.timeline();
    Map<String, Double> limits = new LinkedHashMap<>();
    run.types().stream()
        .filter(type -> type.result().limitMillis() > 0)
        .forEach(type -> limits.put(type.name(), type.result().limitMillis()));
    ChartData chart =
        ChartData.time(UNIT, timeline.widthSeconds(), run.result().interval().seconds())
            .limits(limits)
            .events(run.result().events());
    addView(chart, "mean", Timeline.TimeLine::mean);
    addView(chart, "p50", Timeline.TimeLine::p50);
    addView(chart, "p95", Timeline.TimeLine::p95);
    addView(chart, "p99", Timeline.TimeLine::p99);
    chart.firstView(2);
    hideBackground(chart);
    return chart.build(
        "chart-latency",
        "Response time over time",
        "",
        limited()
            ? "A dashed line is the limit of a type, where its response times come near it."
            : "");
  }

  /** Nobody waits for work in the background, and its scale would hide what users wait for. */
  private void hideBackground(ChartData chart) {
    run.types().stream()
        .filter(type -> !type.result().counted())
        .forEach(type -> chart.hidden(type.name()));
  }

  private void addView(
      ChartData chart, String name, Function<Timeline.TimeLine, List<Double>> values) {
    chart.view(name);
    for (Timeline.TimeLine line : run.timeline().lines()) {
      chart.series(line.type(), line.type(), values.apply(line));
    }
  }

  private Chart curve() {
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
    return chart.build(
        "chart-curve",
        "Latency by percentile",
        "half",
        "Read at 99 %: of a hundred transactions one took longer. Both axes are logarithmic.");
  }

  private Chart heat() {
    return ChartData.heat(UNIT, run.heatMap())
        .build(
            "chart-heat",
            "Latencies over time, all types",
            "half",
            "Each cell counts the transactions that ended in that time with that latency; colours"
                + " are logarithmic.");
  }

  Section byType() {
    List<LatencyRow> sent = new ArrayList<>();
    List<LatencyRow> scopes = new ArrayList<>();
    for (TypeData type : run.types()) {
      Latencies latencies = type.result().latencyMillis();
      Optional<Latency> service =
          latencies
              .of(Scope.ALL, LatencyKind.SERVICE)
              .or(() -> Optional.of(type.service().figures()).filter(known -> known.count() > 0));
      add(sent, "", type.name(), service);
      addScopes(scopes, latencies, "", type.name() + ", one", "several");
    }
    return new Section(
        "waits",
        "Response times from sending on, and over partitions",
        "Sent: what database and network took. Between due and sent lie the waits for a"
            + " worker of the driver and for a connection. Measured from sending alone,"
            + " a stall would hide the transactions it delayed."
            + partitions(),
        List.of(
            columns().table("From sent to end, by type, in ms", sent),
            columns().table("One partition and several, by type, in ms", scopes)),
        true);
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
}
