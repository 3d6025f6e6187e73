package io.shardmark.driver.run;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.IdleConfig;
import io.shardmark.config.LiveConfig;
import io.shardmark.config.ResultConfig;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.audit.InputAudit;
import io.shardmark.driver.benchmark.Benchmark;
import io.shardmark.driver.benchmark.Metric;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.driver.benchmarks.Benchmarks;
import io.shardmark.driver.console.FinalReport;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.idle.IdleRun;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.StatementTimes;
import io.shardmark.driver.result.Environment;
import io.shardmark.driver.result.ResultBuilder;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.result.ResultFiles;
import io.shardmark.driver.results.DeferredWork;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.Session;
import io.shardmark.driver.terminal.DialectErrors;
import io.shardmark.driver.terminal.SessionSource;
import io.shardmark.driver.terminal.TerminalRun;
import io.shardmark.driver.verdict.Threshold;
import io.shardmark.driver.verdict.Thresholds;
import io.shardmark.sql.dialect.Dialect;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run, from its properties to its last line. Used once, by one thread. */
public final class BenchmarkRun implements AutoCloseable {
  private static final long STATUS_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long transactions may go on after the measurement interval before they are broken off. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** What it takes to let the terminals go. */
  private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long START_NANOS_PER_TERMINAL = 2_000;

  /** A thread that has to wake up is later than nothing. */
  private static final long MUCH_LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** From a signal to the final figures; the files may take some of it. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final BenchmarkProperties properties;
  private final RunConsole console;
  private final ConnectionConfig connection;
  private final RunConfig config;
  private final Scale scale;
  private final ResultConfig resultConfig;
  private final LiveConfig liveConfig;
  private final IdleConfig idleConfig;
  private final RunAnnouncement announcement;
  private final int runId;
  private final String title;
  private final Workload workload;
  private final String tablePrefix;
  private final List<String> warnings;
  private final List<Threshold> failOn;
  private final @Nullable SharedRun shared;
  private final IntervalInForce interval = new IntervalInForce();
  private final Optional<StatementTimes> statementTimes;
  private final RunFaults faults;
  private @Nullable IdleRun idle;
  private Optional<ResultDirectory> directory = Optional.empty();
  private ZonedDateTime start = ZonedDateTime.now(ZoneId.systemDefault());

  /**
   * Takes a run number and checks all keys that a run reads.
   *
   * @throws ConfigException if one of them cannot be used
   */
  public BenchmarkRun(BenchmarkProperties properties, RunConsole console, Path workingDirectory) {
    this(properties, console, RunNumber.next(workingDirectory), null);
  }

  private BenchmarkRun(
      BenchmarkProperties properties, RunConsole console, int runId, @Nullable SharedRun shared) {
    this.properties = properties;
    this.console = console;
    this.runId = runId;
    this.shared = shared;
    connection = properties.connection();
    Benchmark benchmark = Benchmarks.of(properties);
    Settings settings = shared == null ? Settings.of(benchmark, properties) : shared.settings();
    config = settings.run();
    scale = settings.scale();
    resultConfig = properties.result();
    liveConfig = properties.live();
    idleConfig = properties.idle();
    statementTimes =
        resultConfig.statementTimes()
            ? Optional.of(new StatementTimes(interval))
            : Optional.empty();
    title = benchmark.title();
    workload = benchmark.open(settings);
    tablePrefix = benchmark.hasTables() ? benchmark.dataSet(settings.values()).namePrefix() : "";
    warnings = benchmark.warnings(settings);
    faults = new RunFaults(this::stop, console::error, console::warn);
    failOn =
        Thresholds.parse(
            resultConfig.failOn().orElse(Thresholds.DEFAULT),
            workload.types().stream().map(TransactionType::name).toList(),
            workload.metrics().stream().map(Metric::name).toList());
    announcement = new RunAnnouncement(properties, benchmark, settings, console);
  }

  /**
   * Does what the constructor does and, if the run is made by several drivers, waits for the
   * others.
   *
   * @throws ConfigException if a key cannot be used, or the drivers do not come together
   */
  public static BenchmarkRun open(
      BenchmarkProperties properties, RunConsole console, Path workingDirectory)
      throws InterruptedException {
    if (!properties.drivers().areSeveral()) {
      return new BenchmarkRun(properties, console, workingDirectory);
    }
    properties.connection();
    properties.result();
    int number = properties.drivers().isFirst() ? RunNumber.next(workingDirectory) : 0;
    SharedRun shared = SharedRun.join(properties, Benchmarks.of(properties), number, console);
    return new BenchmarkRun(properties, console, shared.run(), shared);
  }

  /** The run cannot begin: other drivers that wait for this one are told why. */
  public void refuse(String reason) {
    if (shared != null) {
      shared.refuse(reason);
    }
  }

  /** Leaves the other drivers, if there are any. */
  @Override
  public void close() {
    if (shared != null) {
      shared.close();
    }
  }

  /**
   * How a run ended.
   *
   * @param figures all of them
   * @param directory of its files; empty if it wrote none
   * @param filesComplete false if a file could not be written to the end
   */
  public record Result(RunResult figures, Optional<Path> directory, boolean filesComplete) {}

  /** Connections that {@link #execute} opens at once, observers included. */
  public int connectionCount() {
    return TerminalRun.workerCount(workload, config) + 3;
  }

  /**
   * Runs to the end, whatever that is: the planned one, or a signal.
   *
   * @param database null if {@code conn=null:}
   * @throws ConfigException if the database or the result directory cannot be used
   * @throws IOException if a result file cannot be made
   */
  public Result execute(@Nullable Database database) throws IOException, InterruptedException {
    start = ZonedDateTime.now(ZoneId.systemDefault());
    properties.warnings().forEach(console::warn);
    properties.runWarnings().forEach(console::warn);
    warnings.forEach(console::warn);
    announcement.banner();
    try (LiveView view = LiveView.open(liveConfig, console, faults::note)) {
      return execute(
          RunDatabase.prepare(workload, config, database, tablePrefix, console::warn), view);
    }
  }

  private Result execute(RunDatabase target, LiveView view)
      throws IOException, InterruptedException {
    if (shared != null) {
      shared.onStop(this::endAt);
    }
    try (StopSignal signals = new StopSignal("run", PATIENCE, this::stop);
        SessionSource sessions = target.openSessions(statementTimes)) {
      openSessions(sessions, signals);
      idle = prepareIdle(target);
      // Made last of all, so that a run that cannot start leaves no directory behind.
      directory = newDirectory();
      if (directory.isPresent()) {
        directory.get().writeRunProperties(properties.maskedText());
        announcement.writeRunInfo(directory.get(), runId, start, workload);
      }
      announcement.constants(workload);
      announcement.shards(target.shards(), workload);
      view.announce();
      HeapFootprint.shrink();
      return measure(target, sessions, signals, view);
    } finally {
      if (idle != null) {
        idle.close();
      }
    }
  }

  private @Nullable IdleRun prepareIdle(RunDatabase target)
      throws IOException, InterruptedException {
    Database database = target.database();
    return database == null || !idleConfig.isAsked()
        ? null
        : IdleRun.prepare(idleConfig, database.config(), console::info, faults);
  }

  private void stop() {
    if (shared == null || faults.isAborted()) {
      interval.endNoLaterThan(System.nanoTime());
    }
    if (shared != null) {
      shared.requestStop();
    }
  }

  /** All drivers end at one instant, which should be to come. */
  private void endAt(long nanos) {
    interval.endNoLaterThan(nanos);
    long late = System.nanoTime() - nanos;
    if (late > MUCH_LATE_NANOS) {
      console.warn(
          "heard %.0f ms late that the run had ended: some transactions that ended in that time may be counted"
              .formatted(late / 1e6));
    }
  }

  private Optional<ResultDirectory> newDirectory() throws IOException {
    Optional<String> pattern = resultConfig.directoryPattern();
    if (pattern.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        shared == null
            ? ResultDirectory.create(pattern.get(), start)
            : shared.newDirectory(pattern.get()));
  }

  private Result measure(
      RunDatabase target, SessionSource sessions, StopSignal signals, LiveView view)
      throws IOException, InterruptedException {
    ResultFiles files = openFiles();
    ErrorLog errors = new ErrorLog(interval, this::announce);
    SampleSink sink = files == null ? SampleSink.NONE : files;
    Collector collector =
        new Collector(
            workload.types(),
            interval,
            errors,
            sink,
            TerminalRun.workerCount(workload, config),
            faults);
    collector.divide(config.pacing().stages());
    if (idle != null) {
      collector.divide(idle.phases());
    }
    view.watch(
        announcement.liveFacts(runId, start, workload, target.shards()),
        workload,
        collector,
        errors,
        sessions);
    Observers observers = startObservers(target);
    view.observe(observers::serverNow);
    if (idle != null) {
      view.observeIdle(idle);
    }
    TerminalRun terminals;
    ClientSummary.Seen client;
    try (observers) {
      terminals = prepareTerminals(sessions, collector);
      beginInterval(signals);
      collector.start();
      terminals.start();
      if (idle != null) {
        idle.begin(interval);
      }
      awaitOthers(terminals);
      client = watchToTheEnd(terminals, collector, observers, view);
      awaitEnd(terminals);
      if (idle != null) {
        idle.end();
      }
      observers.awaitRest(signals::isAsked);
    } catch (ConfigException e) {
      takeBack(files); // the drivers broke up before the start
      throw e;
    }
    RunStatistics statistics =
        collector
            .finish(terminals.leftOver())
            .with(statementTimes.map(StatementTimes::figures).orElse(List.of()));
    Result result =
        finish(statistics, terminals, new Watched(client, observers, signals, target, view), files);
    view.awaitViewers(result.directory());
    return result;
  }

  private Observers startObservers(RunDatabase target) throws IOException {
    return Observers.start(
        directory,
        resultConfig,
        shared == null || shared.isFirst() ? Observers.Sight.EVERYTHING : Observers.Sight.HERE,
        target,
        runId,
        faults::note);
  }

  /** Several drivers start at one instant, or none of them. */
  private void awaitOthers(TerminalRun terminals) throws InterruptedException {
    if (shared == null) {
      return;
    }
    boolean begun = false;
    try {
      shared.awaitInstant();
      begun = true;
    } finally {
      if (!begun) {
        interval.endNoLaterThan(System.nanoTime());
        terminals.awaitEnd(GRACE_NANOS);
      }
    }
  }

  private void takeBack(@Nullable ResultFiles files) {
    if (files != null) {
      files.close();
    }
    if (shared != null) {
      shared.discard();
    }
  }

  /** Before the interval begins: no transaction is to wait for a connection to be made. */
  private void openSessions(SessionSource sessions, StopSignal signals) {
    try {
      sessions.open(TerminalRun.workerCount(workload, config), signals::isAsked);
    } catch (SQLException e) {
      if (!signals.isAsked()) {
        throw new ConfigException(
            "the run does not begin: not all of its %d connections can be opened: %s"
                .formatted(
                    TerminalRun.workerCount(workload, config),
                    String.valueOf(e.getMessage()).lines().findFirst().orElse("")));
      }
    }
  }

  private TerminalRun prepareTerminals(SessionSource sessions, Collector collector)
      throws InterruptedException {
    return TerminalRun.prepare(
        new TerminalRun.Setup(
            workload,
            config,
            sessions,
            new DialectErrors(Dialect.of(connection.database())),
            worker -> collector.newRecorder(),
            interval,
            faults));
  }

  private void awaitEnd(TerminalRun terminals) throws InterruptedException {
    int brokenOff = terminals.awaitEnd(GRACE_NANOS);
    if (brokenOff > 0) {
      console.warn(
          faults.isAborted()
              ? "%d transactions were broken off".formatted(brokenOff)
              : "%d transactions did not end within %d s and were broken off"
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
            runId,
            workload.types(),
            resultConfig.rows(),
            resultConfig.sampleEvery(),
            shared != null),
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

  private void beginInterval(StopSignal signals) throws InterruptedException {
    long begin = sessionStart();
    long from = begin + config.rampUp().toNanos();
    interval.begin(
        begin,
        config.transactionsPerTerminal() > 0
            ? MeasurementInterval.openEnded(from)
            : new MeasurementInterval(from, from + config.runDuration().toNanos()));
    if (signals.isAsked() || faults.isAborted()) {
      interval.endNoLaterThan(System.nanoTime());
    }
  }

  /**
   * In a moment, so that all threads wait for it; several drivers agree on an instant that is to
   * come.
   */
  private long sessionStart() throws InterruptedException {
    return shared == null
        ? System.nanoTime() + START_NANOS + START_NANOS_PER_TERMINAL * config.terminals()
        : shared.awaitStart();
  }

  /** As {@link #watch}; if that fails the run ends with what there is. */
  private ClientSummary.Seen watchToTheEnd(
      TerminalRun terminals, Collector collector, Observers observers, LiveView view)
      throws InterruptedException {
    try {
      return watch(terminals, collector, observers, view);
    } catch (RuntimeException | Error e) {
      // Whatever broke into this thread may have interrupted it too; what there is must be kept.
      Thread.interrupted();
      faults.abort(Thread.currentThread().getName(), e);
      return observers.endInterval();
    }
  }

  /**
   * Shows the status until the interval is over or all terminals are done, and frames the
   * observers' interval.
   */
  private ClientSummary.Seen watch(
      TerminalRun terminals, Collector collector, Observers observers, LiveView view)
      throws InterruptedException {
    view.begin(collector.live());
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
      if (begun) {
        observers.look();
      }
      view.update(collector.live());
    }
    ClientSummary.Seen figures = observers.endInterval();
    view.end(collector.live());
    return figures;
  }

  /** What {@link #finish} needs from those who watched. */
  private record Watched(
      ClientSummary.Seen client,
      Observers observers,
      StopSignal signals,
      RunDatabase target,
      LiveView view) {}

  private Result finish(
      RunStatistics statistics, TerminalRun terminals, Watched watched, @Nullable ResultFiles files)
      throws IOException, InterruptedException {
    SharedRun several = shared;
    RunResult result =
        ResultBuilder.of(context(terminals, watched, statistics, several), statistics);
    if (idle != null) {
      result = result.beside(idle.result(statistics.interval()));
    }
    watched.view().finish(result);
    if (several == null || !several.isFirst()) {
      FinalReport.lines(result).forEach(console::info);
    }
    announceDeferred(result.deferredWork());
    boolean complete = files == null || closeFiles(files);
    if (directory.isEmpty()) {
      return new Result(result, Optional.empty(), complete);
    }
    directory.get().writeSummary(result, statistics);
    SharedRun.Outcome outcome =
        several == null
            ? new SharedRun.Outcome(result, directory.get().root(), complete)
            : several.finish(result, statistics, workload, complete);
    console.info("Results are in " + outcome.directory());
    RunReport.write(outcome.directory(), console);
    return new Result(outcome.result(), Optional.of(outcome.directory()), outcome.complete());
  }

  private ResultBuilder.Context context(
      TerminalRun terminals,
      Watched watched,
      RunStatistics statistics,
      @Nullable SharedRun several) {
    return new ResultBuilder.Context(
        Session.of(
            runId,
            Product.NAME_AND_VERSION,
            title,
            start,
            ZonedDateTime.now(ZoneId.systemDefault()),
            ending(watched.signals())),
        scale.result(),
        ResultBuilder.configuration(
            connection, config, watched.target().isolation(), announcement.shownProperties()),
        workload.facts(),
        Environment.here(watched.target().facts()),
        workload.metrics(),
        failOn,
        new DeferredWork(terminals.deferredWaiting(), terminals.deferredRefused()),
        InputAudit.evaluate(workload.auditRules(), terminals.auditCounters()),
        ClientSummary.of(
            watched.client(),
            statistics,
            terminals.lateness(),
            TerminalRun.workerCount(workload, config)),
        watched.observers().serverSide(),
        faults.fault().stream().toList(),
        faults.notes(),
        several == null ? null : several.part(watched.observers().sinceNanos()));
  }

  private Ending ending(StopSignal signals) {
    if (faults.isAborted()) {
      return Ending.ABORTED;
    }
    boolean stopped = signals.isAsked() || (shared != null && shared.isStopped());
    return stopped ? Ending.INTERRUPTED : Ending.COMPLETED;
  }

  private void announceDeferred(DeferredWork deferred) {
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
