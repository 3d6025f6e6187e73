package io.shardmark.driver.results;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a run when it is over. docs/results.md describes each member as {@code
 * summary.json} has it.
 *
 * @param schema {@link SummaryFile#SCHEMA}
 * @param schemaVersion of the file that it was read from, or {@link SummaryFile#VERSION}
 * @param run which run this was
 * @param scale how large its data was
 * @param configuration what was in effect
 * @param facts what the benchmark says of itself
 * @param machine the driver's machine
 * @param jvm the driver's Java
 * @param database product, version and settings as the server reports them
 * @param interval what was measured when
 * @param quiet the longest time without a success
 * @param metrics what the benchmark is judged by, its main metric first
 * @param types one for each type of transaction, in the benchmark's order
 * @param latencyMillis of all counted types together
 * @param load what was due, begun and done; null if the program that wrote it did not count that
 * @param statements times of each statement, if they were asked for
 * @param stages parts of the run with their own rates, if it had any
 * @param deferredWork what became of the work that was not executed in line
 * @param errors errors by class, the most frequent first
 * @param audit judged inputs
 * @param faults what ended the run as aborted, one for each driver; empty if nothing did
 * @param observers what those who only watched could not observe
 * @param client what the driver used; null if it did not live to say so
 * @param databaseFigures what the server counted during the interval, by name
 * @param serverWaits what the run's sessions did at the server
 * @param observedMachine that of the OS collector; null without one
 * @param serverProcesses what those of the database used of the processors; empty if nobody looked
 * @param bottleneck what limited it; null if the program that wrote it did not say
 * @param verdict what its figures are worth; null if the program that wrote it did not say
 * @param thresholds those of the key {@code failOn}, with what was measured
 * @param drivers who made the run, if several drivers did; otherwise null
 * @param idleSessions sessions that were open during it; null if there were none
 * @param adversity what was done to the system meanwhile, and checks of its data; null without
 *     either
 * @param acid tests of TPC-C clause 3 after it; none if they were not asked for
 */
@JsonPropertyOrder({
  "schema",
  "schemaVersion",
  "run",
  "scale",
  "configuration",
  "facts",
  "machine",
  "jvm",
  "database",
  "interval",
  "quiet",
  "metrics",
  "rates"
})
public record RunResult(
    String schema,
    int schemaVersion,
    Session run,
    RunScale scale,
    Configuration configuration,
    Map<String, String> facts,
    Map<String, String> machine,
    Map<String, String> jvm,
    Map<String, String> database,
    MeasuredInterval interval,
    QuietTime quiet,
    List<Metric> metrics,
    List<TypeResult> types,
    Latencies latencyMillis,
    @Nullable LoadFigures load,
    List<StatementResult> statements,
    List<StageResult> stages,
    DeferredWork deferredWork,
    List<ErrorResult> errors,
    List<AuditRow> audit,
    List<Fault> faults,
    List<ObserverNote> observers,
    @Nullable Client client,
    Map<String, Double> databaseFigures,
    ServerWaits serverWaits,
    @Nullable MachineUse observedMachine,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ServerProcess> serverProcesses,
    @Nullable Bottleneck bottleneck,
    @Nullable RunVerdict verdict,
    List<ThresholdResult> thresholds,
    @Nullable Drivers drivers,
    @Nullable IdleSessions idleSessions,
    @Nullable Adversity adversity,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<AcidResult> acid) {

  public RunResult {
    run = requireNonNullElse(run, Session.UNKNOWN);
    scale = requireNonNullElse(scale, RunScale.UNKNOWN);
    configuration = requireNonNullElse(configuration, Configuration.NONE);
    facts = TypeResult.ordered(facts);
    machine = TypeResult.ordered(machine);
    jvm = TypeResult.ordered(jvm);
    database = TypeResult.ordered(database);
    interval = requireNonNullElse(interval, MeasuredInterval.NONE);
    quiet = requireNonNullElse(quiet, QuietTime.NONE);
    metrics = List.copyOf(metrics);
    types = List.copyOf(types);
    latencyMillis = requireNonNullElse(latencyMillis, Latencies.NONE);
    statements = List.copyOf(statements);
    stages = List.copyOf(stages);
    deferredWork = requireNonNullElse(deferredWork, DeferredWork.NONE);
    errors = List.copyOf(errors);
    audit = List.copyOf(audit);
    faults = List.copyOf(faults);
    observers = List.copyOf(observers);
    databaseFigures = TypeResult.ordered(databaseFigures);
    serverWaits = requireNonNullElse(serverWaits, ServerWaits.none(""));
    serverProcesses = List.copyOf(serverProcesses);
    thresholds = List.copyOf(thresholds);
    acid = List.copyOf(acid);
  }

  /** True if the run wrote it at its end; false if other files had to say what they can. */
  public boolean hasSummary() {
    return schemaVersion > 0;
  }

  /**
   * The metrics by name, and the counts that they are computed from: the short way for scripts.
   * Only written.
   */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public Map<String, Object> rates() {
    Map<String, Object> withFailed = new LinkedHashMap<>();
    Map<String, Object> rates = new LinkedHashMap<>();
    for (Metric metric : metrics) {
      rates.put(metric.name(), metric.value());
      if (metric.asBenchmarkSql() != null) {
        withFailed.put(metric.name(), metric.asBenchmarkSql());
      }
    }
    rates.put("headlineCount", headlineCount());
    rates.put("transactionCount", transactionCount());
    withFailed.put("headlineCount", sum(TypeResult::headline, TypeResult::count));
    withFailed.put("transactionCount", sum(TypeResult::counted, TypeResult::count));
    rates.put("asBenchmarkSql", withFailed);
    return rates;
  }

  /** What the result takes of money and processors. Only written; intervals are the report's. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public List<CostFigure> costs() {
    return CostFigure.of(this, Map.of());
  }

  private long sum(Predicate<TypeResult> which, ToLongFunction<TypeResult> what) {
    return types.stream().filter(which).mapToLong(what).sum();
  }

  /** Successes of the type that the main metric counts. */
  public long headlineCount() {
    return sum(TypeResult::headline, TypeResult::successes);
  }

  /** {@link MeasuredInterval#perMinute} of the headline type's successes. */
  public double headlinePerMinute() {
    return MeasuredInterval.perMinute(headlineCount(), interval.seconds());
  }

  /** {@link MeasuredInterval#perMinute} of the successes of all counted types. */
  public double totalPerMinute() {
    return MeasuredInterval.perMinute(transactionCount(), interval.seconds());
  }

  /** Successes of all counted types. */
  public long transactionCount() {
    return sum(TypeResult::counted, TypeResult::successes);
  }

  /** Failed transactions of all counted types. */
  public long failedCount() {
    return sum(TypeResult::counted, TypeResult::errors);
  }

  /** All failed transactions, deferred parts included. */
  public long errorCount() {
    return sum(type -> true, TypeResult::errors);
  }

  /** How often transactions and their deferred parts were tried again. */
  public long retryCount() {
    return sum(type -> true, TypeResult::retries);
  }

  /** What was done to the system during it, in order. */
  @JsonIgnore
  public List<EventResult> events() {
    return adversity == null ? List.of() : adversity.events();
  }

  /** What its figures are worth; nothing of a run that did not live to say so. */
  public List<Finding> findings() {
    return verdict == null ? List.of() : verdict.findings();
  }

  /** What drove the run, by the name that sentences have; one, unless several drivers did. */
  public Map<String, Client> clients() {
    Map<String, Client> clients = new LinkedHashMap<>();
    for (Drivers.DriverPart driver :
        drivers == null ? List.<Drivers.DriverPart>of() : drivers.list()) {
      if (driver.client() != null) {
        clients.put("driver " + driver.index(), driver.client());
      }
    }
    if (clients.isEmpty() && client != null) {
      clients.put("the driver", client);
    }
    return clients;
  }

  /** What the rules are about that the input audit judged so. */
  public List<String> audited(AuditVerdict verdict) {
    return audit.stream()
        .filter(row -> row.verdict() == verdict)
        .map(AuditRow::description)
        .toList();
  }

  /** Whether each type that was judged met its response-time limit; null if none was judged. */
  public @Nullable Boolean limitsMet() {
    List<Boolean> judged =
        types.stream().flatMap(type -> Stream.ofNullable(type.limitMet())).toList();
    return judged.isEmpty() ? null : !judged.contains(false);
  }

  /** True if it kept all of its thresholds. */
  public boolean keptThresholds() {
    return thresholds.stream().noneMatch(ThresholdResult::broken);
  }

  /** Whether a type has a limit of its response time. */
  public boolean limited() {
    return types.stream().anyMatch(type -> type.limitMillis() > 0);
  }

  /** The metric of this name; empty if the benchmark has no such metric. */
  public Optional<Metric> metric(String name) {
    return metrics.stream().filter(metric -> metric.name().equals(name)).findFirst();
  }

  /** Latencies of all counted types from due to done; empty if there are none. */
  public Optional<Latency> dueMillis() {
    return latencyMillis.of(Scope.ALL, LatencyKind.DUE);
  }
}
