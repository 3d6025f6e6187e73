package io.shardmark.driver.results;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A made-up result of 100 s that was not judged yet: each test changes what it is about. */
public final class MadeRun {
  private List<AcidResult> acid = List.of();
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
  private List<AuditRow> audit = List.of();
  private List<ErrorResult> errors = List.of();
  private Map<String, String> database = Map.of();
  private final Map<String, Object> configuration = new LinkedHashMap<>();
  private final Map<String, Object> pacing = new LinkedHashMap<>();

  public static TypeResult type(String name, long successes, Map<String, Long> failures) {
    return type(name, successes, failures, null);
  }

  public static TypeResult type(
      String name, long successes, Map<String, Long> failures, @Nullable Latency due) {
    long errors = failures.values().stream().mapToLong(Long::longValue).sum();
    long all = successes + errors;
    Latencies known = latencies(due);
    return new TypeResult(
        name, true, true, all, successes, 0, errors, null, 0, 0, 0, 0, 0, null, failures, known);
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

  public MadeRun with(List<AuditRow> rules) {
    audit = rules;
    return this;
  }

  /** What the database said of itself. */
  public MadeRun facts(Map<String, String> texts) {
    database = texts;
    return this;
  }

  public MadeRun with(ErrorResult... classes) {
    errors = List.of(classes);
    return this;
  }

  public MadeRun told(String key, Object value) {
    configuration.put(key, value);
    return this;
  }

  public MadeRun acid(AcidResult... tests) {
    acid = List.of(tests);
    return this;
  }

  public MadeRun limit(int txnsPerMin) {
    pacing.put("limitTxnsPerMin", txnsPerMin);
    return this;
  }

  public RunResult result() {
    configuration.putIfAbsent("connections", 10);
    configuration.put("pacing", pacing);
    ResultDraft made = new ResultDraft();
    made.run = new Session(1, "", "TPC-C", "", "", ending);
    made.configuration = new Configuration(configuration);
    made.interval = new MeasuredInterval(0, seconds, 0, null);
    made.quiet = quiet;
    made.metrics = metrics;
    made.types = types;
    made.latencyMillis = latencies(due);
    made.load = load;
    made.stages = stages;
    made.audit = audit;
    made.errors = errors;
    made.database = database;
    made.client = clients.get("the driver");
    made.databaseFigures = databaseFigures;
    made.serverWaits = waits;
    made.observedMachine = machine;
    made.serverProcesses = processes;
    made.verdict = verdict;
    made.drivers = clients.containsKey("the driver") ? null : drivers();
    made.acid = acid;
    return made.result();
  }

  private Drivers drivers() {
    List<Drivers.DriverPart> parts = new ArrayList<>();
    clients.forEach(
        (name, client) ->
            parts.add(
                new Drivers.DriverPart(
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

  /** A result with every member that there can be; what ours has is kept. */
  public static RunResult full(RunResult ours) {
    Latency latency = new Latency(5, 2, 99.0, 1, 2, 3, 4, 5, 6, 7, 8, 1);
    LoadFigures load = new LoadFigures(600, 10, 9, 8, 0, 1, 1, 1);
    Client client =
        new Client(
            1,
            2,
            0.5,
            4,
            0.25,
            true,
            0.1,
            1,
            2,
            3,
            4,
            0.1,
            5,
            6,
            7,
            8,
            9,
            new HoldUps(3, 2, 1),
            null);
    Map<String, Double> metrics = Map.of("a", 1.5, "b", 2.5);
    ResultDraft made = new ResultDraft();
    made.run = ours.run();
    made.scale = ours.scale();
    made.configuration = ours.configuration();
    made.facts = ours.facts();
    made.machine = ours.machine();
    made.jvm = ours.jvm();
    made.database = ours.database();
    made.interval = ours.interval();
    made.quiet = new QuietTime(3, 2, 1);
    made.metrics =
        List.of(
            new Metric("a", "1/min", 1.5, 1.75, Map.of("A", 2L), true),
            new Metric("b", "ms", 2.5, null, Map.of(), false));
    made.types = ours.types();
    made.latencyMillis =
        new Latencies(
            new Latencies.Kinds(latency, latency, latency, latency),
            new Latencies.Kinds(latency, null, null, null),
            new Latencies.Kinds(null, null, null, null),
            latency);
    made.load = load;
    made.statements = List.of(new StatementResult("A", "SELECT 1", 0.5, latency));
    made.stages =
        List.of(
            new StageResult("1m:600", 0, 60, metrics, 8, 1, load, latency),
            new StageResult("1m:0", 60, 60, metrics, 0, 0, LoadFigures.NONE, null));
    made.deferredWork = new DeferredWork(1, 2);
    made.errors = ours.errors();
    made.audit = ours.audit();
    made.faults = List.of(new Fault("worker", "java.lang.Error", 1.5, List.of("a", "b")));
    made.observers = List.of(new ObserverNote("client.csv: no", 2.5));
    made.client = client;
    made.databaseFigures = Map.of("commits", 5.0);
    made.serverWaits = ours.serverWaits();
    made.observedMachine =
        new MachineUse(
            true, 0.5, 0.1, new TreeMap<>(Map.of("sda", new MachineUse.Disk(0.5, 1, 2, 3))));
    made.serverProcesses =
        List.of(
            new ServerProcess("proxy", "db:5432", "java", 1.5, 0.25),
            new ServerProcess("shard", "db1:5432", null, null, null));
    made.bottleneck = ours.bottleneck();
    made.verdict = ours.verdict();
    made.thresholds = ours.thresholds();
    made.drivers =
        Drivers.merged(
            "g",
            3,
            List.of(
                Drivers.DriverPart.of(0, 1, 4, 8, 8, 0.1, 0, -2.5, 1).with(ours, true),
                Drivers.DriverPart.of(1, 5, 8, 8, 8, 0.1, 0.5, null, 7)),
            List.of(new Drivers.Lost(2, 0, 0, 0, "gone")));
    made.idleSessions =
        new IdleSessions(
            200,
            200,
            1,
            "session 7 of db:5432: the server closed it",
            2,
            3,
            0.5,
            List.of(new IdleSessions.Endpoint("db:5432", 200, 1_000L, 2_000L, 3_000L)),
            new IdleSessions.Questions(8, 1, 2, latency),
            List.of(
                new IdleSessions.IdlePhase(IdleSessions.BEFORE, 0, 10, 8, 1, latency),
                new IdleSessions.IdlePhase(IdleSessions.HELD, 10, 40, 80, 0, null)));
    made.adversity =
        new Adversity(
            List.of(
                new EventResult(
                    "crash",
                    "@kill for 10s",
                    60.1,
                    12.5,
                    "",
                    new EventWindow(30, 100, 4.5),
                    new EventWindow(13, 20, 900.0),
                    new EventWindow(30, 99, 5.0),
                    100.0,
                    14.0,
                    15.0,
                    7,
                    3,
                    1)),
            new RollingChecks(
                30,
                4,
                1,
                "ERROR: no",
                true,
                0.5,
                0.75,
                new EventWindow(5, 80, 6.0),
                new EventWindow(100, 100, 5.0),
                List.of(new ViolatedCondition("3.3.2.1 W_YTD", 90, 1, List.of("w_id=1")))));
    made.acid =
        List.of(
            new AcidResult("3.2.2.1", "a Payment", AcidVerdict.PASS, "all changed"),
            new AcidResult("3.5", "crash of s2", AcidVerdict.FAIL, "1 of 9 is lost"));
    return made.result();
  }
}
