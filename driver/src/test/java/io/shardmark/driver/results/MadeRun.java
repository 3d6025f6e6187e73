package io.shardmark.driver.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A made-up result of 100 s that was not judged yet: each test changes what it is about. */
public final class MadeRun {
  private Ending ending = Ending.COMPLETED;
  private double seconds = 100;
  private List<TypeResult> types = List.of();
  private QuietTime quiet = QuietTime.NONE;
  private LoadFigures load = LoadFigures.NONE;
  private List<StageResult> stages = List.of();
  private Map<String, Client> clients = Map.of();
  private ServerWaits waits = ServerWaits.none("");
  private Map<String, Double> databaseFigures = Map.of();
  private @Nullable MachineUse machine;
  private List<ServerProcess> processes = List.of();
  private @Nullable RunVerdict verdict;
  private List<Metric> metrics = List.of();
  private @Nullable Latency due;
  private final Map<String, Object> configuration = new LinkedHashMap<>();
  private final Map<String, Object> pacing = new LinkedHashMap<>();

  public static TypeResult type(String name, long successes, Map<String, Long> failures) {
    return type(name, successes, failures, null);
  }

  public static TypeResult type(
      String name, long successes, Map<String, Long> failures, @Nullable Latency due) {
    long errors = failures.values().stream().mapToLong(Long::longValue).sum();
    return new TypeResult(
        name,
        true,
        true,
        successes + errors,
        successes,
        0,
        errors,
        null,
        0,
        0,
        0,
        0,
        0,
        null,
        failures,
        latencies(due));
  }

  private static Latencies latencies(@Nullable Latency due) {
    Latencies.Kinds none = Latencies.Kinds.NONE;
    return new Latencies(new Latencies.Kinds(due, due, null, null), none, none, null);
  }

  public static LoadFigures load(double askedPerMinute, long done, long backlogGrowth) {
    return new LoadFigures(askedPerMinute, 0, 0, done, 0, backlogGrowth, 0, 0);
  }

  public static StageResult stage(String stage, LoadFigures load) {
    return new StageResult(stage, 0, 60, Map.of(), load.done(), 0, load, null);
  }

  public MadeRun ended(Ending how, double afterSeconds) {
    ending = how;
    seconds = afterSeconds;
    return this;
  }

  public MadeRun with(TypeResult... several) {
    types = List.of(several);
    return this;
  }

  /** Of all types together. */
  public MadeRun with(Latency ofAll) {
    due = ofAll;
    return this;
  }

  public MadeRun with(QuietTime time) {
    quiet = time;
    return this;
  }

  public MadeRun with(LoadFigures figures, StageResult... parts) {
    load = figures;
    stages = List.of(parts);
    return this;
  }

  /** One by that name alone is "the driver"; several have their index at the end of it. */
  public MadeRun with(Map<String, Client> drivers) {
    clients = drivers;
    return this;
  }

  public MadeRun with(ServerWaits seen, Map<String, Double> counted) {
    waits = seen;
    databaseFigures = counted;
    return this;
  }

  public MadeRun with(MachineUse use) {
    machine = use;
    return this;
  }

  public MadeRun with(ServerProcess... several) {
    processes = List.of(several);
    return this;
  }

  public MadeRun with(RunVerdict worth, Metric... figures) {
    verdict = worth;
    metrics = List.of(figures);
    return this;
  }

  public MadeRun told(String key, Object value) {
    configuration.put(key, value);
    return this;
  }

  public MadeRun limit(int txnsPerMin) {
    pacing.put("limitTxnsPerMin", txnsPerMin);
    return this;
  }

  public RunResult result() {
    configuration.putIfAbsent("connections", 10);
    configuration.put("pacing", pacing);
    return new RunResult(
        SummaryFile.SCHEMA,
        SummaryFile.VERSION,
        new Session(1, "", "TPC-C", "", "", ending),
        Scale.UNKNOWN,
        new Configuration(configuration),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        new MeasuredInterval(0, seconds, 0),
        quiet,
        metrics,
        types,
        latencies(due),
        load,
        List.of(),
        stages,
        DeferredWork.NONE,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        clients.get("the driver"),
        databaseFigures,
        waits,
        machine,
        processes,
        null,
        verdict,
        List.of(),
        clients.containsKey("the driver") ? null : drivers(),
        null);
  }

  private Drivers drivers() {
    List<Drivers.Part> parts = new ArrayList<>();
    clients.forEach(
        (name, client) ->
            parts.add(
                new Drivers.Part(
                    Integer.parseInt(name.substring("driver ".length())),
                    1,
                    1,
                    1,
                    1,
                    0,
                    0,
                    null,
                    0,
                    Map.of(),
                    0,
                    0,
                    client,
                    Map.of(),
                    false)));
    return Drivers.merged("", parts.size(), parts, List.of());
  }
}
