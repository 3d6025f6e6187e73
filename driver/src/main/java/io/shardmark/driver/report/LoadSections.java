package io.shardmark.driver.report;

import io.shardmark.driver.report.Page.Section;
import io.shardmark.driver.report.Page.Table;
import io.shardmark.driver.results.Bottleneck;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyFigure;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.StageResult;
import io.shardmark.driver.results.StatementResult;
import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was asked of the system, what of it was done, and what limited that. */
public record LoadSections(RunResult run) {
  /** What limited the run; only of one that says so. */
  Section bottleneck() {
    Bottleneck bottleneck = run.bottleneck();
    if (bottleneck == null) {
      return Section.NONE;
    }
    Table uses =
        new Columns<Bottleneck.ResourceUse>()
            .text("", Bottleneck.ResourceUse::what)
            .number("Share", use -> share(use.share()))
            .meter(Bottleneck.ResourceUse::share)
            .prose("Figures", Bottleneck.ResourceUse::text)
            .table("", bottleneck.uses());
    return new Section(
        "bottleneck",
        "Bottleneck",
        bottleneck.sentence(),
        List.of(
            uses,
            new Page.PageNote(
                "Shares of resources are of all there is; those of sessions and locks are of the"
                    + " time that sessions were in transactions.")));
  }

  private static String share(@Nullable Double share) {
    return share == null ? "" : Texts.percent(share);
  }

  /** Only of a run that counted it; folded if nothing was left undone. */
  Section load() {
    LoadFigures load = run.load();
    if (load == null) {
      return Section.NONE;
    }
    Map<String, Long> counts = new LinkedHashMap<>();
    if (load.askedPerMinute() > 0) {
      counts.put("Asked per minute", Math.round(load.askedPerMinute()));
    }
    counts.put("Due in the interval", load.due());
    counts.put("Begun in it", load.begun());
    counts.put("Done in it", load.done());
    counts.put("Backlog at its start (due, not begun)", load.backlogAtStart());
    counts.put("Backlog at its end", load.backlogAtEnd());
    counts.put("Growth of the backlog", load.backlogGrowth());
    counts.put("In flight at its end", load.inFlightAtEnd());
    counts.put("Broken off after it", load.brokenOff());
    Table table =
        new Columns<Map.Entry<String, Long>>()
            .text("", Map.Entry::getKey)
            .number("Count", entry -> Texts.count(entry.getValue()))
            .table("Transactions of the measurement interval", List.copyOf(counts.entrySet()));
    return new Section(
        "load",
        "Load",
        load.askedPerMinute() > 0
            ? "Transactions were due on a schedule, whether or not the system kept up."
            : "Terminals wait for their answers: nothing more is due meanwhile.",
        List.of(table),
        load.backlogAtEnd() + load.brokenOff() == 0);
  }

  /** What each stage asked of the system and what became of it. */
  Section stages() {
    List<StageResult> stages = run.stages();
    List<Metric> known =
        run.metrics().stream()
            .filter(metric -> stages.stream().anyMatch(s -> s.metrics().containsKey(metric.name())))
            .toList();
    Columns<StageResult> rates = ofStages().number("Asked", stage -> asked(stage.load()));
    known.forEach(metric -> rates.number(metric.name(), stage -> rate(stage, metric)));
    rates
        .number("Due", stage -> Texts.count(stage.load().due()))
        .number("Begun", stage -> Texts.count(stage.load().begun()))
        .number("Done", stage -> Texts.count(stage.load().done()))
        .number("Failed", stage -> Texts.count(stage.errors()))
        .number("Backlog", stage -> Texts.count(stage.load().backlogAtEnd()));
    Columns<StageResult> latencies =
        ofStages()
            .number("Count", stage -> count(stage.latencyMillis()))
            .latencies(
                StageResult::latencyMillis,
                Stream.of(LatencyFigure.values())
                    .filter(figure -> figure != LatencyFigure.P999)
                    .toList());
    return new Section(
        "stages",
        "Stages",
        perMinute(known)
            + " A transaction belongs to the stage in"
            + " which it ended; what was due and not done when a stage ended counts there with"
            + " its age.",
        List.of(
            rates.table("Transactions", stages),
            latencies.table("Response times of successes, from due to done, in ms", stages)));
  }

  private Columns<StageResult> ofStages() {
    return new Columns<StageResult>()
        .text(
            "Stage", stage -> "%d (%s)".formatted(run.stages().indexOf(stage) + 1, stage.stage()));
  }

  private static String asked(LoadFigures load) {
    return load.askedPerMinute() > 0 ? Texts.count(Math.round(load.askedPerMinute())) : "pause";
  }

  private static String rate(StageResult stage, Metric metric) {
    double value = stage.metrics().getOrDefault(metric.name(), 0.0);
    return metric.periodSeconds() > 1 ? Texts.count(Math.round(value)) : Texts.three(value);
  }

  private static String count(@Nullable Latency latency) {
    return Texts.count(latency == null ? 0 : latency.count());
  }

  private static String perMinute(List<Metric> metrics) {
    List<String> names = new ArrayList<>(List.of("Asked"));
    metrics.stream()
        .filter(metric -> metric.periodSeconds() > 1)
        .forEach(metric -> names.add(metric.name()));
    return names.size() == 1
        ? "Asked is a rate per minute."
        : String.join(" and ", names).replaceFirst(" and (?=.* and )", ", ")
            + " are rates per minute.";
  }

  /** Sessions that were open during the run, what they cost and what they did to it. */
  Section idleSessions() {
    IdleSessions idle = run.idleSessions();
    if (idle == null) {
      return Section.NONE;
    }
    Table endpoints =
        new Columns<IdleSessions.Endpoint>()
            .text("Endpoint", IdleSessions.Endpoint::address)
            .number("Sessions", one -> Texts.count(one.sessions()))
            .number("Before", one -> megabytes(one.bytesBefore()))
            .number("All open", one -> megabytes(one.bytesOpened()))
            .number("At the end", one -> megabytes(one.bytesAtEnd()))
            .table("Memory of the processes that listen there, in MB", idle.endpoints());
    return new Section(
        "idle",
        "Idle sessions",
        "Sessions of PostgreSQL that are logged in in addition to the terminals' and hardly used."
            + " A transaction belongs to the phase in which it ended.",
        List.of(phases(idle), endpoints, new Page.Items(idle.sentences())));
  }

  /** What the run did in each phase of them, for a page or the console. */
  public static Table phases(IdleSessions idle) {
    return new Columns<IdleSessions.IdlePhase>()
        .text("Phase", IdleSessions.IdlePhase::name)
        .number("Seconds", phase -> Texts.three(phase.seconds()))
        .number("Successes/s", phase -> Texts.three(phase.perSecond()))
        .number("Failed", phase -> Texts.count(phase.errors()))
        .latencies(IdleSessions.IdlePhase::latencyMillis, LatencyFigure.SOME)
        .table(
            "The run without and with them; response times from due to done, in ms", idle.phases());
  }

  private static String megabytes(@Nullable Long bytes) {
    return bytes == null ? Texts.NONE : Texts.count(bytes >> 20);
  }

  /** What each statement took, by type of transaction; only of a run that timed them. */
  Section statements() {
    return new Section(
        "statements",
        "Statements",
        "Share is that of the time of all statements. A batch, and several statements sent at"
            + " once, are one.",
        List.of(statements(run.statements())),
        true);
  }

  /**
   * For a page or the console.
   *
   * @param shown some of the run's
   */
  public Table statements(List<StatementResult> shown) {
    double all = run.statements().stream().mapToDouble(StatementResult::totalSeconds).sum();
    return new Columns<StatementResult>()
        .text("Type", StatementResult::type)
        .number("Count", row -> Texts.count(row.latencyMillis().count()))
        .number("Share", row -> Texts.percent(row.totalSeconds() / all))
        .latencies(StatementResult::latencyMillis, LatencyFigure.SOME)
        .prose("Statement", StatementResult::statement)
        .table("Times from call to answer, in ms", shown);
  }
}
