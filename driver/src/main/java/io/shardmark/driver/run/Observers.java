package io.shardmark.driver.run;

import com.sun.management.OperatingSystemMXBean;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.ResultConfig;
import io.shardmark.config.ResultConfig.OsCollectorConfig;
import io.shardmark.driver.benchmark.Follower;
import io.shardmark.driver.dbstats.DatabaseStats;
import io.shardmark.driver.dbstats.ServerPoll;
import io.shardmark.driver.dbstats.WaitSampler;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.oscollector.OsCollector;
import io.shardmark.driver.processes.ListeningProcess;
import io.shardmark.driver.processes.ServerProcesses;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.recorder.ServerSide;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.HoldUps;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.selfcheck.ClientObserver;
import io.shardmark.driver.selfcheck.ClientReading;
import io.shardmark.driver.selfcheck.MachineTicks;
import io.shardmark.driver.selfcheck.RunnableDelay;
import io.shardmark.driver.terminal.TerminalRun;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Those who watch a run: the operating system's counters, the server's and the driver's own. They
 * run from the start to the end of the session; the figures of the last two are those of the
 * measurement interval. Used by the main thread.
 */
final class Observers implements AutoCloseable {
  private static final Duration DATABASE_PERIOD = Duration.ofSeconds(1);

  /** What is observed. */
  enum ObserverReach {
    /** The server, the machine that the properties name, and this process. */
    ALL,
    /** This machine, if the properties want it, and this process. */
    THIS_MACHINE
  }

  private final long sinceNanos = System.nanoTime();
  private final @Nullable OsCollector osCollector;
  private final @Nullable ServerPoll<DatabaseStats> databaseStats;
  private final @Nullable ServerPoll<WaitSampler> waits;
  private final String noWaits;
  private @Nullable ClientObserver client;
  private @Nullable ClientReading used;
  private Optional<MachineTicks> machineBefore = Optional.empty();
  private Optional<MachineTicks> machine = Optional.empty();
  private @Nullable Double machineBusyShare;
  private final RunnableDelay runnableDelay = new RunnableDelay(TerminalRun.THREAD_NAMES);
  private final RunnableDelay gcThreads = new RunnableDelay(RunnableDelay.GC_THREADS);
  private final ServerProcesses serverProcesses;
  private final @Nullable Follower follower;
  private final boolean serverHere;
  private final boolean collectsServer;

  /** What each of them does when the measurement interval begins and ends, and in the end. */
  private final List<Runnable> beginnings = new ArrayList<>();

  private final List<Runnable> endings = new ArrayList<>();
  private final List<Runnable> closings = new ArrayList<>();

  /**
   * Starts those that write files, and the sampler.
   *
   * @param directory where they write; without one nothing but the driver itself is watched
   * @param reach of one of several drivers, the first sees for all what all have in common
   * @param target whose server is watched, if it is one server
   * @param notes receives one line by each of them that misses something
   */
  Observers(
      Optional<ResultDirectory> directory,
      ResultConfig config,
      ObserverReach reach,
      RunDatabase target,
      int runId,
      Consumer<String> notes)
      throws IOException {
    Database database = target.database();
    serverHere = database != null && DatabaseNodes.isHere(database.config().url());
    boolean elsewhere = config.osCollector().flatMap(OsCollectorConfig::sshAddress).isPresent();
    collectsServer = elsewhere || serverHere;
    serverProcesses =
        new ServerProcesses(reach == ObserverReach.THIS_MACHINE ? List.of() : target.nodes());
    follower = reach == ObserverReach.THIS_MACHINE ? null : target.follower().orElse(null);
    if (follower != null) {
      follower.start(notes);
      endings.add(follower::endInterval);
      closings.add(follower::close);
    }
    noWaits = directory.isEmpty() ? "the run has no result directory" : noWaits(reach, target);
    if (directory.isEmpty()) {
      osCollector = null;
      databaseStats = null;
      waits = null;
      return;
    }
    osCollector =
        config.osCollector().isEmpty() || (elsewhere && reach == ObserverReach.THIS_MACHINE)
            ? null
            : OsCollector.start(config.osCollector().get(), runId, directory.get().data(), notes);
    if (osCollector != null) {
      for (OsCollector one :
          OsCollector.startOthers(
              config.osCollector().orElseThrow(), runId, directory.get().data(), notes)) {
        closings.add(one::close);
      }
    }
    databaseStats =
        reach == ObserverReach.THIS_MACHINE
            ? null
            : databaseStats(directory.get(), target, runId, notes);
    waits =
        database == null || !noWaits.isEmpty()
            ? null
            : WaitSampler.start(database.connections()::open, WaitSampler.PERIOD, notes);
    if (databaseStats != null) {
      add(databaseStats::beginInterval, databaseStats::endInterval, databaseStats::close);
    }
    if (waits != null) {
      add(waits::beginInterval, waits::endInterval, waits::close);
    }
    closings.add(ClientRecording.start(directory.get(), runId, notes)::close);
    if (osCollector != null) {
      add(osCollector::beginInterval, osCollector::endInterval, osCollector::close);
    }
  }

  private void add(Runnable begins, Runnable ends, Runnable closes) {
    beginnings.add(begins);
    endings.add(ends);
    closings.add(closes);
  }

  /** Why nobody samples what sessions wait for; empty if it can be done. */
  private static String noWaits(ObserverReach reach, RunDatabase target) {
    if (target.database() == null) {
      return "there is no server";
    }
    if (isSharded(target)) {
      return "a sample would be of one server of several";
    }
    return reach == ObserverReach.THIS_MACHINE
        ? "the first driver samples for all"
        : WaitSampler.unknown(target.database().config().database());
  }

  private static boolean isSharded(RunDatabase target) {
    return target.shards().filter(map -> map.shards().size() > 1).isPresent();
  }

  private static @Nullable ServerPoll<DatabaseStats> databaseStats(
      ResultDirectory directory, RunDatabase target, int runId, Consumer<String> notes) {
    Database database = target.database();
    if (database == null) {
      return null;
    }
    if (isSharded(target)) {
      notes.accept("database figures: not read, they would be those of one server of several");
      return null;
    }
    boolean named = database.config().database() == DatabaseKind.POSTGRES;
    return DatabaseStats.start(
        () -> {
          Connection connection = database.connections().open();
          if (named) {
            // The sampler knows the run's sessions by their name.
            connection.setClientInfo("ApplicationName", "shardmark observer");
          }
          return connection;
        },
        database.config().database(),
        DATABASE_PERIOD,
        runId,
        directory.data(),
        target.workload().headlineCount(),
        notes);
  }

  /** From when the column {@code elapsed} of their files counts, to some milliseconds. */
  long sinceNanos() {
    return sinceNanos;
  }

  /**
   * @param startNanos when the interval began
   */
  void beginInterval(long startNanos) {
    if (follower != null) {
      follower.beginInterval(startNanos);
    }
    client = ClientObserver.start();
    serverProcesses.beginInterval();
    runnableDelay.begin();
    gcThreads.begin();
    machineBefore = MachineTicks.read();
    readMachineLoad(); // the next reading counts from here
    beginnings.forEach(Runnable::run);
  }

  /** Looks at what does not last. To be called about once a second in the interval. */
  void look() {
    runnableDelay.read(System.nanoTime());
  }

  /** The figures are those since {@link #beginInterval}, or of no time if it never came. */
  void endInterval() {
    ClientObserver observer = client == null ? ClientObserver.start() : client;
    used = observer.next();
    gcThreads.read(System.nanoTime());
    serverProcesses.endInterval();
    machine = MachineTicks.read();
    Optional<Double> busy = machine.flatMap(now -> machineBefore.map(now::busySince));
    machineBusyShare = busy.isPresent() ? busy.get() : readMachineLoad();
    observer.close();
    endings.forEach(Runnable::run);
  }

  /** The last transaction has ended: waits for what other endpoints still have to do. */
  void awaitRest(BooleanSupplier stopped) throws InterruptedException {
    if (follower != null) {
      follower.awaitRest(stopped);
    }
  }

  /** Without Linux. The JDK counts from one call to the next. */
  private static @Nullable Double readMachineLoad() {
    double load = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
    return load >= 0 ? load : null;
  }

  /** Ends them all; the files are complete after that. */
  @Override
  public void close() {
    closings.forEach(Runnable::run);
  }

  /** What they see of the server just now. Safe on any thread. */
  ServerSide serverNow() {
    Map<String, Double> figures = new TreeMap<>();
    if (databaseStats != null) {
      figures.putAll(databaseStats.probe().recent());
    }
    if (follower != null) {
      figures.putAll(follower.recent());
    }
    return new ServerSide(
        figures,
        waits == null ? ServerWaits.none(noWaits) : waits.probe().recent(),
        osCollector == null ? Optional.empty() : osCollector.recent(collectsServer),
        List.of());
  }

  /**
   * What the driver itself cost in the measurement interval, after {@link #endInterval}.
   *
   * @param lateness with which terminals were taken up
   * @param workers that executed transactions
   * @param heldUp when nothing of the process ran
   */
  Client client(RunStatistics statistics, Histogram lateness, int workers, HoldUps heldUp) {
    ClientReading process = Objects.requireNonNull(used, "the interval has not ended");
    RunStatistics.RingFigures rings = statistics.rings();
    OptionalDouble delay = runnableDelay.share();
    return new Client(
        process.coresUsed(),
        Runtime.getRuntime().availableProcessors(),
        machineBusyShare,
        machine.map(MachineTicks::processors).orElse(null),
        delay.isPresent() ? delay.getAsDouble() : null,
        serverHere,
        gcShare(process),
        process.gcCount(),
        process.gcPauseNanos() / 1_000_000,
        rings.stalls(),
        Latency.millis(rings.stalledNanos()),
        rings.stalledNanos() / Math.max(1.0, (double) process.wallNanos() * workers),
        Latency.millis(lateness.getValueAtPercentile(99)),
        lateness.getTotalCount(),
        statistics.overall(LatencyKind.SERVICE, Scope.ALL).p50(),
        statistics.overall(LatencyKind.CONNECTION_WAIT, Scope.ALL).p99(),
        ListeningProcess.memory("self", "VmHWM:").orElse(0),
        heldUp,
        process.contextSwitches().isPresent() ? process.contextSwitches().getAsLong() : null);
  }

  /** A pause without a processor is not the collector's. */
  private double gcShare(ClientReading process) {
    double wall = Math.max(1, process.wallNanos());
    double paused = process.gcPauseNanos() / wall;
    OptionalLong ran = gcThreads.ranNanos();
    return ran.isPresent() ? Math.min(paused, ran.getAsLong() / wall) : paused;
  }

  /** What they saw of the server in the measurement interval. Complete after {@link #close}. */
  ServerSide serverSide() {
    Map<String, Double> figures = new TreeMap<>();
    if (databaseStats != null) {
      databaseStats
          .probe()
          .figures()
          .forEach((name, value) -> figures.put(name, value.doubleValue()));
    }
    if (follower != null) {
      figures.putAll(follower.figures());
    }
    return new ServerSide(
        figures,
        waits == null ? ServerWaits.none(noWaits) : waits.probe().waits(),
        osCollector == null ? Optional.empty() : osCollector.use(collectsServer),
        serverProcesses.used());
  }
}
