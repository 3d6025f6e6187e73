package io.shardmark.driver.sweep;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.PacingConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.sweep.SweepRequest.SearchRequest;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import io.shardmark.driver.terminal.TerminalRun;
import io.shardmark.sql.embedded.EmbeddedConn;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What can be known to fail before anything is run. */
record SweepChecks(SweepRequest request) {
  private static final int OBSERVERS = 2;
  private static final int VERIFY_CONNECTIONS = 4;

  /**
   * Reads every key of every point.
   *
   * @throws ConfigException for the first one that cannot be used
   */
  void check() {
    requireOneBenchmark();
    for (SweepDatabase database : request.databases()) {
      BenchmarkProperties properties = database.properties();
      if (properties.drivers().areSeveral()) {
        throw new ConfigException(
            "%s: drivers is above 1: a sweep starts one driver for each run: expected drivers 1"
                .formatted(database.file()));
      }
      if (properties.connection().isNothing()
          && (request.build() == BuildMode.FIRST || request.build() == BuildMode.EACH)) {
        throw new ConfigException(
            "%s: conn=null: has no tables to build: expected --build never"
                .formatted(database.file()));
      }
      if (properties.connection().isEmbedded()) {
        EmbeddedConn.check(properties.connection().url());
      }
      if (request.build() == BuildMode.RESET
          && Benchmarks.of(properties).reset(properties.values()).isEmpty()) {
        throw new ConfigException(
            "%s: workload=%s: it has no reset: expected --build each"
                .formatted(database.file(), properties.workload()));
      }
      properties.load();
      Benchmarks.of(properties).check(properties.values());
      for (BenchmarkProperties point : extremes(database)) {
        open(point);
        point.result();
      }
      if (request.search() != null) {
        checkUnpaced(database, request.search());
      }
    }
  }

  /** Their runs are compared in the end. */
  private void requireOneBenchmark() {
    SweepDatabase first = request.databases().get(0);
    for (SweepDatabase database : request.databases()) {
      if (!database.properties().workload().equals(first.properties().workload())) {
        throw new ConfigException(
            "%s: workload=%s, but %s has workload=%s: expected one benchmark in all files of a sweep"
                .formatted(
                    database.file(),
                    database.properties().workload(),
                    first.file(),
                    first.properties().workload()));
      }
    }
  }

  private static void checkUnpaced(SweepDatabase database, SearchRequest search) {
    RunConfig run = database.with(Map.of("terminals", "1")).run();
    PacingConfig pacing = run.pacing();
    if (pacing.limitTxnsPerMin() > 0
        || pacing.openLoopTxnsPerMin() > 0
        || !pacing.stages().isEmpty()) {
      throw new ConfigException(
          "%s: limitTxnsPerMin, openLoopTxnsPerMin or stages is set, and a search for the most %s would find that: expected none of them, as by adding: limitTxnsPerMin 0"
              .formatted(database.file(), search.goal()));
    }
    if (run.transactionsPerTerminal() > 0) {
      throw new ConfigException(
          "%s: runTxnsPerTerminal=%d: a search needs runs of equal time: expected runMins, as by adding: runTxnsPerTerminal 0 runMins 5"
              .formatted(database.file(), run.transactionsPerTerminal()));
    }
  }

  /** What is odd about the properties, one line each. */
  List<String> warnings() {
    Set<String> warnings = new LinkedHashSet<>();
    for (SweepDatabase database : request.databases()) {
      warnings.addAll(database.properties().warnings());
      int limit = 0;
      for (BenchmarkProperties point : extremes(database)) {
        Benchmark benchmark = Benchmarks.of(point);
        warnings.addAll(point.runWarnings());
        warnings.addAll(benchmark.warnings(Settings.of(benchmark, point)));
        limit = point.run().pacing().limitTxnsPerMin();
      }
      if (limit > 0) {
        warnings.add(
            "%s: limitTxnsPerMin=%d holds for every point, whatever its terminals"
                .formatted(database.file(), limit));
      }
    }
    return List.copyOf(warnings);
  }

  /** The connections that one process opens at most, over all points. */
  int mostConnections() {
    int most = VERIFY_CONNECTIONS;
    for (SweepDatabase database : request.databases()) {
      most = Math.max(most, database.properties().load().workers() + 1);
      for (BenchmarkProperties point : extremes(database)) {
        most = Math.max(most, TerminalRun.workerCount(open(point), point.run()) + OBSERVERS);
      }
    }
    return most;
  }

  private static Workload open(BenchmarkProperties properties) {
    Benchmark benchmark = Benchmarks.of(properties);
    return benchmark.open(Settings.of(benchmark, properties));
  }

  /** How long a run of a database takes, ramp-up included; 0 if its transactions are counted. */
  Map<String, Long> plannedSeconds() {
    Map<String, Long> planned = new HashMap<>();
    for (SweepDatabase database : request.databases()) {
      RunConfig run = extremes(database).get(0).run();
      planned.put(database.name(), run.rampUp().plus(run.runDuration()).toSeconds());
    }
    return planned;
  }

  /** Properties of the points that are run, or for a search of the least and the greatest. */
  private List<BenchmarkProperties> extremes(SweepDatabase database) {
    Stream<Point> points =
        request.search() == null
            ? request.points().stream().filter(one -> one.database().equals(database.name()))
            : new SearchRun(request, database).extremes();
    return points.map(point -> point.keys(database)).distinct().map(database::with).toList();
  }
}
