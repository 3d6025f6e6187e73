package io.shardmark.driver.merge;

import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.audit.AuditResult;
import io.shardmark.driver.audit.InputAudit;
import io.shardmark.driver.benchmark.AuditRule;
import io.shardmark.driver.measure.LatencyKind;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.Scope;
import io.shardmark.driver.result.ClientFigures;
import io.shardmark.driver.result.DriversSummary;
import io.shardmark.driver.result.DriversSummary.LostDriver;
import io.shardmark.driver.result.RunSummary;
import io.shardmark.driver.result.RunSummary.Ending;
import io.shardmark.driver.verdict.DriverLoad;
import io.shardmark.driver.verdict.Threshold;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;

/** The totals of several drivers as those of one run. Pure. */
final class MergedSummary {
  private static final String TERMINALS_OF_SHARDS = "terminalsOfShards";

  private final PartSet set;
  private final List<PartTotals> parts;
  private final PartTotals first;
  private final List<LostDriver> known;

  MergedSummary(PartSet set, List<LostDriver> known) {
    this.set = set;
    this.parts = set.parts().stream().map(PartSet.Part::totals).toList();
    this.first = parts.get(0);
    this.known = known;
  }

  /**
   * @param whole what the drivers were told of the run of all of them
   */
  RunSummary of(ConnectionConfig connection, RunConfig whole, List<Threshold> failOn) {
    RunStatistics statistics =
        RunStatistics.sum(parts.stream().map(PartTotals::statistics).toList());
    DriversSummary drivers = drivers();
    return new RunSummary(
        session(drivers),
        connection,
        whole
            .withSeed(first.seed(), first.seedDrawn())
            .over(
                parts.stream().mapToInt(p -> p.driver().share().warehouseFrom()).min().orElse(1),
                parts.stream().mapToInt(p -> p.driver().share().warehouseTo()).max().orElse(1),
                parts.stream().mapToInt(p -> p.driver().share().connections()).sum()),
        failOn,
        first.isolation(),
        first.texts().properties(),
        facts(),
        first.environment(),
        statistics,
        new RunSummary.DeferredWork(
            parts.stream().mapToLong(p -> p.deferredWork().notBegun()).sum(),
            parts.stream().mapToLong(p -> p.deferredWork().refused()).sum()),
        audit(),
        client(statistics),
        first.server(),
        trouble(),
        Optional.of(drivers));
  }

  private RunSummary.Session session(DriversSummary drivers) {
    RunSummary.Session session = first.session();
    Ending ending = Ending.COMPLETED;
    if (!drivers.lost().isEmpty()) {
      ending = Ending.INCOMPLETE;
    } else if (parts.stream().anyMatch(p -> p.session().ending() == Ending.ABORTED)) {
      ending = Ending.ABORTED;
    } else if (parts.stream().anyMatch(p -> p.session().ending() != Ending.COMPLETED)) {
      ending = Ending.INTERRUPTED;
    }
    ZonedDateTime end =
        parts.stream()
            .map(p -> p.session().end())
            .max(Comparator.comparing(ZonedDateTime::toInstant))
            .orElse(session.end());
    return new RunSummary.Session(
        session.run(), session.product(), session.workload(), session.start(), end, ending);
  }

  private DriversSummary drivers() {
    List<DriversSummary.Driver> drivers = new ArrayList<>();
    Map<Integer, LostDriver> lost = new TreeMap<>();
    for (int index = 0; index < set.drivers(); index++) {
      lost.put(
          index,
          new LostDriver(
              index, new DriversSummary.Share(0, 0, 0, 0), "its result directory is not here"));
    }
    known.forEach(driver -> lost.put(driver.index(), driver));
    for (PartTotals part : parts) {
      lost.remove(part.index());
      DriversSummary.StartClock clock = part.driver().clock();
      drivers.add(
          new DriversSummary.Driver(
              part.index(),
              part.driver().share(),
              new DriversSummary.StartClock(
                  clock.uncertaintyNanos(),
                  clock.lateNanos(),
                  clock.driftNanos(),
                  0), // the merged files begin with the start
              List.of(part.figures())));
    }
    return new DriversSummary(
        first.group(),
        set.drivers(),
        DriversSummary.Kind.MERGED,
        drivers,
        List.copyOf(lost.values()));
  }

  /** Those of the first, which all share, but for the one that counts terminals. */
  private Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>(first.texts().facts());
    if (facts.containsKey(TERMINALS_OF_SHARDS)) {
      List<Long> sums = new ArrayList<>();
      for (PartTotals part : parts) {
        String[] counts = part.texts().facts().getOrDefault(TERMINALS_OF_SHARDS, "").split(" ", -1);
        for (int shard = 0; shard < counts.length; shard++) {
          if (sums.size() <= shard) {
            sums.add(0L);
          }
          sums.set(
              shard,
              sums.get(shard) + (counts[shard].isEmpty() ? 0 : Long.parseLong(counts[shard])));
        }
      }
      facts.put(TERMINALS_OF_SHARDS, String.join(" ", sums.stream().map(String::valueOf).toList()));
    }
    return facts;
  }

  /** That of all of them, with the driver's number in front. */
  private RunSummary.Trouble trouble() {
    List<RunFaults.Fault> faults = new ArrayList<>();
    List<RunFaults.ObserverNote> observers = new ArrayList<>();
    for (PartTotals part : parts) {
      String driver = "driver " + part.index() + ": ";
      for (RunFaults.Fault fault : part.trouble().faults()) {
        faults.add(
            new RunFaults.Fault(
                driver + fault.thread(), fault.cause(), fault.trace(), fault.since()));
      }
      for (RunFaults.ObserverNote note : part.trouble().observers()) {
        observers.add(new RunFaults.ObserverNote(driver + note.text(), note.since()));
      }
    }
    return new RunSummary.Trouble(faults, observers);
  }

  /** Counts are added and judged again. */
  private List<AuditResult> audit() {
    List<AuditRule> rules = new ArrayList<>();
    long[] counters = new long[2 * first.audit().size()];
    for (int i = 0; i < first.audit().size(); i++) {
      AuditRule rule = first.audit().get(i).rule();
      for (PartTotals part : parts) {
        counters[2 * i] += part.audit().get(i).numerator();
        counters[2 * i + 1] += part.audit().get(i).denominator();
      }
      rules.add(
          new AuditRule(
              rule.clause(),
              rule.description(),
              rule.unit(),
              2 * i,
              2 * i + 1,
              rule.low(),
              rule.high(),
              rule.notApplicable()));
    }
    return InputAudit.evaluate(rules, counters);
  }

  /** What was used is added; shares and lateness are those of the driver that had the most. */
  private ClientFigures client(RunStatistics statistics) {
    List<ClientFigures> clients = parts.stream().map(PartTotals::client).toList();
    List<DriverLoad> loads = clients.stream().map(ClientFigures::load).toList();
    return new ClientFigures(
        new DriverLoad(
            loads.stream().mapToDouble(DriverLoad::coresUsed).sum(),
            processors(),
            most(loads, DriverLoad::machineBusyShare),
            loads.stream().anyMatch(DriverLoad::serverHere),
            most(loads, DriverLoad::runnableDelayShare),
            loads.stream().mapToDouble(DriverLoad::gcPauseShare).max().orElse(0),
            loads.stream().mapToLong(DriverLoad::ringStalls).sum(),
            loads.stream().mapToDouble(DriverLoad::ringStallShare).max().orElse(0),
            loads.stream()
                .map(DriverLoad::lateness)
                .max(Comparator.comparingLong(DriverLoad.Lateness::p99Nanos))
                .orElse(DriverLoad.Lateness.NONE)),
        statistics.overall(LatencyKind.CONNECTION_WAIT, Scope.ALL).p99Nanos(),
        clients.stream().mapToLong(ClientFigures::gcCount).sum(),
        clients.stream().mapToLong(ClientFigures::gcMillis).sum(),
        clients.stream().mapToLong(ClientFigures::stalledNanos).sum(),
        clients.stream().mapToLong(ClientFigures::peakRssBytes).sum());
  }

  /** Of their machines: drivers on one machine share its processors. */
  private int processors() {
    Map<String, Integer> ofMachines = new LinkedHashMap<>();
    for (PartTotals part : parts) {
      String machine = part.machineId().isEmpty() ? "of driver " + part.index() : part.machineId();
      ofMachines.merge(machine, part.client().load().coresAvailable(), Math::max);
    }
    return ofMachines.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static OptionalDouble most(
      List<DriverLoad> loads, Function<DriverLoad, OptionalDouble> share) {
    return loads.stream()
        .map(share)
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .max();
  }
}
