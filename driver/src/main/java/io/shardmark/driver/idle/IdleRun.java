package io.shardmark.driver.idle;

import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.IdleConfig;
import io.shardmark.driver.benchmark.CannotGoOnException;
import io.shardmark.driver.measure.IntervalInForce;
import io.shardmark.driver.measure.MeasurementInterval;
import io.shardmark.driver.measure.Phases;
import io.shardmark.driver.measure.RunFaults;
import io.shardmark.driver.processes.ListeningProcess;
import io.shardmark.driver.results.IdleSessions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The idle sessions of one run: helper processes that hold them, and when they are opened and
 * closed. A run is measured without them for a while, with them, and without them again.
 *
 * <p>The main thread opens and closes; another thread directs, one for each process listens.
 */
public final class IdleRun implements AutoCloseable {
  private static final List<String> PHASES =
      List.of(IdleSessions.BEFORE, "opening", "settling", IdleSessions.HELD, "closing", "after");

  private static final long LOOK_MILLIS = 100;

  /** What waited while sessions were opened is done by then. */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final IdleConfig config;
  private final IdlePlan plan;
  private final Consumer<String> console;
  private final RunFaults faults;
  private final Phases phases = new Phases(PHASES);
  private final List<HelperProcess> helpers = new ArrayList<>();
  private final IdleReports reports;
  private final List<@Nullable Long> before = new ArrayList<>();
  private final List<@Nullable Long> opened = new ArrayList<>();
  private final List<@Nullable Long> atEnd = new ArrayList<>();
  private @Nullable Thread director;
  private volatile boolean ending;
  private double openSeconds;

  private IdleRun(IdleConfig config, IdlePlan plan, Consumer<String> console, RunFaults faults) {
    this.config = config;
    this.plan = plan;
    this.console = console;
    this.faults = faults;
    reports = new IdleReports(plan.orders().size());
  }

  /**
   * Starts the helper processes, which open nothing yet.
   *
   * @param faults called if the run does not have its idle sessions
   * @throws ConfigException if this machine does not allow so many sessions
   * @throws IOException if a process cannot be started
   */
  public static IdleRun prepare(
      IdleConfig config, ConnectionConfig connection, Consumer<String> console, RunFaults faults)
      throws IOException, InterruptedException {
    IdleRun run = new IdleRun(config, IdlePlan.of(config, connection), console, faults);
    boolean ready = false;
    try {
      run.startHelpers();
      ready = true;
      return run;
    } finally {
      if (!ready) {
        run.close();
      }
    }
  }

  private void startHelpers() throws IOException, InterruptedException {
    for (int i = 0; i < plan.orders().size(); i++) {
      HelperProcess helper = HelperProcess.start(plan.orders().get(i));
      helpers.add(helper);
      int index = i;
      faults.essential("idle-sessions-" + (i + 1), () -> listen(index, helper)).start();
    }
    if (!reports.await(IdleReports::allReady, READY_NANOS)) {
      throw new ConfigException(
          "idleSessions=%d: their %d processes have not started within %d s"
              .formatted(
                  config.sessions(), helpers.size(), TimeUnit.NANOSECONDS.toSeconds(READY_NANOS)));
    }
  }

  private void listen(int index, HelperProcess helper) {
    boolean complete;
    try {
      complete = helper.read((report, about) -> reports.take(index, report, about));
    } catch (IOException e) {
      complete = false;
    }
    reports.ended(index);
    if (ending) {
      return;
    }
    String refusal = reports.refusal();
    if (refusal != null) {
      throw new CannotGoOnException(
          "idleSessions=%d: %d were open when one could not be opened: %s"
              .formatted(config.sessions(), reports.open(), refusal));
    }
    if (!complete) {
      throw new CannotGoOnException(
          "idleSessions=%d: the process of some of them has ended".formatted(config.sessions()));
    }
  }

  /** For the collector of the run. */
  public Phases phases() {
    return phases;
  }

  /** How many sessions there are at this moment. Safe on any thread. */
  public IdleSessions.SessionCount now() {
    return new IdleSessions.SessionCount(config.sessions(), reports.open(), reports.lost());
  }

  /** The interval has begun: sessions come and go with it. */
  public void begin(IntervalInForce interval) {
    Thread thread = faults.essential("idle-sessions", () -> direct(interval));
    director = thread;
    thread.start();
  }

  private void direct(IntervalInForce interval) {
    long quiet = config.quiet().toNanos();
    try {
      long start = interval.interval().startNanos();
      if (!await(() -> start + quiet, interval)) {
        return;
      }
      readMemory(before);
      console.accept(
          "Idle sessions: opening %d over %d endpoints from %d processes"
              .formatted(config.sessions(), plan.endpoints().size(), helpers.size()));
      long begun = System.nanoTime();
      phases.next(begun);
      send(IdleOrders.OPEN);
      while (!reports.await(r -> r.hadOpen() >= config.sessions(), LOOK_MILLIS * 1_000_000)) {
        if (isOver(interval)) {
          return;
        }
      }
      long open = System.nanoTime();
      phases.next(open);
      openSeconds = (open - begun) / 1e9;
      readMemory(opened);
      console.accept(
          "Idle sessions: %d are open after %.1f s, %.0f a second"
              .formatted(config.sessions(), openSeconds, config.sessions() / openSeconds));
      if (!await(() -> Math.min(open + SETTLE_NANOS, end(interval)), interval)) {
        return;
      }
      phases.next(System.nanoTime());
      if (await(() -> end(interval), interval)) {
        closeSessions();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** When the sessions are to be closed. */
  private long end(IntervalInForce interval) {
    return interval.interval().endNanos() - config.quiet().toNanos();
  }

  private void closeSessions() throws InterruptedException {
    readMemory(atEnd);
    console.accept(
        "Idle sessions: closing %d, %d were lost".formatted(reports.open(), reports.lost()));
    phases.next(System.nanoTime());
    closeHelpers();
    phases.next(System.nanoTime());
  }

  private void closeHelpers() throws InterruptedException {
    ending = true;
    send(IdleOrders.CLOSE);
    reports.await(IdleReports::allEnded, CLOSE_NANOS);
  }

  /**
   * Waits for an instant, which may come earlier than was known.
   *
   * @return false if the interval is over
   */
  private boolean await(LongSupplier instant, IntervalInForce interval)
      throws InterruptedException {
    while (!isOver(interval)) {
      long left = instant.getAsLong() - System.nanoTime();
      if (left <= 0) {
        return true;
      }
      reports.await(r -> ending, Math.min(left, LOOK_MILLIS * 1_000_000));
    }
    return false;
  }

  private boolean isOver(IntervalInForce interval) {
    return ending || interval.isOver(System.nanoTime());
  }

  private void send(int order) {
    helpers.forEach(helper -> helper.send(order));
  }

  private void readMemory(List<@Nullable Long> readings) {
    for (IdlePlan.IdlePlace place : plan.endpoints()) {
      OptionalLong bytes =
          place.listener().map(ListeningProcess::residentBytes).orElse(OptionalLong.empty());
      readings.add(bytes.isPresent() ? bytes.getAsLong() : null);
    }
  }

  /** The interval is over: whatever is open is closed. Waits until nothing more happens. */
  public void end() throws InterruptedException {
    Thread thread = director;
    if (thread != null) {
      thread.join();
    }
    if (!ending) {
      readMemory(atEnd);
      closeHelpers();
    }
  }

  /**
   * What came of it. After {@link #end}, and after the collector has finished.
   *
   * @param interval as it was in the end
   */
  public IdleSessions result(MeasurementInterval interval) {
    List<IdleSessions.Endpoint> endpoints = new ArrayList<>();
    for (int i = 0; i < plan.endpoints().size(); i++) {
      IdlePlan.IdlePlace place = plan.endpoints().get(i);
      endpoints.add(
          new IdleSessions.Endpoint(
              place.endpoint().toString(),
              place.sessions(),
              reading(before, i),
              reading(opened, i),
              reading(atEnd, i)));
    }
    return new IdleSessions(
        config.sessions(),
        reports.hadOpen(),
        reports.lost(),
        reports.firstLoss(),
        plan.orders().size(),
        config.sources().size(),
        openSeconds,
        endpoints,
        reports.questions(),
        phases.figures(interval));
  }

  private static @Nullable Long reading(List<@Nullable Long> readings, int index) {
    return index < readings.size() ? readings.get(index) : null;
  }

  @Override
  public void close() {
    ending = true;
    helpers.forEach(HelperProcess::close);
  }
}
