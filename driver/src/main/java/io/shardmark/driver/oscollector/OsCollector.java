package io.shardmark.driver.oscollector;

import io.shardmark.config.ResultConfig.OsCollectorConfig;
import io.shardmark.driver.measure.ObserverThread;
import io.shardmark.driver.results.MachineUse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects figures of the operating system, of this machine or of one reached by ssh, into CSV
 * files that BenchmarkSQL's report scripts can read. Works in its own daemon thread; faults after
 * the start become warnings. A lost ssh connection is opened again; the time without one has no
 * rows.
 */
public final class OsCollector implements AutoCloseable {
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Duration interval;
  private final List<String> devices;
  private final SnapshotSource source;
  private final CollectorFiles files;
  private final Consumer<String> warnings;
  private final ObserverThread thread;
  private final long retryNanos;
  private final long start = System.nanoTime();
  private volatile boolean closing;
  private volatile boolean inInterval;
  private volatile @Nullable MachineCounters recent;

  // Only the collector's thread touches these, while it lives.
  private @Nullable MachineCounters sum;
  private @Nullable MachineCounters previous;
  private boolean devicesOpened;
  private boolean lost;
  private long tick;
  private long lastRow;

  private OsCollector(
      OsCollectorConfig config,
      SnapshotSource source,
      CollectorFiles files,
      long retryNanos,
      Consumer<String> warnings) {
    this.interval = config.interval();
    this.devices = config.devices();
    this.source = source;
    this.files = files;
    this.retryNanos = retryNanos;
    this.warnings = warnings;
    this.thread =
        new ObserverThread("os-collector", "OS collector", warnings, this::collect, this::end);
  }

  /**
   * Starts to collect; returns at once, before any connection is made.
   *
   * @param warnings receives one line for each fault; called from the collector's thread
   * @throws IOException if the first file cannot be created
   */
  public static OsCollector start(
      OsCollectorConfig config, int runId, Path dataDirectory, Consumer<String> warnings)
      throws IOException {
    CollectorFiles files = new CollectorFiles(runId, dataDirectory, "");
    return start(config, source(config, warnings), files, RETRY_NANOS, warnings);
  }

  /**
   * The same of each further machine, into files whose names end in {@code _at_} and its host.
   *
   * @throws IOException if a file cannot be created
   */
  public static List<OsCollector> startOthers(
      OsCollectorConfig config, int runId, Path dataDirectory, Consumer<String> warnings)
      throws IOException {
    List<OsCollector> others = new ArrayList<>();
    for (String address : config.others()) {
      String host = address.substring(address.indexOf('@') + 1).replaceAll("[^A-Za-z0-9.-]", "-");
      CollectorFiles files = new CollectorFiles(runId, dataDirectory, "_at_" + host);
      Consumer<String> named = line -> warnings.accept(host + ": " + line);
      others.add(
          start(config, ProcSource.over(List.of("ssh"), address), files, RETRY_NANOS, named));
    }
    return others;
  }

  private static SnapshotSource source(OsCollectorConfig config, Consumer<String> warnings) {
    if (config.sshAddress().isPresent()) {
      return ProcSource.over(List.of("ssh"), config.sshAddress().get());
    }
    if (System.getProperty("os.name", "").startsWith("Linux")) {
      return ProcSource.here(Path.of("/"));
    }
    warnings.accept(OshiSource.NOTE);
    return new OshiSource();
  }

  static OsCollector start(
      OsCollectorConfig config,
      SnapshotSource source,
      CollectorFiles files,
      long retryNanos,
      Consumer<String> warnings) {
    OsCollector collector = new OsCollector(config, source, files, retryNanos, warnings);
    collector.thread.start();
    return collector;
  }

  /** The next is at the first multiple of the interval that lies ahead, after a fault by more. */
  private long collect() throws IOException {
    long pause = take() ? 0 : retryNanos;
    long passed = System.nanoTime() - start;
    tick = Math.max(tick, (passed + pause) / interval.toNanos()) + 1;
    return start + tick * interval.toNanos() - System.nanoTime();
  }

  private boolean take() throws IOException {
    MachineCounters snapshot;
    try {
      snapshot = source.take();
    } catch (IOException e) {
      if (!lost && !closing) {
        warnings.accept("OS collector: no figures until it works again: " + e.getMessage());
      }
      lost = true;
      previous = null; // a rate over the gap would blur what happened in it
      return false;
    }
    if (lost) {
      lost = false;
      warnings.accept("OS collector: works again");
    }
    openDevices(snapshot);
    if (previous != null) {
      writeRow(System.nanoTime() - start, snapshot.since(previous));
    }
    previous = snapshot;
    return true;
  }

  private void openDevices(MachineCounters snapshot) throws IOException {
    if (devicesOpened) {
      return;
    }
    devicesOpened = true;
    DeviceSelection selection = DeviceSelection.of(devices, snapshot);
    if (!selection.warning().isEmpty()) {
      warnings.accept(selection.warning());
    }
    files.open(selection.known());
  }

  private void writeRow(long passedNanos, MachineCounters did) throws IOException {
    long row = Math.max(lastRow + 1, passedNanos / interval.toNanos());
    lastRow = row;
    files.write(row * interval.toMillis(), did);
    if (inInterval) {
      sum = sum == null ? did : sum.plus(did);
    }
    recent = did;
  }

  /**
   * The measurement interval begins now; what the machine does from the next snapshot on counts.
   */
  public void beginInterval() {
    inInterval = true;
  }

  /** The measurement interval ends now. */
  public void endInterval() {
    inInterval = false;
  }

  /** What the machine did between the last two snapshots. */
  public Optional<MachineUse> recent(boolean ofServer) {
    return Optional.ofNullable(recent).flatMap(did -> did.use(ofServer));
  }

  /**
   * What the machine did in the measurement interval, to an interval of the collector. Complete
   * after {@link #close}.
   */
  public Optional<MachineUse> use(boolean ofServer) {
    return thread.isAlive()
        ? Optional.empty()
        : Optional.ofNullable(sum).flatMap(did -> did.use(ofServer));
  }

  private void end() throws IOException {
    try (source) {
      files.close();
    }
  }

  /** Ends the collection and closes the files, as {@link ObserverThread#close} does. */
  @Override
  public void close() {
    closing = true;
    source.close();
    thread.close();
  }
}
