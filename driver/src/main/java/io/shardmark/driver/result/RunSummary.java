package io.shardmark.driver.result;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.audit.AuditResult;
import io.shardmark.driver.benchmark.Metric;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.bottleneck.BottleneckJudge;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.results.Bottleneck;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.DeferredWork;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Fault;
import io.shardmark.driver.results.ObserverNote;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.Session;
import io.shardmark.driver.results.ThresholdResult;
import io.shardmark.driver.verdict.RunJudge;
import io.shardmark.driver.verdict.Threshold;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that is known about a run when it is over: the source of {@code summary.json}, {@code
 * tx_summary.csv} and the last lines on the console. Immutable.
 *
 * @param session which run this was, and when
 * @param connection how the database was reached; the password is left out of every file
 * @param config what the run was told
 * @param scale how large its data was
 * @param failOn what makes it a failed run
 * @param isolation the isolation level as the database named it, for example {@code read committed}
 * @param properties the keys of the properties file with their values, passwords masked
 * @param facts what the workload says about itself
 * @param environment machine, JVM and database
 * @param metrics what the benchmark is judged by, the main one first
 * @param statistics what happened in the measurement interval
 * @param deferredWork what became of the work that was not executed in line
 * @param audit the judged inputs
 * @param client what the driver used
 * @param server what was seen of the server beside its answers
 * @param trouble what went wrong in the driver itself
 * @param drivers with whom the run was made; empty if it was made by one driver
 */
public record RunSummary(
    Session session,
    ConnectionConfig connection,
    RunConfig config,
    Scale scale,
    List<Threshold> failOn,
    String isolation,
    Map<String, String> properties,
    Map<String, String> facts,
    Environment environment,
    List<Metric> metrics,
    RunStatistics statistics,
    DeferredWork deferredWork,
    List<AuditResult> audit,
    Client client,
    ServerSide server,
    Trouble trouble,
    Optional<Drivers> drivers) {
  public RunSummary {
    properties = ordered(properties);
    facts = ordered(facts);
    failOn = List.copyOf(failOn);
    metrics = List.copyOf(metrics);
    audit = List.copyOf(audit);
  }

  /** A run by one driver. */
  public RunSummary(
      Session session,
      ConnectionConfig connection,
      RunConfig config,
      Scale scale,
      List<Threshold> failOn,
      String isolation,
      Map<String, String> properties,
      Map<String, String> facts,
      Environment environment,
      List<Metric> metrics,
      RunStatistics statistics,
      DeferredWork deferredWork,
      List<AuditResult> audit,
      Client client,
      ServerSide server,
      Trouble trouble) {
    this(
        session,
        connection,
        config,
        scale,
        failOn,
        isolation,
        properties,
        facts,
        environment,
        metrics,
        statistics,
        deferredWork,
        audit,
        client,
        server,
        trouble,
        Optional.empty());
  }

  /** The same, as the result of one of several drivers. */
  public RunSummary by(Drivers part) {
    return new RunSummary(
        session,
        connection,
        config,
        scale,
        failOn,
        isolation,
        properties,
        facts,
        environment,
        metrics,
        statistics,
        deferredWork,
        audit,
        client,
        server,
        trouble,
        Optional.of(part));
  }

  private static <V> Map<String, V> ordered(Map<String, V> map) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }

  /** The result of the run, with all that is computed from it. */
  public RunResult result() {
    return ResultBuilder.of(this);
  }

  /** What its figures are worth. */
  public RunVerdict verdict() {
    return RunJudge.of(VerdictFigures.of(this));
  }

  /** What limited it. */
  public Bottleneck bottleneck() {
    return BottleneckJudge.of(VerdictFigures.bottleneck(this));
  }

  /**
   * Its thresholds with what was measured. None in the part of one of several drivers: they are set
   * for the run of all.
   */
  public List<ThresholdResult> thresholds() {
    if (drivers.isPresent() && !drivers.get().merged()) {
      return List.of();
    }
    MeasuredRun measured = new MeasuredRun(this);
    return failOn.stream().map(threshold -> threshold.check(measured)).toList();
  }

  /** True if it kept all of them. */
  public boolean keptThresholds() {
    return thresholds().stream().noneMatch(ThresholdResult::broken);
  }

  /**
   * What went wrong in the driver itself.
   *
   * @param faults what ended the run as aborted, one for each driver; empty if nothing did
   * @param observers what those who only watched could not observe
   */
  public record Trouble(List<Fault> faults, List<ObserverNote> observers) {
    /** Nothing did. */
    public static final Trouble NONE = new Trouble(List.of(), List.of());

    public Trouble {
      faults = List.copyOf(faults);
      observers = List.copyOf(observers);
    }
  }
}
