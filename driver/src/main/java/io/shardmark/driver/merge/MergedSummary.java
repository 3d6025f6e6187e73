package io.shardmark.driver.merge;

import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.judge.InputAudit;
import io.shardmark.driver.judge.RunJudge;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.recorder.ResultBuilder;
import io.shardmark.driver.results.AuditRow;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Configuration;
import io.shardmark.driver.results.DeferredWork;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.Fault;
import io.shardmark.driver.results.HoldUps;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.ObserverNote;
import io.shardmark.driver.results.ResultDraft;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.Session;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The totals of several drivers as those of one run. Pure. */
final class MergedSummary {
  private static final String TERMINALS_OF_SHARDS = "terminalsOfShards";

  private final PartSet set;
  private final List<MergedPart> parts;
  private final List<RunResult> results;
  private final RunResult first;
  private final List<Drivers.Lost> known;

  MergedSummary(PartSet set, List<Drivers.Lost> known) {
    this.set = set;
    this.parts = set.parts();
    this.results = parts.stream().map(MergedPart::result).toList();
    this.first = results.get(0);
    this.known = known;
  }

  /**
   * What is known of the run in addition to its transactions.
   *
   * @param whole settings of the run of all drivers
   * @param statistics of all of them
   */
  ResultDraft of(Settings whole, RunStatistics statistics) {
    Drivers drivers = drivers();
    ResultDraft known = new ResultDraft();
    known.run = session(drivers);
    known.scale = whole.scale().result();
    known.configuration = configuration(whole, drivers);
    known.facts = facts();
    known.machine = first.machine();
    known.jvm = first.jvm();
    known.database = first.database();
    known.deferredWork =
        new DeferredWork(
            results.stream().mapToLong(result -> result.deferredWork().notBegun()).sum(),
            results.stream().mapToLong(result -> result.deferredWork().refused()).sum());
    known.audit = audit();
    known.client = client(statistics);
    known.databaseFigures = first.databaseFigures();
    known.serverWaits = first.serverWaits();
    known.observedMachine = first.observedMachine();
    known.serverProcesses = first.serverProcesses();
    known.faults = faults();
    known.observers = observers();
    known.drivers = drivers;
    return known;
  }

  private Configuration configuration(Settings whole, Drivers drivers) {
    Configuration configuration = first.configuration();
    Map<String, String> properties = new LinkedHashMap<>();
    configuration
        .group("properties")
        .forEach((key, value) -> properties.put(String.valueOf(key), String.valueOf(value)));
    RunConfig config =
        whole
            .run()
            .withSeed(configuration.whole("seed"), configuration.text("seedDrawn").equals("true"))
            .withConnections(
                drivers.list().stream().mapToInt(Drivers.DriverPart::connections).sum());
    return ResultBuilder.configuration(
        whole.connection(), config, configuration.text("isolation"), properties);
  }

  private Session session(Drivers drivers) {
    Ending ending = Ending.COMPLETED;
    List<Ending> endings = results.stream().map(result -> result.run().ending()).toList();
    if (!drivers.lost().isEmpty()) {
      ending = Ending.INCOMPLETE;
    } else if (endings.contains(Ending.ABORTED)) {
      ending = Ending.ABORTED;
    } else if (endings.stream().anyMatch(one -> one != Ending.COMPLETED)) {
      ending = Ending.INTERRUPTED;
    }
    String end =
        results.stream()
            .map(result -> result.run().sessionEnd())
            .max(Comparator.comparing(text -> OffsetDateTime.parse(text).toInstant()))
            .orElse("");
    Session session = first.run();
    return new Session(
        session.id(), session.product(), session.workload(), session.sessionStart(), end, ending);
  }

  private Drivers drivers() {
    List<Drivers.DriverPart> drivers = new ArrayList<>();
    Map<Integer, Drivers.Lost> lost = new TreeMap<>();
    for (int index = 0; index < set.drivers(); index++) {
      lost.put(index, new Drivers.Lost(index, 0, 0, 0, "its result directory is not here"));
    }
    known.forEach(driver -> lost.put(driver.index(), driver));
    for (MergedPart part : parts) {
      lost.remove(part.index());
      drivers.add(part.driver().with(part.result(), RunJudge.of(part.result()).driverBound()));
    }
    return Drivers.merged(
        set.first().drivers().group(), set.drivers(), drivers, List.copyOf(lost.values()));
  }

  /** Those of the first, which all share, but for the one that counts terminals. */
  private Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>(first.facts());
    if (facts.containsKey(TERMINALS_OF_SHARDS)) {
      long[] sums = {};
      for (MergedPart part : parts) {
        String[] counts =
            part.result().facts().getOrDefault(TERMINALS_OF_SHARDS, "").split(" ", -1);
        sums = Arrays.copyOf(sums, Math.max(sums.length, counts.length));
        for (int shard = 0; shard < counts.length; shard++) {
          sums[shard] += counts[shard].isEmpty() ? 0 : Long.parseLong(counts[shard]);
        }
      }
      facts.put(
          TERMINALS_OF_SHARDS,
          Arrays.stream(sums).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
    }
    return facts;
  }

  /** Those of all drivers, with the driver's number in front, as in {@link #observers}. */
  private List<Fault> faults() {
    List<Fault> faults = new ArrayList<>();
    for (MergedPart part : parts) {
      for (Fault fault : part.result().faults()) {
        faults.add(
            new Fault(
                "driver %d: %s".formatted(part.index(), fault.thread()),
                fault.cause(),
                fault.afterSeconds(),
                fault.trace()));
      }
    }
    return faults;
  }

  private List<ObserverNote> observers() {
    List<ObserverNote> observers = new ArrayList<>();
    for (MergedPart part : parts) {
      for (ObserverNote note : part.result().observers()) {
        observers.add(
            new ObserverNote(
                "driver %d: %s".formatted(part.index(), note.text()), note.afterSeconds()));
      }
    }
    return observers;
  }

  /** Counts are added and judged again. */
  private List<AuditRow> audit() {
    List<AuditRule> rules = new ArrayList<>();
    long[] counters = new long[2 * first.audit().size()];
    for (int i = 0; i < first.audit().size(); i++) {
      AuditRow row = first.audit().get(i);
      for (RunResult result : results) {
        counters[2 * i] += result.audit().get(i).numerator();
        counters[2 * i + 1] += result.audit().get(i).denominator();
      }
      rules.add(
          new AuditRule(
              row.clause(),
              row.description(),
              AuditRule.AuditUnit.valueOf(row.unit()),
              2 * i,
              2 * i + 1,
              row.low(),
              row.high(),
              set.first().totals().notApplicable().get(i)));
    }
    return InputAudit.evaluate(rules, counters);
  }

  /** What was used is added; shares and lateness are those of the driver that had the most. */
  private Client client(RunStatistics statistics) {
    List<Client> clients =
        results.stream().map(RunResult::client).filter(Objects::nonNull).toList();
    Client latest =
        clients.stream()
            .max(Comparator.comparingDouble(Client::schedulerLatenessP99Millis))
            .orElse(Client.of(0, 0, 0));
    return new Client(
        clients.stream().mapToDouble(Client::coresUsed).sum(),
        processors(Client::coresAvailable),
        most(clients, Client::machineBusyShare),
        processors(Client::processorsOfMachine),
        most(clients, Client::runnableDelayShare),
        clients.stream().anyMatch(Client::serverOnSameMachine),
        clients.stream().mapToDouble(Client::gcShare).max().orElse(0),
        clients.stream().mapToLong(Client::gcCount).sum(),
        clients.stream().mapToLong(Client::gcMillis).sum(),
        clients.stream().mapToLong(Client::recorderStalls).sum(),
        clients.stream().mapToDouble(Client::recorderStalledMillis).sum(),
        clients.stream().mapToDouble(Client::recorderStallShare).max().orElse(0),
        latest.schedulerLatenessP99Millis(),
        latest.schedulerLatenessCount(),
        latest.serviceP50Millis(),
        statistics.overall(LatencyKind.CONNECTION_WAIT, Scope.ALL).p99(),
        clients.stream().mapToLong(Client::peakRssBytes).sum(),
        clients.stream()
            .map(Client::heldUp)
            .filter(Objects::nonNull)
            .max(Comparator.comparingDouble(HoldUps::seconds))
            .orElse(null),
        clients.stream().allMatch(client -> client.contextSwitches() != null)
            ? clients.stream()
                .map(Client::contextSwitches)
                .filter(Objects::nonNull)
                .reduce(0L, Long::sum)
            : null);
  }

  /** Of their machines: drivers on one machine share its processors. */
  private int processors(ToIntFunction<Client> which) {
    Map<String, Integer> ofMachines = new LinkedHashMap<>();
    for (MergedPart part : parts) {
      String machine =
          part.totals().machineId().isEmpty()
              ? "of driver " + part.index()
              : part.totals().machineId();
      Client client = part.result().client();
      ofMachines.merge(machine, client == null ? 0 : which.applyAsInt(client), Math::max);
    }
    return ofMachines.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static @Nullable Double most(
      List<Client> clients, Function<Client, @Nullable Double> share) {
    return clients.stream()
        .map(share)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }
}
