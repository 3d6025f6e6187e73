package io.shardmark.driver.console;

import io.shardmark.driver.audit.AuditTable;
import io.shardmark.driver.measure.ErrorLog.ErrorCount;
import io.shardmark.driver.measure.LatencyFigures;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.RunStatistics.Counting;
import io.shardmark.driver.measure.StageFigures;
import io.shardmark.driver.measure.StatementFigures;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.result.RunSummary;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.ObserverNote;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.StageResult;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The closing lines of a run: BenchmarkSQL's five, then what it does not tell. Pure. */
public final class FinalReport {
  private static final DateTimeFormatter SESSION =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final double MOST_WITHOUT_EXPONENT = 1e7;
  private static final int MOST_ERROR_LINES = 20;
  private static final int LONGEST_EXAMPLE = 100;
  private static final int MOST_STATEMENT_LINES = 10;

  /** What BenchmarkSQL calls the metrics that it has too. */
  static final Map<String, String> BENCHMARKSQL_NAMES =
      Map.of("tpmC", "tpmC (NewOrders)", "tpmTotal", "tpmTOTAL");

  private final RunSummary summary;
  private final RunResult result;
  private final RunStatistics run;
  private final List<String> lines = new ArrayList<>();

  private FinalReport(RunSummary summary) {
    this.summary = summary;
    this.result = summary.result();
    this.run = summary.statistics();
  }

  /** The lines, each to be printed with {@link RunConsole#info}. */
  public static List<String> lines(RunSummary summary) {
    FinalReport report = new FinalReport(summary);
    report.addVerdict();
    report.addBenchmarkSqlLines();
    report.addOtherCounting();
    report.addEnding();
    report.addLoad();
    report.addStages();
    report.addLatencies();
    report.addStatements();
    report.addErrors();
    report.addObservers();
    report.addAudit();
    report.addClient();
    summary.drivers().filter(Drivers::merged).ifPresent(report::addDrivers);
    return List.copyOf(report.lines);
  }

  private void addVerdict() {
    RunVerdict verdict = summary.verdict();
    lines.add("");
    lines.add("");
    lines.add("Verdict: " + verdict.sentence());
    verdict.findings().stream()
        .skip(1)
        .forEach(finding -> lines.add("Also:    " + finding.sentence()));
    summary.thresholds().forEach(result -> lines.add("failOn " + result.sentence()));
    lines.add("Bottleneck: " + summary.bottleneck().sentence());
  }

  /** Scripts search these; their text is BenchmarkSQL's to the last character. */
  private void addBenchmarkSqlLines() {
    lines.add("");
    for (Metric metric : result.metrics()) {
      String known = BENCHMARKSQL_NAMES.get(metric.name());
      lines.add(
          known == null
              ? text("Measured %s = %.2f", metric.name(), metric.value())
              : "Measured " + known + " = " + plain(metric.value()));
    }
    lines.add("Session Start     = " + instant(summary.session().sessionStart()));
    lines.add("Session End       = " + instant(summary.session().sessionEnd()));
    lines.add("Transaction Count = " + run.transactionCount(Counting.SUCCESSES));
  }

  private static String instant(String iso) {
    return OffsetDateTime.parse(iso).format(SESSION);
  }

  private void addOtherCounting() {
    List<String> figures = new ArrayList<>();
    for (Metric metric : result.metrics()) {
      if (metric.asBenchmarkSql() != null) {
        figures.add(metric.name() + " " + plain(metric.asBenchmarkSql()));
      }
    }
    long all = run.transactionCount(Counting.AS_BENCHMARKSQL);
    if (figures.isEmpty() || run.transactionCount(Counting.SUCCESSES) == all) {
      return; // then only its extra 1 differs
    }
    lines.add("");
    lines.add(
        "As BenchmarkSQL counts, failed transactions included: %s, count %d"
            .formatted(String.join(", ", figures), all));
  }

  private void addEnding() {
    lines.add("");
    double seconds = run.interval().lengthNanos() / 1e9;
    switch (summary.session().ending()) {
      case COMPLETED -> lines.add(text("Measurement interval: %.3f s", seconds));
      case INTERRUPTED ->
          lines.add(text("The run was interrupted. Measurement interval: %.3f s", seconds));
      case INCOMPLETE ->
          lines.add(
              text(
                  "INCOMPLETE: results of some drivers are missing, all rates are too low."
                      + " Measurement interval: %.3f s",
                  seconds));
      case UNKNOWN -> throw new IllegalStateException("a run without an ending");
      case ABORTED ->
          lines.add(
              text(
                  "ABORTED by a fault of the driver: its figures are not a result. Measurement"
                      + " interval: %.3f s",
                  seconds));
    }
    summary.trouble().faults().forEach(fault -> lines.add("  " + fault.sentence()));
  }

  /** Where a rate was asked for, or something was left undone. */
  private void addLoad() {
    LoadFigures load = run.load();
    if (load.askedPerMinute() > 0) {
      lines.add(
          text(
              "Load: asked %.0f per minute    due %d    begun %d    done %d    in flight at the end"
                  + " %d",
              load.askedPerMinute(), load.due(), load.begun(), load.done(), load.inFlightAtEnd()));
      lines.add(
          text(
              "Backlog (due, not begun): %d at the start, %d at the end, growth %+d",
              load.backlogAtStart(), load.backlogAtEnd(), load.backlogGrowth()));
    } else if (load.backlogAtEnd() + load.inFlightAtEnd() > 0) {
      lines.add(
          text(
              "Not done when the interval ended: %d in flight, %d due and not begun",
              load.inFlightAtEnd(), load.backlogAtEnd()));
    }
    if (load.brokenOff() > 0) {
      lines.add(text("Broken off after the end: %d", load.brokenOff()));
    }
  }

  /** What each rate did. */
  private void addStages() {
    if (run.stages().isEmpty()) {
      return;
    }
    lines.add("");
    List<StageResult> rates = result.stages();
    Optional<Metric> all =
        result.metrics().stream()
            .filter(metric -> rates.get(0).metrics().containsKey(metric.name()))
            .reduce((first, second) -> second);
    String ofAll = all.map(Metric::name).orElse("rate");
    lines.add(
        "Stages, rates per %s; response times in ms, from due to done:"
            .formatted(all.map(Metric::period).orElse("minute")));
    String format = "%-5s %12s %9s %8s %8s %8s %8s %9s %9s %9s";
    lines.add(
        format.formatted(
            "", "stage", ofAll, "due", "begun", "done", "backlog", "failed", "p90", "p99"));
    for (StageFigures stage : run.stages()) {
      LatencyFigures due = stage.due();
      lines.add(
          format.formatted(
              text("%d", run.stages().indexOf(stage) + 1),
              stage.stage(),
              text(
                  "%.0f",
                  rates.get(run.stages().indexOf(stage)).metrics().getOrDefault(ofAll, 0.0)),
              stage.load().due(),
              stage.load().begun(),
              stage.load().done(),
              stage.load().backlogAtEnd(),
              stage.errors(),
              due.isEmpty() ? "-" : figure(due, 90, due.p90Nanos()),
              due.isEmpty() ? "-" : figure(due, 99, due.p99Nanos())));
    }
  }

  private static String judged(Duration limit, LatencyFigures due) {
    boolean met = due.p90Nanos() < limit.toNanos();
    return text("%.0f s %s", limit.toMillis() / 1000.0, met ? "met" : "MISSED");
  }

  private void addLatencies() {
    lines.add("");
    lines.add("Response times in ms, from due to done, of successful transactions:");
    String format = "%-14s %10s %9s %9s %9s %9s %9s %9s %9s  %s";
    boolean limited =
        run.types().stream().anyMatch(type -> type.type().responseTimeLimit().isPresent());
    lines.add(
        format
            .formatted(
                "type",
                "count",
                "mean",
                "p50",
                "p90",
                "p95",
                "p99",
                "p99.9",
                "max",
                limited ? "p90 limit" : "")
            .stripTrailing());
    for (TypeStatistics type : run.types()) {
      LatencyFigures due = type.latency(LatencyKind.DUE, Scope.ALL);
      if (!due.isEmpty()) {
        String limit =
            type.type()
                .responseTimeLimit()
                .map(given -> judged(given, due))
                .orElse(limited ? "none" : "");
        lines.add(latencyLine(format, type.type().name(), due, limit));
      } else if (type.errors() > 0) {
        lines.add(
            text("%-14s %10d  %d failed, none succeeded", type.type().name(), 0, type.errors()));
      }
      addDistributed(format, type);
    }
    if (run.overall(LatencyKind.DUE, Scope.ALL).isLowerBound(100)) {
      lines.add(
          ">= is a lower bound: transactions that were not done when the interval ended count with"
              + " their age");
    }
    LatencyFigures service = run.overall(LatencyKind.SERVICE, Scope.ALL);
    if (service.count() > 0) {
      lines.add(latencyLine(format, "all, database", service, ""));
    }
  }

  /** Those that stayed in one partition and those that did not, where there are both. */
  private void addDistributed(String format, TypeStatistics type) {
    LatencyFigures local = type.latency(LatencyKind.DUE, Scope.LOCAL);
    LatencyFigures distributed = type.latency(LatencyKind.DUE, Scope.DISTRIBUTED);
    if (distributed.count() > 0 && local.count() > 0) {
      lines.add(latencyLine(format, "  local", local, ""));
      lines.add(latencyLine(format, "  distributed", distributed, ""));
    }
  }

  private static String latencyLine(
      String format, String name, LatencyFigures figures, String remark) {
    return format
        .formatted(
            name,
            figures.count(),
            // Any of them may lie above any mean.
            figure(figures, 100, figures.meanNanos()),
            figure(figures, 50, figures.p50Nanos()),
            figure(figures, 90, figures.p90Nanos()),
            figure(figures, 95, figures.p95Nanos()),
            figure(figures, 99, figures.p99Nanos()),
            figure(figures, 99.9, figures.p999Nanos()),
            figure(figures, 100, figures.maxNanos()),
            remark)
        .stripTrailing();
  }

  private static String figure(LatencyFigures figures, double percentile, long nanos) {
    return (figures.isLowerBound(percentile) ? ">=" : "") + millis(nanos);
  }

  /** Those that took the most time in all; the others are in the result. */
  private void addStatements() {
    if (run.statements().isEmpty()) {
      return;
    }
    lines.add("");
    lines.add("Statements that took the most time, in ms from call to answer:");
    String format = "%-14s %10s %9s %9s %9s %9s  %s";
    lines.add(format.formatted("type", "count", "mean", "p50", "p99", "max", "statement"));
    run.statements().stream()
        .sorted(Comparator.comparingLong(StatementFigures::totalNanos).reversed())
        .limit(MOST_STATEMENT_LINES)
        .forEach(
            statement ->
                lines.add(
                    format.formatted(
                        run.types().get(statement.typeIndex()).type().name(),
                        statement.latency().count(),
                        millis(statement.latency().meanNanos()),
                        millis(statement.latency().p50Nanos()),
                        millis(statement.latency().p99Nanos()),
                        millis(statement.latency().maxNanos()),
                        cut(statement.statement()))));
  }

  private void addErrors() {
    lines.add("");
    long retries = run.types().stream().mapToLong(type -> type.retries().count()).sum();
    long retried = run.types().stream().mapToLong(type -> type.retries().transactions()).sum();
    lines.add(
        text(
            "Failed transactions: %d    Retries: %d in %s",
            run.errorCount(), retries, retried == 1 ? "1 transaction" : retried + " transactions"));
    List<ErrorCount> shown =
        run.errors().stream()
            .filter(count -> count.count() + count.outside() > 0)
            .limit(MOST_ERROR_LINES)
            .toList();
    for (ErrorCount count : shown) {
      lines.add(errorLine(count));
    }
    if (run.errors().size() > shown.size()) {
      lines.add(text("  and %d more kinds", run.errors().size() - shown.size()));
    }
  }

  private String errorLine(ErrorCount count) {
    String example = count.examples().isEmpty() ? "" : cut(count.examples().get(0).message());
    String outside =
        count.outside() == 0 ? "" : text(" (and %d outside the interval)", count.outside());
    return text(
            "  %d x %s in %s, SQLSTATE %s%s, %d tried again: %s",
            count.count(),
            count.errorClass().disposition(),
            run.types().get(count.errorClass().typeIndex()).type().name(),
            count.errorClass().sqlState().isEmpty() ? "none" : count.errorClass().sqlState(),
            outside,
            count.retried(),
            example)
        .stripTrailing();
  }

  private static String cut(String message) {
    return message.length() <= LONGEST_EXAMPLE
        ? message
        : message.substring(0, LONGEST_EXAMPLE) + "...";
  }

  /** Holes in what was observed beside the transactions. */
  private void addObservers() {
    List<ObserverNote> notes = summary.trouble().observers();
    if (!notes.isEmpty()) {
      lines.add("");
      lines.add("Not observed:");
      notes.forEach(note -> lines.add(text("  after %.1f s: ", note.afterSeconds()) + note.text()));
    }
  }

  private void addAudit() {
    List<String> table = AuditTable.lines(summary.audit());
    if (!table.isEmpty()) {
      lines.add("");
      lines.add("Input audit:");
      lines.addAll(table);
    }
  }

  private void addClient() {
    Client client = summary.client();
    lines.add("");
    lines.add(
        text(
            "Driver: %.2f of %d processors    GC %.2f %%    memory %d MB",
            client.coresUsed(),
            client.coresAvailable(),
            100 * client.gcShare(),
            client.peakRssBytes() >> 20));
    lines.add(
        text(
            "Waits (p99): connection %.3f ms    scheduler lateness %.3f ms    recorder stalls %d",
            client.connectionWaitP99Millis(),
            client.schedulerLatenessP99Millis(),
            client.recorderStalls()));
  }

  private void addDrivers(Drivers drivers) {
    lines.add("");
    lines.add(
        text(
            "Drivers: %d of %d, started together to %.3f ms",
            drivers.list().size(),
            drivers.count(),
            Objects.requireNonNullElse(drivers.startSkewMillis(), 0.0)));
    List<Metric> metrics = result.metrics();
    String format = "%-8s %15s %10s" + " %14s".repeat(metrics.size()) + " %10s  %s";
    List<Object> heads = new ArrayList<>(List.of("driver", result.scale().name(), "terminals"));
    metrics.forEach(metric -> heads.add(metric.name()));
    heads.addAll(List.of("errors", "CPU"));
    lines.add(format.formatted(heads.toArray()));
    for (Drivers.Part driver : drivers.list()) {
      List<Object> cells =
          new ArrayList<>(List.of(driver.index(), driver.range(), driver.terminals()));
      metrics.forEach(
          metric -> cells.add(text("%.2f", driver.metrics().getOrDefault(metric.name(), 0.0))));
      cells.add(driver.errors());
      Client client = driver.client();
      cells.add(
          client == null ? "" : text("%.2f of %d", client.coresUsed(), client.coresAvailable()));
      lines.add(format.formatted(cells.toArray()));
    }
    for (Drivers.Lost lost : drivers.lost()) {
      lines.add(
          text(
              "%-8d %15s %10d  LOST: %s",
              lost.index(),
              lost.range().isEmpty() ? "?" : lost.range(),
              lost.terminals(),
              lost.reason()));
    }
  }

  /** As Java writes it, but ten millions and more without an exponent, which nobody parses. */
  static String plain(double figure) {
    return figure < MOST_WITHOUT_EXPONENT
        ? Double.toString(figure)
        : BigDecimal.valueOf(figure).toPlainString();
  }

  private static String millis(long nanos) {
    return text("%.3f", nanos / 1e6);
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
