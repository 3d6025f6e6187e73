package io.shardmark.driver.run;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.ResultConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.audit.InputAudit;
import io.shardmark.driver.console.FinalReport;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.console.StatusLine;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.result.Environment;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.result.ResultFiles;
import io.shardmark.driver.result.RunSummary;
import io.shardmark.driver.result.RunSummary.Ending;
import io.shardmark.driver.selfcheck.ClientFigures;
import io.shardmark.driver.terminal.DialectErrors;
import io.shardmark.driver.terminal.SessionSource;
import io.shardmark.driver.terminal.TerminalRun;
import io.shardmark.driver.tpcc.TpccWorkload;
import io.shardmark.sql.dialect.Dialect;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run of TPC-C, from its properties to its last line. Used once, by one thread. */
public final class BenchmarkRun {
  private static final long STATUS_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long transactions may go on after the measurement interval before they are broken off. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final BenchmarkProperties properties;
  private final RunConsole console;
  private final ConnectionConfig connection;
  private final RunConfig config;
  private final ResultConfig resultConfig;
  private final int runId;
  private final TpccWorkload workload;
  private final IntervalInForce interval = new IntervalInForce();
  private Optional<ResultDirectory> directory = Optional.empty();
  private ZonedDateTime start = ZonedDateTime.now(ZoneId.systemDefault());

  /**
   * Takes a run number and checks all keys that a run reads.
   *
   * @throws io.shardmark.config.ConfigException if one of them cannot be used
   */
  public BenchmarkRun(BenchmarkProperties properties, RunConsole console, Path workingDirectory) {
    this.properties = properties;
    this.console = console;
    runId = RunNumber.next(workingDirectory);
    connection = properties.connection();
    config = properties.run();
    resultConfig = properties.result();
    workload = new TpccWorkload(config, connection.database());
  }

  /**
   * How a run ended.
   *
   * @param summary all its figures
   * @param directory of its files; empty if it wrote none
   * @param filesComplete false if a file could not be written to the end
   */
  public record Result(RunSummary summary, Optional<Path> directory, boolean filesComplete) {}

  /** Connections that {@link #execute} opens at once, observers included. */
  public int connectionCount() {
    return TerminalRun.workerCount(config) + 2;
  }

  /**
   * Runs to the end, whatever that is: the planned one, or a signal.
   *
   * @param database null if {@code conn=null:}
   * @throws io.shardmark.config.ConfigException if the database or the result directory cannot be
   *     used
   * @throws IOException if a result file cannot be made
   */
  public Result execute(@Nullable Database database) throws IOException, InterruptedException {
    start = ZonedDateTime.now(ZoneId.systemDefault());
    properties.warnings().forEach(console::warn);
    properties.runWarnings().forEach(console::warn);
    RunAnnouncement announcement = new RunAnnouncement(properties, connection, config, console);
    announcement.banner();
    RunDatabase target = RunDatabase.prepare(workload, config, database);
    try (RunSignals signals = new RunSignals(() -> interval.endNoLaterThan(System.nanoTime()));
        SessionSource sessions = target.openSessions()) {
      // Made last of all, so that a run that cannot start leaves no directory behind.
      directory =
          resultConfig.directoryPattern().map(pattern -> ResultDirectory.create(pattern, start));
      if (directory.isPresent()) {
        directory.get().writeRunProperties(properties.maskedText());
        announcement.writeRunInfo(directory.get(), runId, start, workload);
      }
      announcement.constants(workload);
      announcement.shards(target.shards(), workload);
      HeapFootprint.shrink();
      return measure(target, sessions, signals);
    }
  }

  private Result measure(RunDatabase target, SessionSource sessions, RunSignals signals)
      throws IOException, InterruptedException {
    ResultFiles files = openFiles();
    ErrorLog errors = new ErrorLog(interval, this::announce);
    SampleSink sink = files == null ? SampleSink.NONE : files;
    Collector collector =
        new Collector(workload.types(), interval, errors, sink, TerminalRun.workerCount(config));
    Observers observers = Observers.start(directory, resultConfig, target, runId, console);
    TerminalRun terminals;
    ClientFigures client;
    try (observers) {
      beginInterval(signals);
      collector.start();
      terminals = startTerminals(sessions, collector);
      client = watch(terminals, collector, observers);
      awaitEnd(terminals);
    }
    RunStatistics statistics = collector.finish();
    return finish(statistics, terminals, new Watched(client, observers, signals, target), files);
  }

  private TerminalRun startTerminals(SessionSource sessions, Collector collector) {
    return TerminalRun.start(
        new TerminalRun.Setup(
            workload,
            config,
            sessions,
            new DialectErrors(Dialect.of(connection.database())),
            worker -> collector.newRecorder(),
            interval));
  }

  private void awaitEnd(TerminalRun terminals) throws InterruptedException {
    int brokenOff = terminals.awaitEnd(GRACE_NANOS);
    if (brokenOff > 0) {
      console.warn(
          "%d transactions did not end within %d s and were broken off"
              .formatted(brokenOff, TimeUnit.NANOSECONDS.toSeconds(GRACE_NANOS)));
    }
  }

  private @Nullable ResultFiles openFiles() throws IOException {
    if (directory.isEmpty()) {
      return null;
    }
    return ResultFiles.open(
        directory.get(),
        new ResultFiles.Layout(
            runId, workload.types(), resultConfig.rows(), resultConfig.sampleEvery()),
        console::error);
  }

  private void announce(ErrorLog.Notice notice) {
    ErrorLog.ErrorClass kind = notice.errorClass();
    console.error(
        "%s in %s%s: %s%s"
            .formatted(
                kind.disposition(),
                workload.types().get(kind.typeIndex()).name(),
                kind.sqlState().isEmpty() ? "" : ", SQLSTATE " + kind.sqlState(),
                notice.message(),
                notice.suppressed() == 0
                    ? ""
                    : " (" + notice.suppressed() + " other new kinds not shown)"));
  }

  private void beginInterval(RunSignals signals) {
    long now = System.nanoTime();
    long from = now + config.rampUp().toNanos();
    interval.begin(
        now,
        config.transactionsPerTerminal() > 0
            ? MeasurementInterval.openEnded(from)
            : new MeasurementInterval(from, from + config.runDuration().toNanos()));
    if (signals.isInterrupted()) {
      interval.endNoLaterThan(now);
    }
  }

  /**
   * Shows the status until the interval is over or all terminals are done, and frames the
   * observers' interval.
   */
  private ClientFigures watch(TerminalRun terminals, Collector collector, Observers observers)
      throws InterruptedException {
    StatusLine status = new StatusLine(console, StatusLine.Mode.ofStandardOutput());
    status.update(collector.live());
    boolean begun = false;
    boolean ended = false;
    while (!ended) {
      long now = System.nanoTime();
      if (!begun && now - interval.interval().startNanos() >= 0) {
        observers.beginInterval();
        begun = true;
      }
      long next = begun ? interval.interval().endNanos() : interval.interval().startNanos();
      long wait = Math.min(next - now, STATUS_PERIOD_NANOS);
      ended = terminals.awaitAll(Math.max(wait, 1)) || interval.isOver(System.nanoTime());
      status.update(collector.live());
    }
    ClientFigures figures = observers.endInterval();
    status.end();
    return figures;
  }

  /** What {@link #finish} needs from those who watched. */
  private record Watched(
      ClientFigures client, Observers observers, RunSignals signals, RunDatabase target) {}

  private Result finish(
      RunStatistics statistics, TerminalRun terminals, Watched watched, @Nullable ResultFiles files)
      throws IOException {
    RunSummary summary =
        new RunSummary(
            new RunSummary.Session(
                runId,
                Product.NAME_AND_VERSION,
                workload.name(),
                start,
                ZonedDateTime.now(ZoneId.systemDefault()),
                watched.signals().isInterrupted() ? Ending.INTERRUPTED : Ending.COMPLETED),
            connection,
            config,
            watched.target().isolation(),
            RunAnnouncement.shownProperties(properties, connection),
            workload.facts(),
            Environment.here(watched.target().facts()),
            statistics,
            new RunSummary.DeferredWork(terminals.deferredWaiting(), terminals.deferredRefused()),
            InputAudit.evaluate(workload.auditRules(), terminals.auditCounters()),
            ClientSummary.of(
                watched.client(),
                watched.observers().machineBusyShare(),
                statistics,
                terminals.lateness()),
            watched.observers().databaseFigures());
    FinalReport.lines(summary).forEach(console::info);
    announceDeferred(summary.deferredWork());
    boolean complete = files == null || closeFiles(files);
    if (directory.isPresent()) {
      directory.get().writeSummary(summary);
      console.info("Results are in " + directory.get().root());
      RunReport.write(directory.get().root(), console);
    }
    return new Result(summary, directory.map(ResultDirectory::root), complete);
  }

  private void announceDeferred(RunSummary.DeferredWork deferred) {
    if (deferred.refused() > 0) {
      console.error(
          "%d deliveries found their queue full and were never executed"
              .formatted(deferred.refused()));
    }
    if (deferred.notBegun() > 0) {
      console.info(
          "%d queued deliveries were not begun when the run ended".formatted(deferred.notBegun()));
    }
  }

  private static boolean closeFiles(ResultFiles files) {
    files.close();
    return files.failure().isEmpty();
  }
}
