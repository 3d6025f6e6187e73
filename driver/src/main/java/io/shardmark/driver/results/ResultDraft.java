package io.shardmark.driver.results;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RunResult} that is being put together: each step sets the members that it knows, by
 * their names. What nobody sets is empty. One thread.
 */
public final class ResultDraft {
  /** 0 for a run that left no {@code summary.json}. */
  public int schemaVersion = SummaryFile.VERSION;

  public Session run = Session.UNKNOWN;
  public RunScale scale = RunScale.UNKNOWN;
  public Configuration configuration = Configuration.NONE;
  public Map<String, String> facts = Map.of();
  public Map<String, String> machine = Map.of();
  public Map<String, String> jvm = Map.of();
  public Map<String, String> database = Map.of();
  public MeasuredInterval interval = MeasuredInterval.NONE;
  public QuietTime quiet = QuietTime.NONE;
  public List<Metric> metrics = List.of();
  public List<TypeResult> types = List.of();
  public Latencies latencyMillis = Latencies.NONE;
  public @Nullable LoadFigures load;
  public List<StatementResult> statements = List.of();
  public List<StageResult> stages = List.of();
  public DeferredWork deferredWork = DeferredWork.NONE;
  public List<ErrorResult> errors = List.of();
  public List<AuditRow> audit = List.of();
  public List<Fault> faults = List.of();
  public List<ObserverNote> observers = List.of();
  public @Nullable Client client;
  public Map<String, Double> databaseFigures = Map.of();
  public ServerWaits serverWaits = ServerWaits.none("");
  public @Nullable MachineUse observedMachine;
  public List<ServerProcess> serverProcesses = List.of();
  public @Nullable Bottleneck bottleneck;
  public @Nullable RunVerdict verdict;
  public List<ThresholdResult> thresholds = List.of();
  public @Nullable Drivers drivers;
  public @Nullable IdleSessions idleSessions;
  public @Nullable Adversity adversity;
  public List<AcidResult> acid = List.of();

  /** What is known so far. */
  public RunResult result() {
    return new RunResult(
        SummaryFile.SCHEMA,
        schemaVersion,
        run,
        scale,
        configuration,
        facts,
        machine,
        jvm,
        database,
        interval,
        quiet,
        metrics,
        types,
        latencyMillis,
        load,
        statements,
        stages,
        deferredWork,
        errors,
        audit,
        faults,
        observers,
        client,
        databaseFigures,
        serverWaits,
        observedMachine,
        serverProcesses,
        bottleneck,
        verdict,
        thresholds,
        drivers,
        idleSessions,
        adversity,
        acid);
  }
}
