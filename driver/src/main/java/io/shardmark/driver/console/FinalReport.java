package io.shardmark.driver.console;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.shardmark.driver.audit.AuditTable;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.ProcessorCost;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.StageResult;
import io.shardmark.driver.results.StatementResult;
import io.shardmark.driver.results.TypeResult;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The closing lines of a run: BenchmarkSQL's five, then what it does not tell. Pure. */
public final class FinalReport {
  private static final DateTimeFormatter SESSION =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final double MOST_WITHOUT_EXPONENT = 1e7;
  private static final int MOST_ERROR_LINES = 20;
  private static final int LONGEST_EXAMPLE = 100;
  private static final int MOST_STATEMENT_LINES = 10;
  private static final String LATENCY = "%-14s %10s %9s %9s %9s %9s %9s %9s %9s  %s";
  private static final String STAGE = "%-5s %12s %9s %8s %8s %8s %8s %9s %9s %9s";
  private static final String IDLE = "  %-10s %9s %11s %8s %9s %9s %9s %9s";
  private static final String STATEMENT = "%-14s %10s %9s %9s %9s %9s  %s";

  /** What BenchmarkSQL calls the metrics that it has too. */
  static final Map<String, String> BENCHMARKSQL_NAMES =
      Map.of("tpmC", "tpmC (NewOrders)", "tpmTotal", "tpmTOTAL");

  private final RunResult run;
  private final List<String> lines = new ArrayList<>();

  private FinalReport(RunResult run) {
    this.run = run;
  }

  /** The lines, each to be printed with {@link RunConsole#info}. */
  public static List<String> lines(RunResult run) {
    FinalReport report = new FinalReport(run);
    report.add("");
    report.addVerdict();
    report.addBenchmarkSqlLines();
    report.addEnding();
    report.addLoad();
    report.addStages();
    report.addIdleSessions();
    report.addLatencies();
    report.addStatements();
    report.addErrors();
    report.addObservers();
    report.addAudit();
    report.addClient();
    report.addDrivers();
    return List.copyOf(report.lines);
  }

  private void add(String format, Object... arguments) {
    lines.add(text(format, arguments).stripTrailing());
  }

  private void addVerdict() {
    RunVerdict verdict = requireNonNull(run.verdict(), "a run that was not judged");
    add("");
    add("Verdict: %s", verdict.sentence());
    verdict.findings().stream().skip(1).forEach(finding -> add("Also:    %s", finding.sentence()));
    run.thresholds().forEach(result -> add("failOn %s", result.sentence()));
    add("Bottleneck: %s", requireNonNull(run.bottleneck()).sentence());
  }

  /** Scripts search these; their text is BenchmarkSQL's to the last character. */
  private void addBenchmarkSqlLines() {
    add("");
    for (Metric metric : run.metrics()) {
      String known = BENCHMARKSQL_NAMES.get(metric.name());
      if (known == null) {
        add("Measured %s = %.2f", metric.name(), metric.value());
      } else {
        add("Measured %s = %s", known, plain(metric.value()));
      }
    }
    add("Session Start     = %s", instant(run.run().sessionStart()));
    add("Session End       = %s", instant(run.run().sessionEnd()));
    add("Transaction Count = %d", run.transactionCount());
    String otherwise =
        run.metrics().stream()
            .filter(metric -> metric.asBenchmarkSql() != null)
            .map(metric -> metric.name() + " " + plain(requireNonNull(metric.asBenchmarkSql())))
            .collect(Collectors.joining(", "));
    if (!otherwise.isEmpty() && run.failedCount() > 0) { // without, only its extra 1 differs
      add("");
      add(
          "As BenchmarkSQL counts, failed transactions included: %s, count %d",
          otherwise, run.transactionCount() + run.failedCount());
    }
  }

  private static String instant(String iso) {
    return OffsetDateTime.parse(iso).format(SESSION);
  }

  private void addEnding() {
    add("");
    String how =
        switch (run.run().ending()) {
          case COMPLETED -> "";
          case INTERRUPTED -> "The run was interrupted. ";
          case INCOMPLETE ->
              "INCOMPLETE: results of some drivers are missing, all rates are too low. ";
          case ABORTED -> "ABORTED by a fault of the driver: its figures are not a result. ";
          case UNKNOWN -> throw new IllegalStateException("a run without an ending");
        };
    add("%sMeasurement interval: %.3f s", how, run.interval().seconds());
    run.faults().forEach(fault -> add("  %s", fault.sentence()));
  }

  /** Where a rate was asked for, or something was left undone. */
  private void addLoad() {
    LoadFigures load = requireNonNullElse(run.load(), LoadFigures.NONE);
    if (load.askedPerMinute() > 0) {
      add(
          "Load: asked %.0f per minute    due %d    begun %d    done %d    in flight at the end %d",
          load.askedPerMinute(), load.due(), load.begun(), load.done(), load.inFlightAtEnd());
      add(
          "Backlog (due, not begun): %d at the start, %d at the end, growth %+d",
          load.backlogAtStart(), load.backlogAtEnd(), load.backlogGrowth());
    } else if (load.backlogAtEnd() + load.inFlightAtEnd() > 0) {
      add(
          "Not done when the interval ended: %d in flight, %d due and not begun",
          load.inFlightAtEnd(), load.backlogAtEnd());
    }
    if (load.brokenOff() > 0) {
      add("Broken off after the end: %d", load.brokenOff());
    }
  }

  /** What each rate did. */
  private void addStages() {
    if (run.stages().isEmpty()) {
      return;
    }
    Optional<Metric> all =
        run.metrics().stream()
            .filter(metric -> run.stages().get(0).metrics().containsKey(metric.name()))
            .reduce((first, second) -> second);
    String ofAll = all.map(Metric::name).orElse("rate");
    add("");
    add(
        "Stages, rates per %s; response times in ms, from due to done:",
        all.map(Metric::period).orElse("minute"));
    add(STAGE, "", "stage", ofAll, "due", "begun", "done", "backlog", "failed", "p90", "p99");
    int number = 1;
    for (StageResult stage : run.stages()) {
      Latency due = stage.latencyMillis();
      add(
          STAGE,
          number,
          stage.stage(),
          text("%.0f", stage.metrics().getOrDefault(ofAll, 0.0)),
          stage.load().due(),
          stage.load().begun(),
          stage.load().done(),
          stage.load().backlogAtEnd(),
          stage.errors(),
          due == null ? "-" : figure(due, 90, due.p90()),
          due == null ? "-" : figure(due, 99, due.p99()));
      number++;
    }
  }

  private void addIdleSessions() {
    IdleSessions idle = run.idleSessions();
    if (idle == null) {
      return;
    }
    add("");
    add("Idle sessions beside the run:");
    idle.sentences().forEach(sentence -> add("  %s", sentence));
    add(IDLE, "phase", "seconds", "per second", "failed", "p50", "p90", "p99", "max");
    for (IdleSessions.Phase phase : idle.phases()) {
      Latency due = requireNonNullElse(phase.latencyMillis(), Latency.NONE);
      add(
          IDLE,
          phase.name(),
          text("%.1f", phase.seconds()),
          text("%.1f", phase.perSecond()),
          phase.errors(),
          text("%.3f", due.p50()),
          text("%.3f", due.p90()),
          text("%.3f", due.p99()),
          text("%.3f", due.max()));
    }
  }

  private void addLatencies() {
    boolean limited = run.limited();
    add("");
    add("Response times in ms, from due to done, of successful transactions:");
    add(
        LATENCY,
        "type",
        "count",
        "mean",
        "p50",
        "p90",
        "p95",
        "p99",
        "p99.9",
        "max",
        limited ? "p90 limit" : "");
    for (TypeResult type : run.types()) {
      Optional<Latency> due = type.latencyMillis().of(Scope.ALL, LatencyKind.DUE);
      if (due.isPresent()) {
        addLatency(type.name(), due.get(), limited ? judged(type.limitMillis(), due.get()) : "");
      } else if (type.errors() > 0) {
        add("%-14s %10d  %d failed, none succeeded", type.name(), 0, type.errors());
      }
      addDistributed(type.latencyMillis());
    }
    if (run.dueMillis().map(due -> due.isLowerBound(100)).orElse(false)) {
      add(
          ">= is a lower bound: transactions that were not done when the interval ended count with"
              + " their age");
    }
    run.latencyMillis()
        .of(Scope.ALL, LatencyKind.SERVICE)
        .ifPresent(service -> addLatency("all, database", service, ""));
  }

  private static String judged(double limitMillis, Latency due) {
    return limitMillis <= 0
        ? "none"
        : text("%.0f s %s", limitMillis / 1000, due.p90() < limitMillis ? "met" : "MISSED");
  }

  /** Those that stayed in one partition and those that did not, where there are both. */
  private void addDistributed(Latencies latencies) {
    Optional<Latency> local = latencies.of(Scope.LOCAL, LatencyKind.DUE);
    Optional<Latency> distributed = latencies.of(Scope.DISTRIBUTED, LatencyKind.DUE);
    if (local.map(Latency::count).orElse(0L) > 0
        && distributed.map(Latency::count).orElse(0L) > 0) {
      addLatency("  local", local.get(), "");
      addLatency("  distributed", distributed.get(), "");
    }
  }

  private void addLatency(String name, Latency figures, String remark) {
    add(
        LATENCY,
        name,
        figures.count(),
        // Any of them may lie above any mean.
        figure(figures, 100, figures.mean()),
        figure(figures, 50, figures.p50()),
        figure(figures, 90, figures.p90()),
        figure(figures, 95, figures.p95()),
        figure(figures, 99, figures.p99()),
        figure(figures, 99.9, figures.p999()),
        figure(figures, 100, figures.max()),
        remark);
  }

  private static String figure(Latency figures, double percentile, double millis) {
    return (figures.isLowerBound(percentile) ? ">=" : "") + millis(millis);
  }

  /** Those that took the most time in all; the others are in the result. */
  private void addStatements() {
    if (run.statements().isEmpty()) {
      return;
    }
    add("");
    add("Statements that took the most time, in ms from call to answer:");
    add(STATEMENT, "type", "count", "mean", "p50", "p99", "max", "statement");
    run.statements().stream()
        .sorted(Comparator.comparingDouble(StatementResult::totalSeconds).reversed())
        .limit(MOST_STATEMENT_LINES)
        .forEach(
            statement -> {
              Latency latency = statement.latencyMillis();
              add(
                  STATEMENT,
                  statement.type(),
                  latency.count(),
                  millis(latency.mean()),
                  millis(latency.p50()),
                  millis(latency.p99()),
                  millis(latency.max()),
                  cut(statement.statement()));
            });
  }

  private void addErrors() {
    long retries = run.types().stream().mapToLong(TypeResult::retries).sum();
    long retried = run.types().stream().mapToLong(TypeResult::retriedTransactions).sum();
    add("");
    add(
        "Failed transactions: %d    Retries: %d in %s",
        run.errorCount(), retries, retried == 1 ? "1 transaction" : retried + " transactions");
    List<ErrorResult> shown =
        run.errors().stream()
            .filter(error -> error.count() + error.outside() > 0)
            .limit(MOST_ERROR_LINES)
            .toList();
    for (ErrorResult error : shown) {
      add(
          "  %d x %s in %s, SQLSTATE %s%s, %d tried again: %s",
          error.count(),
          error.disposition(),
          error.type(),
          error.sqlState().isEmpty() ? "none" : error.sqlState(),
          error.outside() == 0 ? "" : text(" (and %d outside the interval)", error.outside()),
          error.retried(),
          error.examples().isEmpty() ? "" : cut(error.examples().get(0).message()));
    }
    if (run.errors().size() > shown.size()) {
      add("  and %d more kinds", run.errors().size() - shown.size());
    }
  }

  private static String cut(String message) {
    return message.length() <= LONGEST_EXAMPLE
        ? message
        : message.substring(0, LONGEST_EXAMPLE) + "...";
  }

  /** Holes in what was observed beside the transactions. */
  private void addObservers() {
    if (!run.observers().isEmpty()) {
      add("");
      add("Not observed:");
      run.observers().forEach(note -> add("  after %.1f s: %s", note.afterSeconds(), note.text()));
    }
  }

  private void addAudit() {
    List<String> table = AuditTable.lines(run.audit());
    if (!table.isEmpty()) {
      add("");
      add("Input audit:");
      lines.addAll(table);
    }
  }

  private void addClient() {
    Client client = requireNonNull(run.client(), "a run without its driver");
    add("");
    add(
        "Driver: %.2f of %d processors    GC %.2f %%    memory %d MB",
        client.coresUsed(),
        client.coresAvailable(),
        100 * client.gcShare(),
        client.peakRssBytes() >> 20);
    add(
        "Waits (p99): connection %.3f ms    scheduler lateness %.3f ms    recorder stalls %d",
        client.connectionWaitP99Millis(),
        client.schedulerLatenessP99Millis(),
        client.recorderStalls());
    ProcessorCost.of(run).ifPresent(this::addCost);
  }

  private void addCost(ProcessorCost cost) {
    String parts =
        cost.parts().entrySet().stream()
            .map(part -> text("%s %.0f", part.getKey(), part.getValue()))
            .collect(Collectors.joining(", "));
    add(
        "Processor time per transaction: %s",
        cost.all() == null ? text("%s us", parts) : text("%.0f us (%s)", cost.all(), parts));
  }

  private void addDrivers() {
    Drivers drivers = run.drivers();
    if (drivers == null || !drivers.merged()) {
      return;
    }
    add("");
    add(
        "Drivers: %d of %d, started together to %.3f ms",
        drivers.list().size(), drivers.count(), requireNonNullElse(drivers.startSkewMillis(), 0.0));
    String format = "%-8s %15s %10s" + " %14s".repeat(run.metrics().size()) + " %10s  %s";
    List<Object> heads = new ArrayList<>(List.of("driver", run.scale().name(), "terminals"));
    run.metrics().forEach(metric -> heads.add(metric.name()));
    heads.addAll(List.of("errors", "CPU"));
    add(format, heads.toArray());
    for (Drivers.Part driver : drivers.list()) {
      List<Object> cells =
          new ArrayList<>(List.of(driver.index(), driver.range(), driver.terminals()));
      run.metrics()
          .forEach(
              metric -> cells.add(text("%.2f", driver.metrics().getOrDefault(metric.name(), 0.0))));
      cells.add(driver.errors());
      Client client = driver.client();
      cells.add(
          client == null ? "" : text("%.2f of %d", client.coresUsed(), client.coresAvailable()));
      add(format, cells.toArray());
    }
    for (Drivers.Lost lost : drivers.lost()) {
      add(
          "%-8d %15s %10d  LOST: %s",
          lost.index(),
          lost.range().isEmpty() ? "?" : lost.range(),
          lost.terminals(),
          lost.reason());
    }
  }

  /** As Java writes it, but ten millions and more without an exponent, which nobody parses. */
  static String plain(double figure) {
    return figure < MOST_WITHOUT_EXPONENT
        ? Double.toString(figure)
        : BigDecimal.valueOf(figure).toPlainString();
  }

  private static String millis(double millis) {
    return text("%.3f", millis);
  }

  private static String text(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
