package io.shardmark.driver.sweep;

import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.html.ComparisonFiles;
import io.shardmark.driver.run.StopSignal;
import io.shardmark.driver.sweep.SweepRequest.SearchRequest;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A series of runs, or a search, from its first point or from where it stopped to its comparison.
 * Used once, by one thread.
 */
public final class Sweep {
  /** Longer than a run gives itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  private final SweepRequest request;
  private final Path root;
  private final Consumer<String> out;

  /**
   * What decides from the plan alone which point is run next, and guesses which ones may follow:
   * one of a series, or of a search on each database.
   */
  private final List<Function<SweepPlan, List<Point>>> courses = new ArrayList<>();

  /**
   * @param root directory of the sweep: new, empty, or of the same sweep
   * @param out gets the lines for the console
   */
  public Sweep(SweepRequest request, Path root, Consumer<String> out) {
    this.request = request;
    this.root = root;
    this.out = out;
  }

  /**
   * The request that began the sweep of a directory, as if its command were given again.
   *
   * @throws ConfigException if there is none, or its properties files cannot be read
   */
  public static SweepRequest requestOf(Path root) throws IOException {
    return SweepPlan.read(root).asked().again();
  }

  /**
   * Runs what is not done yet.
   *
   * @return true if every point is done
   * @throws ConfigException if something cannot work; nothing has been run then
   */
  public boolean run() throws IOException, InterruptedException {
    SweepChecks checks = new SweepChecks(request);
    checks.check();
    if (request.untilPercent() > 0) {
      courses.add(plan -> new NarrowRatios(request).next(plan.points()));
    } else if (request.search() == null) {
      courses.add(
          plan ->
              plan.points(PointRecord.PointState.PENDING).stream()
                  .map(PointRecord::point)
                  .toList());
    } else {
      request.databases().forEach(one -> courses.add(new SearchRun(request, one)::next));
    }
    SweepDirectory.check(root);
    if (SweepPlan.isIn(root)) {
      SweepPlan.read(root).asked().requireSame(request, root.toString());
    }
    VerbProcesses processes = new VerbProcesses();
    try (StopSignal stop = new StopSignal("sweep", PATIENCE, processes::stop);
        SweepDirectory directory = SweepDirectory.open(root)) {
      SweepPlan plan =
          SweepPlan.isIn(root) ? resumed() : SweepPlan.begin(root, request, request.points());
      checks.warnings().forEach(warning -> out.accept("WARNING: " + warning));
      if (!left(plan).isEmpty()) {
        work(checks, directory, plan, processes, stop);
      }
      return !stop.isAsked() && finish(plan);
    }
  }

  /** What was broken off is run again; in a series, what failed too. */
  private SweepPlan resumed() throws IOException, InterruptedException {
    SweepPlan plan = SweepPlan.read(root);
    for (PointRecord record : plan.points()) {
      if (record.child() != null) {
        VerbProcesses.awaitEnd(record.child());
      }
      boolean failed = record.state() == PointRecord.PointState.FAILED && request.search() == null;
      if (record.state() == PointRecord.PointState.RUNNING || failed) {
        plan.put(record.again());
      }
    }
    out.accept(
        "%s: goes on; %d points are done"
            .formatted(root, plan.points(PointRecord.PointState.DONE).size()));
    return plan;
  }

  private void work(
      SweepChecks checks,
      SweepDirectory directory,
      SweepPlan plan,
      VerbProcesses processes,
      StopSignal stop)
      throws IOException, InterruptedException {
    SweepProgress progress = new SweepProgress(checks.plannedSeconds(), request.settle(), out);
    try (SweepServers servers = new SweepServers()) {
      servers.start(request.databases(), checks.mostConnections(), out);
      PointRunner runner = new PointRunner(request, directory, plan, servers, processes, stop);
      for (SweepDatabase database : request.databases()) {
        if (!stop.isAsked()) {
          runner.prepare(database, out);
        }
      }
      runAll(plan, runner, progress, stop);
    }
  }

  private List<Point> left(SweepPlan plan) {
    return courses.stream().flatMap(course -> course.apply(plan).stream()).toList();
  }

  /** The courses take turns, so that drift favours no database. */
  private void runAll(SweepPlan plan, PointRunner runner, SweepProgress progress, StopSignal stop)
      throws IOException, InterruptedException {
    int done = plan.points(PointRecord.PointState.DONE).size();
    int number = done;
    Queue<Function<SweepPlan, List<Point>>> turns = new ArrayDeque<>(courses);
    while (!turns.isEmpty()) {
      Function<SweepPlan, List<Point>> course = turns.remove();
      List<Point> points = course.apply(plan);
      if (points.isEmpty()) {
        continue;
      }
      if (number > done ? stop.awaitAsked(request.settle()) : stop.isAsked()) {
        return;
      }
      number++;
      progress.begins(points.get(0), number, left(plan));
      long start = System.nanoTime();
      PointRecord record = runner.run(points.get(0));
      if (record.state() != PointRecord.PointState.RUNNING) {
        progress.ended(record, number, Duration.ofNanos(System.nanoTime() - start));
      }
      turns.add(course);
    }
  }

  private boolean finish(SweepPlan plan) throws IOException {
    out.accept("");
    SweepTable.lines(plan.points()).forEach(out);
    out.accept("");
    boolean complete =
        request.search() != null
            ? finishSearch(plan, request.search())
            : plan.points(PointRecord.PointState.DONE).size() == plan.points().size();
    if (request.untilPercent() > 0) {
      out.accept(new NarrowRatios(request).sentence(plan.points()));
    }
    List<PointRecord> failed = plan.points(PointRecord.PointState.FAILED);
    if (!failed.isEmpty()) {
      out.accept("Failed points:");
      SweepTable.lines(failed).forEach(out);
      out.accept(
          "What they said is in %s, what they left in %s."
              .formatted(root.resolve(SweepDirectory.LOGS), root.resolve(SweepDirectory.ASIDE)));
    }
    compare(plan);
    return complete;
  }

  /** Databases of which nothing was measured are left out. */
  private void compare(SweepPlan plan) throws IOException {
    List<CompareArgument> systems = new ArrayList<>();
    for (SweepDatabase database : request.databases()) {
      boolean measured =
          plan.points(PointRecord.PointState.DONE).stream()
              .map(PointRecord::point)
              .filter(point -> point.kind() != Point.PointKind.HOLD)
              .anyMatch(point -> point.database().equals(database.name()));
      if (measured) {
        systems.add(CompareArgument.of(database.name(), root.resolve(database.name())));
      }
    }
    if (!systems.isEmpty()) {
      ComparisonFiles.write(
              systems, root.resolve(SweepDirectory.COMPARISON), Comparison.Choices.NONE, line -> {})
          .files()
          .forEach(file -> out.accept("Wrote " + file));
    }
  }

  private boolean finishSearch(SweepPlan plan, SearchRequest search) throws IOException {
    List<SearchResult> results =
        request.databases().stream()
            .map(database -> new SearchRun(request, database).result(plan))
            .toList();
    SearchReport report = new SearchReport(search, results);
    report.lines().forEach(out);
    SweepPlan.writeJson(root.resolve(SweepDirectory.SEARCH_JSON), report.content());
    SweepPlan.write(root.resolve(SweepDirectory.SEARCH_MARKDOWN), report.markdown());
    out.accept("Wrote " + root.resolve(SweepDirectory.SEARCH_MARKDOWN));
    out.accept("Wrote " + root.resolve(SweepDirectory.SEARCH_JSON));
    return results.stream().allMatch(result -> result.ending() == SearchResult.SearchEnding.FOUND);
  }
}
