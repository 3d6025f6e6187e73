package io.shardmark.driver.console;

import static io.shardmark.driver.results.Texts.text;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.shardmark.driver.judge.InputAudit;
import io.shardmark.driver.report.DriverSections;
import io.shardmark.driver.report.SetupSections;
import io.shardmark.driver.report.TextTable;
import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.AuditVerdict;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.ProcessorCost;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.estimate.Interval;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The closing lines of a run: BenchmarkSQL's five, then what it does not say, and in the end what
 * came out. Pure.
 */
public final class FinalReport {
  private static final DateTimeFormatter SESSION =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
  private static final double MOST_WITHOUT_EXPONENT = 1e7;
  private static final int MOST_ERROR_LINES = 20;
  private static final int LONGEST_EXAMPLE = 300;

  /** How BenchmarkSQL's own lines begin. */
  private static final List<String> BENCHMARKSQL =
      List.of("Measured ", "Session Start", "Session End", "Transaction Count");

  /** What BenchmarkSQL calls the metrics that it has too. */
  static final Map<String, String> BENCHMARKSQL_NAMES =
      Map.of("tpmC", "tpmC (NewOrders)", "tpmTotal", "tpmTOTAL");

  private final RunResult run;
  private final List<String> lines = new ArrayList<>();

  private FinalReport(RunResult run) {
    this.run = run;
  }

  /** Prints each line as it is due: BenchmarkSQL's own in its pattern. */
  public static void print(List<String> lines, RunConsole console) {
    for (String line : lines) {
      if (BENCHMARKSQL.stream().anyMatch(line::startsWith)) {
        console.info(line);
      } else {
        console.own(line);
      }
    }
  }

  /** The figures. */
  public static List<String> lines(RunResult run) {
    FinalReport report = new FinalReport(run);
    report.add("");
    report.addBenchmarkSqlLines();
    report.addEnding();
    report.addLoad();
    report.lines.addAll(new LatencyLines(run).lines());
    report.lines.addAll(AdversityLines.of(run.adversity()));
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

  /**
   * What came out, for the last lines.
   *
   * @param rates intervals of metrics, by name; those that are known
   */
  public static List<String> outcome(RunResult run, Map<String, Interval> rates) {
    FinalReport report = new FinalReport(run);
    report.addVerdict();
    report.addFigures(rates);
    return List.copyOf(report.lines);
  }

  /** {@code tps 2,463 (95 %: 1,147 to 5,288)}, and the p99 of each type. */
  private void addFigures(Map<String, Interval> rates) {
    add(
        "%s",
        run.metrics().stream()
            .map(
                metric -> {
                  Interval interval = rates.get(metric.name());
                  return metric.name()
                      + " "
                      + Texts.three(metric.value())
                      + (interval == null
                          ? ""
                          : text(
                              " (95 %%: %s to %s)",
                              Texts.three(interval.low()), Texts.three(interval.high())));
                })
            .collect(Collectors.joining("    ")));
    String slowest =
        run.types().stream()
            .flatMap(
                type ->
                    type.latencyMillis().of(Scope.ALL, LatencyKind.DUE).stream()
                        .map(due -> type.name() + " " + LatencyFigure.P99.shown(due)))
            .collect(Collectors.joining(", "));
    if (!slowest.isEmpty()) {
      add("p99 in ms: %s", slowest);
    }
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
          case INCONSISTENT -> "INCONSISTENT: the system broke a consistency condition. ";
          case ABORTED -> "ABORTED: its figures are not a result. ";
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

  static String cut(String message) {
    return message.length() <= LONGEST_EXAMPLE
        ? message
        : message.substring(0, LONGEST_EXAMPLE) + "...";
  }

  /** Holes in what was observed in addition to the transactions. */
  private void addObservers() {
    if (!run.observers().isEmpty()) {
      add("");
      add("Not observed:");
      run.observers().forEach(note -> add("  after %.1f s: %s", note.afterSeconds(), note.text()));
    }
  }

  private void addAudit() {
    if (run.audit().isEmpty()) {
      return;
    }
    List<AuditRow> failed =
        run.audit().stream().filter(row -> row.verdict() == AuditVerdict.FAIL).toList();
    add("");
    add(
        "Input audit: %s, %d of %d rules passed, %d not judged",
        InputAudit.overall(run.audit()).key().replace('-', ' '),
        run.audited(AuditVerdict.PASS).size(),
        run.audit().size(),
        run.audited(AuditVerdict.NOT_APPLICABLE).size());
    if (!failed.isEmpty()) {
      lines.addAll(TextTable.lines(SetupSections.audit(failed)));
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
        "Waits (p99): connection %s ms    scheduler lateness %s ms    recorder stalls %d",
        Texts.three(client.connectionWaitP99Millis()),
        Texts.three(client.schedulerLatenessP99Millis()),
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
    lines.addAll(TextTable.lines(DriverSections.figures(run, drivers)));
  }

  /** As Java writes it, but ten millions and more without an exponent, which nobody parses. */
  static String plain(double figure) {
    return figure < MOST_WITHOUT_EXPONENT
        ? Double.toString(figure)
        : BigDecimal.valueOf(figure).toPlainString();
  }
}
