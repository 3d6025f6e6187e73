package io.shardmark.driver.oscollector;

import io.shardmark.config.ResultConfig.OsCollectorConfig;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.results.MachineUse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Collects figures of the operating system, of this machine or of one behind ssh, into CSV files
 * that BenchmarkSQL's report scripts can read. Works in a daemon thread of its own; faults after
 * the start become warnings. A lost ssh connection is opened again; the time without one has no
 * rows.
 */
public final class OsCollector implements AutoCloseable {
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Duration interval;
  private final List<String> devices;
  private final SnapshotSource source;
  private final CollectorFiles files;
  private final Consumer<String> warnings;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;
  private final long retryNanos;
  private final MachineSum sum = new MachineSum();
  private volatile boolean inInterval;
  private volatile MachineSum recent = new MachineSum();

  // Only the collector's thread touches these.
  private @Nullable SystemSnapshot previous;
  private boolean devicesOpened;
  private boolean lost;
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
    this.thread = RunFaults.observer("os-collector", "OS collector", warnings, this::collect);
  }

  /**
   * Starts to collect; returns at once, before any connection is made.
   *
   * @param config interval, machine and devices; {@code blk_auto}, {@code net_auto} and {@code
   *     auto} stand for all physical disks, all interfaces but the loopback, and both
   * @param runId first column of each row
   * @param dataDirectory existing directory of the files
   * @param warnings receives one line for each fault; called from the collector's thread
   * @throws IOException if the first file cannot be created
   */
  public static OsCollector start(
      OsCollectorConfig config, int runId, Path dataDirectory, Consumer<String> warnings)
      throws IOException {
    CollectorFiles files = new CollectorFiles(runId, dataDirectory);
    return start(config, source(config, warnings), files, RETRY_NANOS, warnings);
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

  private void collect() {
    long start = System.nanoTime();
    long tick = 0;
    try (files) {
      do {
        boolean taken = take(start);
        tick = nextTick(System.nanoTime() - start, tick, taken ? 0 : retryNanos);
      } while (!stop.await(
          start + tick * interval.toNanos() - System.nanoTime(), TimeUnit.NANOSECONDS));
    } catch (IOException e) {
      warnings.accept("OS collector: stopped, cannot write its files: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      source.close();
    }
  }

  /** The first multiple of the interval that lies ahead by more than the pause. */
  private long nextTick(long passedNanos, long tick, long pauseNanos) {
    return Math.max(tick, (passedNanos + pauseNanos) / interval.toNanos()) + 1;
  }

  private boolean take(long start) throws IOException {
    SystemSnapshot snapshot;
    try {
      snapshot = source.take();
    } catch (IOException e) {
      if (!lost && stop.getCount() > 0) {
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
      writeRow(System.nanoTime() - start, previous, snapshot);
    }
    previous = snapshot;
    return true;
  }

  private void openDevices(SystemSnapshot snapshot) throws IOException {
    if (devicesOpened) {
      return;
    }
    devicesOpened = true;
    DeviceSelection selection = DeviceSelection.of(devices, snapshot);
    if (!selection.warning().isEmpty()) {
      warnings.accept(selection.warning());
    }
    files.open(selection);
  }

  private void writeRow(long passedNanos, SystemSnapshot from, SystemSnapshot to)
      throws IOException {
    long row = Math.max(lastRow + 1, passedNanos / interval.toNanos());
    lastRow = row;
    files.write(row * interval.toMillis(), from, to);
    if (inInterval) {
      sum.add(from, to);
    }
    MachineSum last = new MachineSum();
    last.add(from, to);
    recent = last;
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

  /**
   * What the machine did between the last two snapshots.
   *
   * @param ofServer whether the server runs on it
   */
  public Optional<MachineUse> recent(boolean ofServer) {
    return recent.use(ofServer);
  }

  /**
   * What the machine did in the measurement interval, to an interval of the collector. Complete
   * after {@link #close}.
   *
   * @param ofServer whether the server runs on it
   */
  public Optional<MachineUse> use(boolean ofServer) {
    return thread.isAlive() ? Optional.empty() : sum.use(ofServer);
  }

  /**
   * Ends the collection and closes the files. Waits for the thread, at most a few seconds; an
   * interruption ends the waiting and stays set.
   */
  @Override
  public void close() {
    stop.countDown();
    source.close();
    try {
      thread.join(CLOSE_PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
