package io.shardmark.driver.report;

import static io.shardmark.driver.results.Texts.text;
import static java.util.Objects.requireNonNullElse;

import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.report.Page.Block;
import io.shardmark.driver.report.Page.Chart;
import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.ProcessorCost;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.ServerProcess;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import io.shardmark.driver.results.reader.SampledSeries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the load generator used, whether that held the run back, who took part if several drivers
 * did, and what the servers used.
 */
public final class DriverSections {
  private static final double MEGABYTE = 1 << 20;

  /** More lines cannot be distinguished; those of the busiest drivers are drawn. */
  private static final int MOST_LINES = 8;

  private final RunData data;
  private final RunResult run;
  private final SortedMap<Integer, SampledSeries> all;
  private final boolean several;

  DriverSections(RunData data) {
    this.data = data;
    run = data.result();
    all = data.resources().clients();
    several = data.drivers().map(Drivers::merged).orElse(all.size() > 1);
  }

  Section client() {
    List<Block> blocks = new ArrayList<>();
    data.client().ifPresent(client -> blocks.add(figures(client)));
    if (!all.isEmpty()) {
      blocks.addAll(charts());
    }
    return new Section("client", "The load generator itself", introOfClient(), blocks, true);
  }

  private String introOfClient() {
    return (data.client().isEmpty()
            ? "The run did not live to judge whether it was the bottleneck."
            : "What it means for the result is in the verdict at the top.")
        + (several
            ? " The table has all drivers together; what each used is under \"The drivers\"."
            : "");
  }

  /** Of a run without a verdict: what its figures over time say; empty if nothing is wrong. */
  String suspicion() {
    return data.client().isPresent()
        ? ""
        : all.entrySet().stream()
            .map(
                one ->
                    suspicion(
                        all.size() > 1 ? "Driver " + one.getKey() : "The load generator",
                        one.getValue()))
            .filter(text -> !text.isEmpty())
            .findFirst()
            .orElse("");
  }

  private static String suspicion(String who, SampledSeries figures) {
    double used = figures.mean("cores_used");
    double available = figures.mean("cores_available");
    double collecting = figures.mean("gc_ms") / 1000;
    if (used > Limits.MOST_CORE_SHARE * available) {
      return text(
          "%s used %.2f of %.0f processors and may have limited this run.", who, used, available);
    }
    return collecting > Limits.MOST_GC_SHARE
        ? "%s spent %s of its time in garbage collection and may have limited this run."
            .formatted(who, Texts.percent(collecting))
        : "";
  }

  /** A figure of the driver; without a value it is not known and not shown. */
  private record DriverFigure(String what, @Nullable String value, String limit) {
    private DriverFigure(String what, @Nullable String value) {
      this(what, value, "");
    }
  }

  private Table figures(Client client) {
    // The limit is one for each driver; their sum says nothing.
    double limit = several ? 0 : Limits.MOST_CORE_SHARE * client.coresAvailable();
    String heap = run.jvm().get("maxHeapMegabytes");
    long peak = client.peakRssBytes();
    Stream<DriverFigure> uses =
        Stream.of(
            new DriverFigure(
                "processors used",
                text("%.2f of %d", client.coresUsed(), client.coresAvailable()),
                limit > 0 ? text("%.2f", limit) : ""),
            new DriverFigure(
                "machine busy",
                percent(client.machineBusyShare()),
                Texts.percent(Limits.MOST_MACHINE_SHARE)),
            new DriverFigure(
                "waits for a processor, share of the time that terminals wanted one",
                percent(client.runnableDelayShare()),
                Texts.percent(Limits.MOST_RUNNABLE_DELAY)),
            new DriverFigure(
                "garbage collection, share of the interval",
                percent(client.gcShare()),
                Texts.percent(Limits.MOST_GC_SHARE)),
            new DriverFigure("garbage collections", Texts.count(client.gcCount())),
            new DriverFigure("garbage collection, all together", text("%,d ms", client.gcMillis())),
            new DriverFigure("waits for the recorder", Texts.count(client.recorderStalls())),
            new DriverFigure(
                "lateness of terminals, p99",
                text("%,.3f ms", client.schedulerLatenessP99Millis())),
            new DriverFigure(
                "wait for a connection, p99", text("%,.3f ms", client.connectionWaitP99Millis())),
            new DriverFigure(
                "memory of the process, peak", peak > 0 ? Texts.bytes((double) peak) : null),
            new DriverFigure("heap, at most", heap == null ? null : heap + " MB"));
    return new Columns<DriverFigure>()
        .prose("What", DriverFigure::what)
        .number("Value", use -> String.valueOf(use.value()))
        .number("Limit", DriverFigure::limit)
        .table("", uses.filter(use -> use.value() != null).toList());
  }

  private static @Nullable String percent(@Nullable Double share) {
    return share == null ? null : Texts.percent(share);
  }

  /** Of one driver its figures, of several a line for each of the busiest. */
  private List<Chart> charts() {
    SortedMap<Integer, SampledSeries> shown = several ? busiest() : all;
    SampledSeries any = shown.values().iterator().next();
    String whose = several ? "each driver" : "the driver";
    String note =
        shown.size() < all.size()
            ? " Those %d of %d drivers that used the most processors."
                .formatted(shown.size(), all.size())
            : "";
    double cores = several ? 100 : any.mean("cores_available");
    ChartData processors = overTime(several ? "% of its processors" : "processors", any);
    if (cores > 0) {
      processors.upTo(cores).mark(Limits.MOST_CORE_SHARE * cores);
    }
    lines(
        processors,
        shown,
        "used by the driver",
        one -> several ? shareOfCores(one) : one.column("cores_used"));
    ChartData collections = overTime("ms", any);
    collections.view("Time per second");
    lines(collections, shown, "garbage collection", one -> one.column("gc_ms"));
    collections.view("Longest");
    lines(collections, shown, "longest collection", one -> one.column("gc_max_ms"));
    ChartData memory = overTime("MB", any);
    if (several) {
      lines(memory.view("Process (RSS)"), shown, "", one -> megabytes(one, "rss_bytes"));
      lines(memory.view("Heap, used"), shown, "", one -> megabytes(one, "heap_used_bytes"));
    } else {
      memory.series("", "process (RSS)", megabytes(any, "rss_bytes"));
      memory.series("", "heap, committed", megabytes(any, "heap_committed_bytes"));
      memory.series("", "heap, used", megabytes(any, "heap_used_bytes"));
    }
    return List.of(
        processors.build(
            "chart-client-cpu",
            "Processors used by " + whose,
            "low",
            several
                ? "Above the line, %s of those it may use, a driver is the bottleneck."
                        .formatted(Texts.percent(Limits.MOST_CORE_SHARE))
                    + note
                : "Of %.0f that it may use. Above the line, %s of them, the driver is the bottleneck."
                    .formatted(cores, Texts.percent(Limits.MOST_CORE_SHARE))),
        collections.build("chart-client-gc", "Garbage collection of " + whose, "low", note.strip()),
        memory.build("chart-client-memory", "Memory of " + whose, "low", note.strip()));
  }

  private SortedMap<Integer, SampledSeries> busiest() {
    SortedMap<Integer, SampledSeries> busiest = new TreeMap<>(all);
    all.entrySet().stream()
        .sorted(Comparator.comparingDouble(one -> -one.getValue().mean("cores_used")))
        .skip(MOST_LINES)
        .forEach(one -> busiest.remove(one.getKey()));
    return busiest;
  }

  private void lines(
      ChartData chart,
      SortedMap<Integer, SampledSeries> shown,
      String nameOfOne,
      Function<SampledSeries, List<Double>> values) {
    shown.forEach(
        (index, one) ->
            chart.series("", several ? "driver " + index : nameOfOne, values.apply(one)));
  }

  private static List<Double> shareOfCores(SampledSeries figures) {
    List<Double> used = figures.column("cores_used");
    List<Double> available = figures.column("cores_available");
    return IntStream.range(0, Math.min(used.size(), available.size()))
        .mapToObj(i -> 100 * used.get(i) / available.get(i))
        .toList();
  }

  private ChartData overTime(String unit, SampledSeries figures) {
    return ChartData.sampled(unit, figures, run.interval().seconds());
  }

  private static List<Double> megabytes(SampledSeries figures, String column) {
    return figures.column(column).stream().map(bytes -> bytes / MEGABYTE).toList();
  }

  /** Who made the run, if several drivers did. */
  Section drivers() {
    if (data.drivers().isEmpty()) {
      return Section.NONE;
    }
    Drivers drivers = data.drivers().get();
    return new Section(
        "drivers",
        "The drivers",
        drivers.merged()
            ? "%d of %d drivers, started together to %s ms. Their counts and histograms are added; nothing is averaged."
                .formatted(
                    drivers.list().size(),
                    drivers.count(),
                    Texts.three(requireNonNullElse(drivers.startSkewMillis(), 0.0)))
            : "This is the result of one of %d drivers. That of all of them is with driver 0."
                .formatted(drivers.count()),
        List.of(figures(run, drivers), starts(drivers)));
  }

  /** A driver, and why its figures are not there; empty if they are. */
  private record Took(Drivers.DriverPart part, String lost) {
    static Took of(Drivers.Lost one) {
      return new Took(
          Drivers.DriverPart.of(
              one.index(), one.from(), one.to(), one.terminals(), 0, 0, 0, null, 0),
          "LOST: " + one.reason());
    }

    String figure(Function<Drivers.DriverPart, String> of) {
      return lost.isEmpty() ? of.apply(part) : Texts.NONE;
    }

    String verdict() {
      return lost.isEmpty() ? part.driverBound() ? "was a bottleneck" : "was no bottleneck" : lost;
    }
  }

  /** Each of several drivers, for a page or the console; none of a result that is not merged. */
  public static Table figures(RunResult run, Drivers drivers) {
    Columns<Took> columns =
        new Columns<Took>()
            .number("Driver", one -> Integer.toString(one.part().index()))
            .text(
                Texts.upperFirst(run.scale().name()),
                one -> one.part().range().isEmpty() ? Texts.NONE : one.part().range())
            .number(
                "Terminals",
                one ->
                    !one.lost().isEmpty() && one.part().terminals() == 0
                        ? Texts.NONE
                        : Texts.count(one.part().terminals()));
    for (Metric metric : run.metrics()) {
      columns.number(
          metric.name(),
          row -> row.figure(one -> Texts.three(one.metrics().getOrDefault(metric.name(), 0.0))));
    }
    columns
        .number("Failed", row -> row.figure(one -> Texts.count(one.errors())))
        .number(
            "Processors",
            row ->
                row.figure(
                    one -> text("%.2f of %d", used(one).coresUsed(), used(one).coresAvailable())))
        .number(
            "Lateness p99 (ms)",
            row -> row.figure(one -> Texts.three(used(one).schedulerLatenessP99Millis())))
        .prose("Verdict", Took::verdict)
        .graded(
            row ->
                !row.lost().isEmpty() || row.part().driverBound()
                    ? Page.PageGrade.FAIL
                    : Page.PageGrade.PASS);
    return columns.table(
        "What each driver did and used",
        drivers.merged()
            ? Stream.concat(
                    drivers.list().stream().map(one -> new Took(one, "")),
                    drivers.lost().stream().map(Took::of))
                .toList()
            : List.of());
  }

  private static Client used(Drivers.DriverPart one) {
    return requireNonNullElse(one.client(), Client.of(0, 0, 0));
  }

  private static Table starts(Drivers drivers) {
    return new Columns<Drivers.DriverPart>()
        .number("Driver", one -> Integer.toString(one.index()))
        .number("Start uncertain by", one -> Texts.three(one.startUncertaintyMillis()))
        .number("Terminals late by", one -> Texts.three(one.startLateMillis()))
        .number("Clock drift to the end", one -> Texts.known(one.clockDriftMillis()))
        .table("How well their clocks and starts agreed with driver 0, in ms", drivers.list());
  }

  /** What a reader must know of the drivers before the figures are used; may be empty. */
  String warning() {
    if (data.drivers().isEmpty()) {
      return "";
    }
    Drivers drivers = data.drivers().get();
    if (!drivers.merged()) {
      return "This is the result of driver %s of %d alone."
          .formatted(
              drivers.list().isEmpty() ? "?" : drivers.list().get(0).index(), drivers.count());
    }
    List<String> names = drivers.lost().stream().map(this::name).toList();
    return names.isEmpty()
        ? ""
        : "INCOMPLETE: the results of %s are missing. What they did is in no figure, and all rates are too low."
            .formatted(String.join(", ", names));
  }

  private String name(Drivers.Lost lost) {
    return "driver %d%s"
        .formatted(
            lost.index(),
            lost.range().isEmpty() ? "" : " (" + run.scale().name() + " " + lost.range() + ")");
  }

  /**
   * What a process took of the processors; null where that is not known.
   *
   * @param style of its row: empty but for all processes together
   */
  private record Processors(
      String style, ServerProcess process, @Nullable Double seconds, @Nullable Double micros) {
    String figure(@Nullable Double value) {
      return style.isEmpty() ? Texts.known(seconds == null ? null : value) : "";
    }
  }

  private static ServerProcess process(String role) {
    return new ServerProcess(role, "", "", null, null);
  }

  private Processors processors(ServerProcess process, @Nullable Double seconds) {
    Double micros = seconds == null ? null : ProcessorCost.micros(run, seconds);
    return new Processors("", process, seconds, micros);
  }

  /** Only of a run that looked at the processes of its database. */
  Section processors() {
    List<ServerProcess> servers = run.serverProcesses();
    if (servers.isEmpty()) {
      return Section.NONE;
    }
    List<Processors> rows = new ArrayList<>();
    servers.forEach(one -> rows.add(processors(one, one.processorSeconds())));
    data.client()
        .map(client -> ProcessorCost.driverSeconds(run, client))
        .ifPresent(used -> rows.add(processors(process(ProcessorCost.DRIVER), used)));
    ProcessorCost.of(run)
        .ifPresent(cost -> rows.add(new Processors("total", process("all"), null, cost.all())));
    double interval = run.interval().seconds();
    Table table =
        new Columns<Processors>()
            .text("Process", row -> row.process().role())
            .text("Address", row -> row.process().address())
            .text("Program", row -> requireNonNullElse(row.process().program(), Texts.NONE))
            .number(
                "Processors",
                row -> {
                  Double used = row.seconds();
                  return row.figure(interval == 0 || used == null ? null : used / interval);
                })
            .number("User, s", row -> row.figure(row.process().userSeconds()))
            .number("System, s", row -> row.figure(row.process().systemSeconds()))
            .number("µs per transaction", row -> Texts.known(row.micros()))
            .styled(Processors::style)
            .table("In the measurement interval", rows);
    boolean unknown = servers.stream().anyMatch(one -> one.processorSeconds() == null);
    return new Section(
        "processors",
        "Processor time",
        "Of the process that listens at an address and of those that it started. Transactions are"
            + " those that succeeded.",
        List.of(
            table,
            new Page.PageNote(
                unknown
                    ? "Not read: a process on another machine, or of a user whose processes the"
                        + " driver may not see."
                    : "")));
  }
}
