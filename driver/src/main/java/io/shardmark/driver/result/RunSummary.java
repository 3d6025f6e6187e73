package io.shardmark.driver.result;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.audit.AuditResult;
import io.shardmark.driver.bottleneck.Bottleneck;
import io.shardmark.driver.bottleneck.BottleneckJudge;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.verdict.RunVerdict;
import io.shardmark.driver.verdict.Threshold;
import java.time.ZonedDateTime;
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
 * @param failOn what makes it a failed run
 * @param isolation the isolation level as the database named it, for example {@code read committed}
 * @param properties the keys of the properties file with their values, passwords masked
 * @param facts what the workload says about itself
 * @param environment machine, JVM and database
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
    List<Threshold> failOn,
    String isolation,
    Map<String, String> properties,
    Map<String, String> facts,
    Environment environment,
    RunStatistics statistics,
    DeferredWork deferredWork,
    List<AuditResult> audit,
    ClientFigures client,
    ServerSide server,
    Trouble trouble,
    Optional<DriversSummary> drivers) {
  public RunSummary {
    properties = ordered(properties);
    facts = ordered(facts);
    failOn = List.copyOf(failOn);
    audit = List.copyOf(audit);
  }

  /** A run by one driver. */
  public RunSummary(
      Session session,
      ConnectionConfig connection,
      RunConfig config,
      List<Threshold> failOn,
      String isolation,
      Map<String, String> properties,
      Map<String, String> facts,
      Environment environment,
      RunStatistics statistics,
      DeferredWork deferredWork,
      List<AuditResult> audit,
      ClientFigures client,
      ServerSide server,
      Trouble trouble) {
    this(
        session,
        connection,
        config,
        failOn,
        isolation,
        properties,
        facts,
        environment,
        statistics,
        deferredWork,
        audit,
        client,
        server,
        trouble,
        Optional.empty());
  }

  /** The same, as the result of one of several drivers. */
  public RunSummary by(DriversSummary part) {
    return new RunSummary(
        session,
        connection,
        config,
        failOn,
        isolation,
        properties,
        facts,
        environment,
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

  /** What its figures are worth. */
  public RunVerdict verdict() {
    return RunVerdict.of(VerdictFigures.of(this));
  }

  /** What limited it. */
  public Bottleneck bottleneck() {
    return BottleneckJudge.of(VerdictFigures.bottleneck(this));
  }

  /**
   * Its thresholds with what was measured. None in the part of one of several drivers: they are set
   * for the run of all.
   */
  public List<Threshold.Result> thresholds() {
    if (drivers.isPresent() && !drivers.get().isMerged()) {
      return List.of();
    }
    MeasuredRun measured = new MeasuredRun(this);
    return failOn.stream().map(threshold -> threshold.check(measured)).toList();
  }

  /** True if it kept all of them. */
  public boolean keptThresholds() {
    return thresholds().stream().noneMatch(Threshold.Result::broken);
  }

  /**
   * Which run this was.
   *
   * @param run the run number
   * @param product name and version of this program, for example {@code Shardmark 1.0}
   * @param workload for example {@code TPC-C}
   * @param start when the terminals started
   * @param end when the last of them had ended
   * @param ending why it ended
   */
  public record Session(
      int run,
      String product,
      String workload,
      ZonedDateTime start,
      ZonedDateTime end,
      Ending ending) {}

  /**
   * Deferred work (in TPC-C the background part of deliveries, 2.7.2) that was never executed. Both
   * are 0 where nothing is deferred.
   *
   * @param notBegun still in its queue when the run ended
   * @param refused found its queue full
   */
  public record DeferredWork(long notBegun, long refused) {}

  /**
   * What went wrong in the driver itself.
   *
   * @param faults what ended the run as aborted, one for each driver; empty if nothing did
   * @param observers what those who only watched could not observe
   */
  public record Trouble(List<RunFaults.Fault> faults, List<RunFaults.ObserverNote> observers) {
    /** Nothing did. */
    public static final Trouble NONE = new Trouble(List.of(), List.of());

    public Trouble {
      faults = List.copyOf(faults);
      observers = List.copyOf(observers);
    }
  }

  /** Why a run ended. */
  public enum Ending {
    /** As configured. */
    COMPLETED("completed"),
    /** By a signal; the interval was cut short. */
    INTERRUPTED("interrupted"),
    /** Results of some of its drivers are missing: its rates are too low. */
    INCOMPLETE("incomplete"),
    /** By a fault of the driver or because no terminal could go on. */
    ABORTED("aborted");

    private final String jsonName;

    Ending(String jsonName) {
      this.jsonName = jsonName;
    }

    public String jsonName() {
      return jsonName;
    }

    /**
     * The ending of this name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Ending of(String jsonName) {
      for (Ending ending : values()) {
        if (ending.jsonName.equals(jsonName)) {
          return ending;
        }
      }
      throw new IllegalArgumentException("an ending that is none: " + jsonName);
    }
  }
}
