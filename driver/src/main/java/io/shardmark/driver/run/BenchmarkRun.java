package io.shardmark.driver.run;

import io.shardmark.config.AdversityConfig;
import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.FirstLine;
import io.shardmark.config.ThreadBinding;
import io.shardmark.driver.adversity.EventRunner;
import io.shardmark.driver.adversity.EventTarget;
import io.shardmark.driver.adversity.RollingChecker;
import io.shardmark.driver.adversity.RunAdversity;
import io.shardmark.driver.adversity.SecondTallies;
import io.shardmark.driver.benchmark.CannotGoOnException;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.idle.IdleRun;
import io.shardmark.driver.live.LiveRun;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.Heartbeat;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.SampleSink;
import io.shardmark.driver.measure.StatementTimes;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.recorder.ResultFiles;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.results.AcidResult;
import io.shardmark.driver.results.AcidVerdict;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.terminal.SessionSource;
import io.shardmark.driver.terminal.TerminalRun;
import io.shardmark.driver.verify.EndpointVerifier;
import io.shardmark.sql.dialect.Dialect;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run, from its properties to its last line. Used once, by one thread. */
public final class BenchmarkRun implements AutoCloseable {
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(LoadFigures.GRACE_SECONDS);

  /** What it takes to let the terminals go. */
  private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long START_NANOS_PER_TERMINAL = 2_000;

  /** A thread that has to wake up is later than nothing. */
  private static final long MUCH_LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** One that checks, on each shard, and one of an event. */
  private static final int ADVERSITY_CONNECTIONS = 3;

  private static final long STATUS_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long the main thread, which looks round once a second, may take no processor time. */
  private static final long HANGS_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** What is left for an aborted run to write what it can. */
  private static final Duration LAST_RESORT = Duration.ofSeconds(17);

  /** From a signal to the final figures; the files may take some of it. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Of that, what writing them takes: nothing else that ends may use it up. */
  private static final Duration WRITING = Duration.ofSeconds(12);

  private final RunPlan plan;
  private final RunConsole console;
  private final RunAnnouncement announcement;
  private final @Nullable SharedRun shared;
  private final IntervalInForce interval = new IntervalInForce();
  private final Optional<StatementTimes> statementTimes;
  private final RunFaults faults;
  private final Heartbeat heartbeat = new Heartbeat();
  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable IdleRun idle;
  private @Nullable RunAdversity adversity;
  private Optional<ResultDirectory> directory = Optional.empty();
  private boolean directoryIsGone;
  private ZonedDateTime start = ZonedDateTime.now(ZoneId.systemDefault());

  private BenchmarkRun(
      BenchmarkProperties properties, RunConsole console, int runId, @Nullable SharedRun shared) {
    this.console = console;
    this.shared = shared;
    plan = RunPlan.of(properties, shared == null ? null : shared.settings(), runId);
    statementTimes =
        plan.result().statementTimes()
            ? Optional.of(new StatementTimes(interval))
            : Optional.empty();
    faults = new RunFaults(this::stop, console::error, console::warn);
    announcement = new RunAnnouncement(plan, console);
  }

  /**
   * Takes a run number, checks all keys that a run reads and, if the run is made by several
   * drivers, waits for the others.
   *
   * @throws ConfigException if a key cannot be used, or the drivers do not come together
   */
  public static BenchmarkRun open(
      BenchmarkProperties properties, RunConsole console, Path workingDirectory)
      throws InterruptedException {
    ThreadBinding.begin(properties.processors());
    if (!properties.drivers().areSeveral()) {
      return new BenchmarkRun(properties, console, RunNumber.next(workingDirectory), null);
    }
    properties.connection();
    properties.result();
    int number = properties.drivers().isFirst() ? RunNumber.next(workingDirectory) : 0;
    SharedRun shared = SharedRun.join(properties, Benchmarks.of(properties), number, console);
    return new BenchmarkRun(properties, console, shared.run(), shared);
  }

  /** The run cannot begin: other drivers that wait for this one learn why. */
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
   * @param directory of its files; empty if it wrote none
   * @param filesComplete false if a file could not be written to the end
   */
  public record Result(RunResult figures, Optional<Path> directory, boolean filesComplete) {}

  /** Connections that {@link #execute} opens at once, observers included. */
  public int connectionCount() {
    return plan.workers()
        + 3
        + Math.max(
            plan.adversity().isAsked() ? ADVERSITY_CONNECTIONS : 0,
            plan.acid().isPresent() ? AcidRound.CONNECTIONS : 0);
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
    BenchmarkProperties properties = plan.properties();
    properties.warnings().forEach(console::warn);
    properties.runWarnings().forEach(console::warn);
    plan.benchmark().warnings(plan.settings()).forEach(console::warn);
    announcement.banner();
    try (LiveView view = LiveView.open(plan.live(), console, faults::note)) {
      return execute(
          RunDatabase.prepare(plan.workload(), plan.config(), database, plan::scope, console::warn),
          view);
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
      checkEvents(target);
      // Made last of all, so that a run that cannot start leaves no directory.
      directory = newDirectory();
      if (directory.isPresent()) {
        directory.get().writeRunProperties(plan.properties().maskedText());
        announcement.writeRunInfo(directory.get(), start);
      }
      announcement.constants();
      announcement.shards(target.shards(), target.facts());
      view.announce();
      HeapFootprint.shrink();
      heartbeat.start();
      try {
        return measure(target, sessions, signals, view);
      } finally {
        endAdversity(signals);
      }
    } finally {
      ended.countDown();
      heartbeat.close();
      if (idle != null) {
        idle.close();
      }
    }
  }

  private void endAdversity(StopSignal signals) throws InterruptedException {
    if (adversity != null) {
      adversity.end(() -> signals.leftNanos() - WRITING.toNanos());
    }
  }

  private @Nullable IdleRun prepareIdle(RunDatabase target)
      throws IOException, InterruptedException {
    Database database = target.database();
    return database == null || !plan.idle().isAsked()
        ? null
        : IdleRun.prepare(plan.idle(), database.config(), console::info, faults);
  }

  /** Before there is a directory: an event that cannot be carried out here is refused. */
  private void checkEvents(RunDatabase target) {
    new EventRunner(plan.adversity().events(), eventTarget(target), interval, faults::note);
  }

  private EventTarget eventTarget(RunDatabase target) {
    Database database = target.database();
    return new EventTarget(
        () -> {
          if (database == null) {
            throw new SQLException("there is no server");
          }
          return database.unlimited().open();
        },
        database == null ? List.of() : database.parts(),
        directory.map(results -> results.data().resolve("events.log")));
  }

  /** The sink that counts by second for events and checks, if the run has any. */
  private SampleSink withAdversity(RunDatabase target, SampleSink files) {
    AdversityConfig config = plan.adversity();
    if (!config.isAsked()) {
      return files;
    }
    SecondTallies tallies = new SecondTallies(files);
    adversity =
        new RunAdversity(
            tallies,
            config.events().isEmpty()
                ? null
                : new EventRunner(config.events(), eventTarget(target), interval, faults::note),
            config.checkEvery().map(every -> checker(target, every)).orElse(null));
    return tallies;
  }

  private RollingChecker checker(RunDatabase target, Duration every) {
    Database database = Objects.requireNonNull(target.database(), "conn=null: is refused before");
    return new RollingChecker(
        new EndpointVerifier(
            database.unlimited()::open, database.config().database(), database::shardMap, 1),
        plan.benchmark().conditions(plan.settings().values()),
        every,
        interval,
        faults::note,
        this::stop);
  }

  private void stop() {
    if (shared == null || faults.isAborted()) {
      interval.endNoLaterThan(System.nanoTime());
    }
    if (shared != null) {
      shared.requestStop();
    }
  }

  /**
   * A thread without which the run cannot end well hangs. If it keeps the end from coming too, the
   * process goes without it: nobody is to find the run still there the next morning.
   */
  private void hangs(String threadName) {
    faults.abort(
        threadName,
        new CannotGoOnException(
            "it hangs: for 10 s it took no processor time; the file system of the results may not answer"));
    Thread lastResort = new Thread(this::endAnyhow, "last-resort");
    lastResort.setDaemon(true);
    lastResort.start();
  }

  private void endAnyhow() {
    try {
      if (!ended.await(LAST_RESORT.toNanos(), TimeUnit.NANOSECONDS)) {
        System.err.println("ERROR: the aborted run could not end; its results are not complete");
        Runtime.getRuntime().halt(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
    Optional<String> pattern = plan.result().directoryPattern();
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
    ErrorLog errors = new ErrorLog(interval, announcement::error);
    SampleSink sink = withAdversity(target, files == null ? SampleSink.NONE : files);
    Collector collector =
        new Collector(plan.workload().types(), interval, errors, sink, plan.workers(), faults);
    collector.divide(plan.config().pacing().stages(), plan.workload().metrics());
    collector.guard(heartbeat, this::hangs);
    if (plan.properties().isSteadyRampUp()) {
      collector.beginWhenSteady();
    }
    // Else it may wait for other drivers, for sessions, or for what events stopped to come back.
    if (shared == null && idle == null && adversity == null) {
      heartbeat.watch(Thread.currentThread(), HANGS_AFTER_NANOS, this::hangs);
    }
    statementTimes.ifPresent(collector::time);
    if (idle != null) {
      collector.divide(idle.phases());
    }
    Observers observers = startObservers(target);
    TerminalRun terminals;
    try (observers) {
      view.watch(
          announcement.liveFacts(start, target.shards(), target.facts()),
          new LiveRun.Sources(
              collector,
              errors,
              sessions::usage,
              observers::serverNow,
              Optional.ofNullable(idle).map(held -> held::now)));
      terminals = prepareTerminals(sessions, collector);
      beginInterval(signals);
      collector.start();
      terminals.start();
      if (idle != null) {
        idle.begin(interval);
      }
      awaitOthers(terminals);
      if (adversity != null) {
        adversity.start();
      }
      watch(terminals, collector, observers, view);
      if (adversity != null) {
        adversity.stop();
      }
      awaitEnd(terminals);
      endAdversity(signals);
      if (idle != null) {
        idle.end();
      }
      observers.awaitRest(signals::isAsked);
    } catch (ConfigException e) {
      takeBack(files); // the drivers broke up before the start
      throw e;
    }
    RunStatistics statistics = collector.finish(terminals.leftOver());
    List<AcidResult> acid = testAcid(target, ending(signals));
    RunEnd end =
        new RunEnd(
            plan,
            console,
            shared,
            announcement,
            target,
            terminals,
            observers,
            idle,
            adversity,
            acid,
            faults,
            heartbeat);
    RunResult figures = end.result(statistics, start, ending(signals));
    view.finish(figures);
    end.print(figures);
    if (files != null) {
      files.close();
    }
    boolean complete = files == null || files.failure().isEmpty();
    lookForDirectory();
    Result result =
        directory.isPresent() && (shared != null || !directoryIsGone)
            ? end.write(figures, statistics, directory.get(), complete)
            : withoutFiles(end, figures);
    heartbeat.watchNobody();
    view.awaitViewers(result.directory());
    return result;
  }

  /** After the last transaction: nothing else uses the database meanwhile. */
  private List<AcidResult> testAcid(RunDatabase target, Ending ending) throws InterruptedException {
    Database database = target.database();
    if (plan.acid().isEmpty() || database == null) {
      return List.of();
    }
    if (ending != Ending.COMPLETED) {
      return List.of(
          new AcidResult(
              "3", "all tests", AcidVerdict.SKIPPED, "the run did not come to its planned end"));
    }
    heartbeat.watchNobody();
    console.info("TPC-C clause 3:");
    try {
      return new AcidRound(database, plan.acid().get(), console::info)
          .run(
              directory.map(ResultDirectory::data).orElse(Path.of("")).resolve(AcidResult.RECORD),
              plan.benchmark().conditions(plan.settings().values()));
    } catch (SQLException | ConfigException e) {
      return List.of(new AcidResult("3", "all tests", AcidVerdict.ERROR, FirstLine.of(e)));
    }
  }

  private Result withoutFiles(RunEnd end, RunResult figures) {
    end.printOutcome(figures, Map.of());
    return new Result(figures, Optional.empty(), directory.isEmpty());
  }

  private Observers startObservers(RunDatabase target) throws IOException {
    return new Observers(
        directory,
        plan.result(),
        shared == null || shared.isFirst()
            ? Observers.ObserverReach.ALL
            : Observers.ObserverReach.THIS_MACHINE,
        target,
        plan.runId(),
        faults::note);
  }

  /**
   * Shows the status and frames the observers' interval until that is over or all terminals are
   * done; if this fails, the run ends with what there is.
   */
  private void watch(TerminalRun terminals, Collector collector, Observers observers, LiveView view)
      throws InterruptedException {
    try {
      view.update(collector.live());
      boolean begun = false;
      boolean ended = false;
      while (!ended) {
        long now = System.nanoTime();
        if (!begun && now - interval.interval().startNanos() >= 0) {
          observers.beginInterval(interval.interval().startNanos());
          begun = true;
        }
        long next = begun ? interval.interval().endNanos() : interval.interval().startNanos();
        long wait = Math.min(next - now, STATUS_PERIOD_NANOS);
        ended = terminals.awaitAll(Math.max(wait, 1)) || interval.isOver(System.nanoTime());
        if (begun) {
          observers.look();
        }
        lookForDirectory();
        view.update(collector.live());
      }
      observers.endInterval();
      view.end();
    } catch (RuntimeException | Error e) {
      // Whatever broke into this thread may have interrupted it too; what there is must be kept.
      Thread.interrupted();
      faults.abort(Thread.currentThread().getName(), e);
      observers.endInterval();
    }
  }

  /** Files that are open go on being written, and nobody finds them again. */
  private void lookForDirectory() {
    if (directory.isPresent() && !directoryIsGone && !Files.isDirectory(directory.get().data())) {
      directoryIsGone = true;
      faults.note(
          "the result directory %s is gone: something removed it during the run; no file of this run is kept"
              .formatted(directory.get().root()));
    }
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
      sessions.open(plan.workers(), signals::isAsked);
    } catch (SQLException e) {
      if (!signals.isAsked()) {
        throw new ConfigException(
            "the run does not begin: not all of its %d connections can be opened: %s"
                .formatted(plan.workers(), FirstLine.of(e)));
      }
    }
  }

  private TerminalRun prepareTerminals(SessionSource sessions, Collector collector)
      throws InterruptedException {
    return TerminalRun.prepare(
        new TerminalRun.Setup(
            plan.workload(),
            plan.config(),
            sessions,
            Dialect.of(plan.settings().connection().database()),
            collector::newRecorder,
            interval,
            plan.processors(),
            faults));
  }

  private void awaitEnd(TerminalRun terminals) throws InterruptedException {
    int brokenOff = terminals.awaitEnd(GRACE_NANOS);
    if (brokenOff > 0) {
      console.warn(
          faults.isAborted()
              ? "%d transactions were broken off".formatted(brokenOff)
              : "%d transactions did not end within %d s and were broken off"
                  .formatted(brokenOff, LoadFigures.GRACE_SECONDS));
    }
  }

  private @Nullable ResultFiles openFiles() throws IOException {
    if (directory.isEmpty()) {
      return null;
    }
    return ResultFiles.open(
        directory.get(),
        new ResultFiles.FileLayout(
            plan.runId(),
            plan.workload().types(),
            plan.result().rows(),
            plan.result().sampleEvery(),
            shared != null),
        console::error);
  }

  private void beginInterval(StopSignal signals) throws InterruptedException {
    // In a moment, so that all threads wait for it; several drivers agree on an instant to come.
    long begin =
        shared == null
            ? System.nanoTime() + START_NANOS + START_NANOS_PER_TERMINAL * plan.config().terminals()
            : shared.awaitStart();
    long from = begin + plan.config().rampUp().toNanos();
    interval.begin(
        begin,
        plan.config().transactionsPerTerminal() > 0
            ? MeasurementInterval.openEnded(from)
            : new MeasurementInterval(from, from + plan.config().runDuration().toNanos()));
    if (signals.isAsked() || faults.isAborted()) {
      interval.endNoLaterThan(System.nanoTime());
    }
  }

  private Ending ending(StopSignal signals) {
    if (faults.isAborted()) {
      return Ending.ABORTED;
    }
    if (adversity != null && adversity.isInconsistent()) {
      return Ending.INCONSISTENT;
    }
    boolean stopped = signals.isAsked() || (shared != null && shared.isStopped());
    return stopped ? Ending.INTERRUPTED : Ending.COMPLETED;
  }
}
