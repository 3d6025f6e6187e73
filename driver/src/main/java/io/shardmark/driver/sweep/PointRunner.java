package io.shardmark.driver.sweep;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.run.ExitStatus;
import io.shardmark.driver.run.StopSignal;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Runs one point: builds if asked, runs, verifies, and writes down how it ended. */
record PointRunner(
    SweepRequest request,
    SweepDirectory directory,
    SweepPlan plan,
    SweepServers servers,
    VerbProcesses processes,
    StopSignal stop) {

  /** How long to wait for the signal that a process has already got, before it counts as killed. */
  private static final Duration SIGNAL_GAP = Duration.ofSeconds(2);

  /** Exit statuses above are those of processes that a signal ended. */
  private static final int SIGNALLED = 128;

  /**
   * Builds a database before the first of its points, if it is to be built then.
   *
   * @throws ConfigException if that fails: no point of it could run
   */
  void prepare(SweepDatabase database, Consumer<String> out)
      throws IOException, InterruptedException {
    // With --build first, a sweep that goes on keeps what it built, but not in a server that is
    // new.
    boolean wanted =
        servers.isEmpty(database)
            ? request.build() != BuildMode.NEVER && request.build() != BuildMode.EACH
            : request.build() == BuildMode.FIRST
                && plan.points(PointRecord.PointState.DONE).stream()
                    .noneMatch(done -> done.point().database().equals(database.name()));
    if (!wanted) {
      return;
    }
    Path log = directory.log(database.name() + "-build");
    out.accept("%s: is built".formatted(database.name()));
    String fault = build(database, log, child -> {});
    if (!fault.isEmpty() && !stop.isAsked()) {
      throw new ConfigException(
          "%s: cannot be built: %s; all of it is in %s".formatted(database.file(), fault, log));
    }
  }

  /** Drops what is there, and builds. Empty, or why it failed. */
  private String build(SweepDatabase database, Path log, VerbProcesses.Started started)
      throws IOException, InterruptedException {
    if (!servers.fill(database)) {
      // Fails where there is nothing to drop; the build says what else is wrong.
      processes.run(servers.verb("destroy", database, Map.of()), log, started);
    }
    int status = processes.run(servers.verb("build", database, Map.of()), log, started);
    return status == 0 ? "" : VerbProcesses.lastWords(log);
  }

  /**
   * Runs a point from its beginning, whatever earlier attempts left.
   *
   * @return what the plan now says; still {@link PointRecord.PointState#RUNNING} if a signal ended
   *     the sweep
   */
  PointRecord run(Point point) throws IOException, InterruptedException {
    PointRecord known = plan.find(point).orElseGet(() -> PointRecord.pending(point));
    directory.setAside(point);
    PointRecord record = known.begun();
    plan.put(record);
    Path log =
        directory.log(
            point.directory().replace('/', '-')
                + (record.attempts() == 1 ? "" : "-" + record.attempts()));
    PointRecord.PointOutcome outcome = attempt(record, log);
    if (stop.isAsked()) {
      return record;
    }
    record = record.ended(outcome);
    if (record.state() == PointRecord.PointState.FAILED) {
      directory.setAside(point);
    }
    plan.put(record);
    return record;
  }

  private PointRecord.PointOutcome attempt(PointRecord record, Path log)
      throws IOException, InterruptedException {
    String began = now();
    Point point = record.point();
    SweepDatabase database = request.database(point.database());
    VerbProcesses.Started started = child -> plan.put(record.with(child));
    if (request.build() == BuildMode.EACH) {
      String fault = build(database, log, started);
      if (!fault.isEmpty()) {
        return new PointRecord.PointOutcome(null, null, began, now(), "build: " + fault, null);
      }
    }
    if (request.build() == BuildMode.RESET
        && processes.run(servers.verb("reset", database, Map.of()), log, started) != 0) {
      String fault = "reset: " + VerbProcesses.lastWords(log);
      return new PointRecord.PointOutcome(null, null, began, now(), fault, null);
    }
    Path results = directory.forResults(point);
    Map<String, String> more = new LinkedHashMap<>(point.keys(database));
    more.put("resultDirectory", results.toString());
    int status = processes.run(servers.verb("run", database, more), log, started);
    if (status > SIGNALLED && !stop.isAsked()) {
      stop.awaitAsked(SIGNAL_GAP);
    }
    // One that broke a threshold was measured to its end: its figures say what it did not hold.
    if (status != ExitStatus.OK && status != ExitStatus.THRESHOLD) {
      String why =
          status > SIGNALLED
              ? "the run was ended by signal %d".formatted(status - SIGNALLED)
              : VerbProcesses.lastWords(log);
      return new PointRecord.PointOutcome(status, null, began, now(), why, null);
    }
    PointFigures figures = PointFigures.read(results).orElse(null);
    String fault = figures == null ? "the run left no summary.json" : fault(figures);
    if (!fault.isEmpty() || !isVerified(database)) {
      return new PointRecord.PointOutcome(status, null, began, now(), fault, figures);
    }
    int verified = processes.run(servers.verb("verify", database, Map.of()), log, started);
    String wrong = verified == 0 ? "" : "verify: " + VerbProcesses.lastWords(log);
    return new PointRecord.PointOutcome(status, verified, began, now(), wrong, figures);
  }

  private static String fault(PointFigures figures) {
    if (!figures.ending().equals("completed")) {
      return "the run was " + figures.ending();
    }
    return figures.transactions() == 0 ? "no transaction succeeded" : "";
  }

  private boolean isVerified(SweepDatabase database) {
    BenchmarkProperties properties = database.properties();
    return request.verify()
        && Benchmarks.of(properties).hasTables()
        && !properties.connection().isNothing();
  }

  private static String now() {
    return ZonedDateTime.now(ZoneId.systemDefault())
        .truncatedTo(ChronoUnit.SECONDS)
        .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
  }
}
