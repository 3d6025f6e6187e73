package io.shardmark.driver.sweep;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.driver.benchmarks.Benchmarks;
import io.shardmark.driver.sweep.PointRecord.Outcome;
import io.shardmark.driver.sweep.Search.Found;
import io.shardmark.driver.sweep.Search.NoneHolds;
import io.shardmark.driver.sweep.Search.Probe;
import io.shardmark.driver.sweep.Search.Trial;
import io.shardmark.driver.sweep.SearchResult.Ending;
import io.shardmark.driver.sweep.SweepRequest.SearchRequest;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The search on one database: turns what the plan says into trials, and what the search wants next
 * into points. Holds no state of its own.
 */
final class SearchRun implements Course {
  /** TPC-C 4.2.1: a warehouse has ten. */
  private static final int TERMINALS_PER_UNIT = 10;

  private static final int MOST_TERMINALS = 10_000;

  /** An embedded server on the driver's machine. */
  private static final int MOST_TERMINALS_EMBEDDED = 200;

  /** Between two numbers of terminals nearer than this no run is worth its time. */
  private static final int NEAR_PERCENT = 5;

  private static final int NEAR_PERCENT_OF_PEAK = 12;

  /** A run that fails counts as one that does not hold the limits only when it failed twice. */
  private static final int ATTEMPTS = 2;

  /**
   * With more terminals than connections, one that waits for a slow answer keeps no other one that
   * is due from the connections that are free.
   */
  private static final int TERMINALS_PER_CONNECTION_HELD = 4;

  private final SearchRequest search;
  private final SweepDatabase database;
  private final Grid grid;

  SearchRun(SweepRequest request, SweepDatabase database) {
    this.search = Objects.requireNonNull(request.search());
    this.database = database;
    this.grid = grid();
  }

  private Grid grid() {
    int greatest = search.to() == 0 ? defaultGreatest() : search.to();
    int near = search.goal().isPeak() ? NEAR_PERCENT_OF_PEAK : NEAR_PERCENT;
    return new Grid(search.from(), Math.max(search.from(), greatest), search.step(), near);
  }

  private int defaultGreatest() {
    if (search.goal().isOfScale()) {
      BenchmarkProperties properties = database.properties();
      return Benchmarks.of(properties).scale(properties.values()).size();
    }
    ConnectionConfig connection = database.properties().connection();
    return connection.isEmbedded() ? MOST_TERMINALS_EMBEDDED : MOST_TERMINALS;
  }

  /** Keys of the least value and of the greatest. */
  List<Map<String, String>> extremes() {
    return Stream.of(grid.from(), grid.to())
        .map(value -> keys(point(new Probe(value, 1, 0))))
        .toList();
  }

  private Point point(Probe probe) {
    boolean scaled = search.goal().isOfScale();
    return new Point(
        database.name(),
        Point.Kind.PROBE,
        scaled ? probe.value() * TERMINALS_PER_UNIT : probe.value(),
        scaled ? probe.value() : 0,
        0,
        probe.repetition());
  }

  @Override
  public Map<String, String> keys(Point point) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("terminals", Integer.toString(point.terminals()));
    if (point.scale() > 0) {
      keys.put(SearchGoal.SCALE.name(), Integer.toString(point.scale()));
    }
    if (point.kind() == Point.Kind.HOLD) {
      keys.put("openLoopTxnsPerMin", Integer.toString(point.openLoopTxnsPerMin()));
      keys.put("connections", Integer.toString(connections(point)));
      keys.put("keyingTimeMultiplier", "0");
      keys.put("thinkTimeMultiplier", "0");
    } else if (search.goal().isOfScale() && !isPaced()) {
      keys.put("keyingTimeMultiplier", "1");
      keys.put("thinkTimeMultiplier", "1");
    }
    return keys;
  }

  private int connections(Point hold) {
    int terminals = Math.max(1, hold.terminals() / TERMINALS_PER_CONNECTION_HELD);
    return database
        .properties()
        .text("connections")
        .map(text -> Math.min(terminals, Integer.parseInt(text)))
        .orElse(terminals);
  }

  private boolean isPaced() {
    return database.with(Map.of("terminals", "1")).run().pacing().isPaced();
  }

  @Override
  public Next next(SweepPlan plan) {
    Optional<PointRecord> again =
        records(plan).stream().filter(SearchRun::isToBeRunAgain).findFirst();
    if (again.isPresent()) {
      return next(again.get().point(), 2);
    }
    if (!failure(plan).isEmpty()) {
      return Next.NONE;
    }
    Search.Next next = new Search(search.goal(), grid, trials(plan)).next();
    boolean holds = search.holdPercent() > 0;
    if (next instanceof Probe probe) {
      return next(point(probe), probe.mostLeft() + (holds ? 1 : 0));
    }
    return next instanceof Found found && holds && hold(plan).isEmpty()
        ? next(holdPoint(plan, found.value()), 1)
        : Next.NONE;
  }

  private Next next(Point point, int mostLeft) {
    return new Next(Optional.of(point), Collections.nCopies(mostLeft, database.name()));
  }

  private static boolean isToBeRunAgain(PointRecord record) {
    return record.state() == PointState.PENDING
        || record.state() == PointState.RUNNING
        || (record.state() == PointState.FAILED
            && !isDataWrong(record)
            && record.attempts() < ATTEMPTS);
  }

  private static boolean isDataWrong(PointRecord record) {
    Outcome outcome = record.outcome();
    return outcome != null && outcome.verifyStatus() != null && outcome.verifyStatus() != 0;
  }

  private List<PointRecord> records(SweepPlan plan) {
    return plan.points().stream()
        .filter(record -> record.point().database().equals(database.name()))
        .toList();
  }

  /** Runs of the search that have ended. */
  private List<PointRecord> probes(SweepPlan plan) {
    return records(plan).stream()
        .filter(record -> record.point().kind() == Point.Kind.PROBE && record.outcome() != null)
        .toList();
  }

  /** Why the search cannot go on; empty if it can. */
  private String failure(SweepPlan plan) {
    return probes(plan).stream()
        .filter(record -> record.state() == PointState.FAILED)
        .filter(record -> value(record) == grid.from() || isDataWrong(record))
        .map(record -> record.point().label() + ": " + record.why())
        .findFirst()
        .orElse("");
  }

  private int value(PointRecord record) {
    return search.goal().isOfScale() ? record.point().scale() : record.point().terminals();
  }

  private List<Trial> trials(SweepPlan plan) {
    return probes(plan).stream()
        .map(
            record -> {
              Optional<PointFigures> held = held(record);
              return new Trial(
                  value(record), held.isPresent(), held.map(PointFigures::main).orElse(0.0));
            })
        .toList();
  }

  /** The figures of a run that held the limits. */
  private static Optional<PointFigures> held(PointRecord record) {
    return record.state() == PointState.DONE
        ? Optional.ofNullable(record.figures()).filter(figures -> figures.limitFault().isEmpty())
        : Optional.empty();
  }

  private Point holdPoint(SweepPlan plan, int value) {
    double most = throughput(plan, value).perMinute();
    Point found = point(new Probe(value, 1, 0));
    return new Point(
        database.name(),
        Point.Kind.HOLD,
        found.terminals() * TERMINALS_PER_CONNECTION_HELD,
        found.scale(),
        Math.max(1, (int) (most * search.holdPercent() / 100)),
        1);
  }

  private Optional<PointRecord> hold(SweepPlan plan) {
    return records(plan).stream()
        .filter(record -> record.point().kind() == Point.Kind.HOLD)
        .findFirst();
  }

  /** Means over the runs of a value that held the limits. */
  private SearchResult.Throughput throughput(SweepPlan plan, int value) {
    List<PointFigures> held =
        probes(plan).stream()
            .filter(record -> value(record) == value)
            .flatMap(record -> held(record).stream())
            .toList();
    Map<String, Double> means = new LinkedHashMap<>();
    for (PointFigures figures : held) {
      figures.metrics().forEach((name, one) -> means.merge(name, one / held.size(), Double::sum));
    }
    return new SearchResult.Throughput(
        means, held.stream().mapToDouble(PointFigures::perMinute).average().orElse(0), held.size());
  }

  /** What was found so far. */
  SearchResult result(SweepPlan plan) {
    List<SearchResult.Step> path =
        probes(plan).stream().map(one -> SearchResult.Step.of(value(one), one)).toList();
    String failure = failure(plan);
    if (!failure.isEmpty()) {
      return SearchResult.none(database.name(), Ending.FAILED, failure, path);
    }
    Search.Next next = new Search(search.goal(), grid, trials(plan)).next();
    if (next instanceof NoneHolds) {
      return SearchResult.none(
          database.name(),
          Ending.NONE_HOLDS,
          "not even %d %s hold the limits".formatted(grid.from(), search.goal().unit()),
          path);
    }
    if (next instanceof Found found) {
      return new SearchResult(
          database.name(),
          Ending.FOUND,
          found.value() == grid.to() ? "the greatest value that was allowed" : "",
          found.value(),
          throughput(plan, found.value()),
          path,
          hold(plan)
              .map(record -> SearchResult.Hold.of(search.holdPercent(), record))
              .orElse(null));
    }
    return SearchResult.none(database.name(), Ending.UNFINISHED, "", path);
  }
}
