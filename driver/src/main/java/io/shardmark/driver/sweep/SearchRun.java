package io.shardmark.driver.sweep;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.sweep.Search.NoneHolds;
import io.shardmark.driver.sweep.Search.Trial;
import io.shardmark.driver.sweep.SearchResult.Hold;
import io.shardmark.driver.sweep.SearchResult.Throughput;
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
 * into points. Holds no state.
 */
final class SearchRun {
  /** TPC-C 4.2.1: a warehouse has ten. */
  private static final int TERMINALS_PER_UNIT = 10;

  private static final int MOST_TERMINALS = 10_000;

  /** An embedded server on the driver's machine. */
  private static final int MOST_TERMINALS_EMBEDDED = 200;

  /** A run that fails counts as one that does not hold the limits only when it failed twice. */
  private static final int ATTEMPTS = 2;

  private final SearchRequest asked;
  private final SweepDatabase database;
  private final Grid grid;

  SearchRun(SweepRequest request, SweepDatabase database) {
    this.asked = Objects.requireNonNull(request.search());
    this.database = database;
    this.grid = grid();
  }

  private Grid grid() {
    int greatest = asked.to() == 0 ? defaultGreatest() : asked.to();
    int near = asked.goal().isPeak() ? Limits.NEAR_PEAK_PERCENT : Limits.NEAR_PERCENT;
    return new Grid(asked.from(), Math.max(asked.from(), greatest), asked.step(), near);
  }

  private int defaultGreatest() {
    if (asked.goal().isOfScale()) {
      BenchmarkProperties properties = database.properties();
      return Benchmarks.of(properties).scale(properties.values()).size();
    }
    ConnectionConfig connection = database.properties().connection();
    return connection.isEmbedded() ? MOST_TERMINALS_EMBEDDED : MOST_TERMINALS;
  }

  /** Runs of the least value and of the greatest. */
  Stream<Point> extremes() {
    return Stream.of(grid.from(), grid.to()).map(value -> point(value, 1));
  }

  private Point point(int value, int repetition) {
    boolean scaled = asked.goal().isOfScale();
    return new Point(
        database.name(),
        Point.PointKind.PROBE,
        scaled ? value * TERMINALS_PER_UNIT : value,
        scaled ? value : 0,
        0,
        repetition);
  }

  /**
   * The point to be run now and those that may follow, as a guess; empty if there is none left.
   *
   * @param plan decides it, and nothing else
   */
  List<Point> next(SweepPlan plan) {
    Optional<PointRecord> again =
        records(plan).stream().filter(SearchRun::isToBeRunAgain).findFirst();
    if (again.isPresent()) {
      return Collections.nCopies(2, again.get().point());
    }
    if (!failure(plan).isEmpty()) {
      return List.of();
    }
    Search.Next next = search(plan).next();
    boolean holds = asked.holdPercent() > 0;
    if (next instanceof Search.SearchProbe probe) {
      return Collections.nCopies(
          probe.mostLeft() + (holds ? 1 : 0), point(probe.value(), probe.repetition()));
    }
    return next instanceof Search.FoundPoint found && holds && hold(plan).isEmpty()
        ? List.of(holdPoint(plan, found.value()))
        : List.of();
  }

  private static boolean isToBeRunAgain(PointRecord record) {
    return record.state() == PointRecord.PointState.PENDING
        || record.state() == PointRecord.PointState.RUNNING
        || (record.state() == PointRecord.PointState.FAILED
            && !record.isDataWrong()
            && record.attempts() < ATTEMPTS);
  }

  private List<PointRecord> records(SweepPlan plan) {
    return plan.points().stream()
        .filter(record -> record.point().database().equals(database.name()))
        .toList();
  }

  /** Runs of the search that have ended. */
  private List<PointRecord> probes(SweepPlan plan) {
    return records(plan).stream()
        .filter(
            record -> record.point().kind() == Point.PointKind.PROBE && record.outcome() != null)
        .toList();
  }

  /** Why the search cannot go on; empty if it can. */
  private String failure(SweepPlan plan) {
    return probes(plan).stream()
        .filter(record -> record.state() == PointRecord.PointState.FAILED)
        .filter(record -> value(record) == grid.from() || record.isDataWrong())
        .map(record -> record.point().label() + ": " + record.why())
        .findFirst()
        .orElse("");
  }

  private int value(PointRecord record) {
    return asked.goal().isOfScale() ? record.point().scale() : record.point().terminals();
  }

  /** Every run of the search that has ended. */
  private List<SearchResult.SearchStep> path(SweepPlan plan) {
    return probes(plan).stream()
        .map(record -> SearchResult.SearchStep.of(value(record), record))
        .toList();
  }

  private Search search(SweepPlan plan) {
    return new Search(
        asked.goal(),
        grid,
        path(plan).stream()
            .map(step -> new Trial(step.value(), step.holds(), step.peak()))
            .toList());
  }

  private Point holdPoint(SweepPlan plan, int value) {
    double most = throughput(plan, value).perMinute();
    Point found = point(value, 1);
    return new Point(
        database.name(),
        Point.PointKind.HOLD,
        found.terminals() * Point.TERMINALS_PER_CONNECTION_HELD,
        found.scale(),
        Math.max(1, (int) (most * asked.holdPercent() / 100)),
        1);
  }

  private Optional<PointRecord> hold(SweepPlan plan) {
    return records(plan).stream()
        .filter(record -> record.point().kind() == Point.PointKind.HOLD)
        .findFirst();
  }

  /** Means over the runs of a value that held the limits. */
  private Throughput throughput(SweepPlan plan, int value) {
    List<PointFigures> held =
        path(plan).stream()
            .filter(step -> step.value() == value && step.holds())
            .map(SearchResult.SearchStep::figures)
            .flatMap(Stream::ofNullable)
            .toList();
    Map<String, Double> means = new LinkedHashMap<>();
    for (PointFigures figures : held) {
      figures.metrics().forEach((name, one) -> means.merge(name, one / held.size(), Double::sum));
    }
    return new Throughput(
        means, held.stream().mapToDouble(PointFigures::perMinute).average().orElse(0), held.size());
  }

  /** What was found so far. */
  SearchResult result(SweepPlan plan) {
    String failure = failure(plan);
    if (!failure.isEmpty()) {
      return none(plan, SearchResult.SearchEnding.FAILED, failure);
    }
    Search.Next next = search(plan).next();
    if (next instanceof Search.FoundPoint found) {
      return new SearchResult(
          database.name(),
          SearchResult.SearchEnding.FOUND,
          found.value() == grid.to() ? "the greatest value that was allowed" : "",
          found.value(),
          throughput(plan, found.value()),
          path(plan),
          hold(plan).map(record -> Hold.of(asked.holdPercent(), record)).orElse(null));
    }
    return next instanceof NoneHolds
        ? none(
            plan,
            SearchResult.SearchEnding.NONE_HOLDS,
            "not even %d %s hold the limits".formatted(grid.from(), asked.goal().unit()))
        : none(plan, SearchResult.SearchEnding.UNFINISHED, "");
  }

  private SearchResult none(SweepPlan plan, SearchResult.SearchEnding ending, String remark) {
    return new SearchResult(
        database.name(), ending, remark, 0, new Throughput(Map.of(), 0, 0), path(plan), null);
  }
}
