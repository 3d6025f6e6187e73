package io.shardmark.driver.measure;

import io.shardmark.config.Stage;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.results.ErrorResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rings of all workers on its own thread and sums up what they recorded. Its memory does
 * not grow with the length of the run.
 *
 * <p>Order of use: {@link #newRecorder()} for each worker, {@link #start}, the run, {@link #finish}
 * after all workers have ended.
 */
public final class Collector {
  private static final long SHORTEST_PAUSE_NANOS = 200_000;
  private static final long LONGEST_PAUSE_NANOS = 40_000_000;
  private static final long LIVE_PERIOD_NANOS = 250_000_000;
  private static final long FLUSH_PERIOD_NANOS = 500_000_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** It comes round every few milliseconds, however little there is to do. */
  private static final long HANGS_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long an aborted run waits for it. */
  private static final long PATIENCE_MILLIS = 5_000;

  private final List<TransactionType> types;
  private final IntervalInForce intervalInForce;
  private final ErrorLog errors;
  private final SampleSink sink;
  private final int ringCapacity;
  private final List<SampleRing> rings = new CopyOnWriteArrayList<>();
  private final RunFaults faults;
  private final Thread thread;
  private volatile LiveFigures live = LiveFigures.NOTHING_YET;
  private volatile boolean finishing;

  // The rest belongs to the collector thread until it has ended.
  private final Sample scratch = new Sample();
  private final Snapshot measured;
  private final Snapshot outside;

  /** One that came after its second was closed; empty between two of them. */
  private final Snapshot late;

  private final RecentSeconds recent;
  private @Nullable SecondWindow window;
  private @Nullable LiveFeed liveFeed;
  private @Nullable Heartbeat heartbeat;
  private final LoadCounter load = new LoadCounter();
  private List<StageCounter> stages = List.of();
  private List<MetricRule> stageMetrics = List.of();
  private @Nullable Phases phases;
  private Optional<StatementTimes> statementTimes = Optional.empty();
  private final QuietFinder quiet = new QuietFinder();
  private @Nullable SteadyFinder steady;
  private int partitions;
  private long unplaced;
  private long lastEndNanos;

  /**
   * @param types of the workload, at the position of their index
   * @param intervalInForce begun before {@link #start}
   * @param workers about how many recorders there will be: sets how much each can buffer
   * @param faults called if the collector fails: without it there are no figures
   */
  public Collector(
      List<TransactionType> types,
      IntervalInForce intervalInForce,
      ErrorLog errors,
      SampleSink sink,
      int workers,
      RunFaults faults) {
    this.types = List.copyOf(types);
    this.intervalInForce = intervalInForce;
    this.errors = errors;
    this.sink = sink;
    this.ringCapacity = SampleRing.capacityFor(workers);
    measured = new Snapshot(types, 0);
    outside = new Snapshot(types, 0);
    late = new Snapshot(types, 0);
    recent = new RecentSeconds(types);
    this.faults = faults;
    thread = faults.essential("collector", this::run);
  }

  /**
   * Lets someone watch. To be called before {@link #start}, once at most.
   *
   * @param ofPartitions how many partitions of the data are counted separately
   * @param seconds receives each second that is over, ramp-up and end included, on its own thread
   */
  public void watch(int ofPartitions, Consumer<LiveSecond> seconds) {
    partitions = ofPartitions;
    liveFeed = new LiveFeed(seconds, faults::note);
  }

  /**
   * Lets a heartbeat watch the collector from {@link #start} on, and passes over seconds in which
   * the process was held up where it looks for those without a success. To be called before {@link
   * #start}.
   *
   * @param onHang receives the thread's name if the collector hangs, as in a file system that does
   *     not answer; no worker waits for it then
   */
  public void guard(Heartbeat guardian, Consumer<String> onHang) {
    heartbeat = guardian;
    guardian.watch(
        thread,
        HANGS_AFTER_NANOS,
        name -> {
          onHang.accept(name);
          rings.forEach(SampleRing::close);
        });
  }

  /**
   * Counts each of these parts of the interval too. To be called before {@link #start}.
   *
   * @param metrics what each is judged by
   */
  public void divide(List<Stage> parts, List<MetricRule> metrics) {
    stages = StageCounter.of(parts, types);
    stageMetrics = List.copyOf(metrics);
  }

  /** Counts these too. To be called before {@link #start}. */
  public void divide(Phases parts) {
    phases = parts;
  }

  /**
   * Begins the interval before its planned start if the throughput is steady. To be called before
   * {@link #start}.
   */
  public void beginWhenSteady() {
    steady = new SteadyFinder();
  }

  /** Takes the times of statements into the result. To be called before {@link #finish}. */
  public void time(StatementTimes times) {
    statementTimes = Optional.of(times);
  }

  /** A recorder for one worker thread. May be called at any time before {@link #finish}. */
  public SampleRecorder newRecorder() {
    SampleRing ring = new SampleRing(ringCapacity, errors);
    rings.add(ring);
    return ring;
  }

  /**
   * Starts the collector thread.
   *
   * @throws IllegalStateException if the interval has not begun
   */
  public void start() {
    if (!intervalInForce.hasBegun()) {
      throw new IllegalStateException("the interval must have begun before the collector starts");
    }
    long session = intervalInForce.sessionStartNanos();
    MeasurementInterval interval = intervalInForce.interval();
    window =
        new SecondWindow(
            () -> new Snapshot(types, partitions), secondOf(session, interval), this::closed);
    lastEndNanos = interval.startNanos();
    if (steady == null) {
      beginFiles();
    }
    if (liveFeed != null) {
      liveFeed.start();
    }
    thread.start();
  }

  private void beginFiles() {
    long untilStart = intervalInForce.interval().startNanos() - System.nanoTime();
    sink.begin(Instant.now().plusNanos(untilStart));
  }

  /** How the run is doing; renewed about four times a second. */
  public LiveFigures live() {
    return live;
  }

  /**
   * Takes in what the workers left, ends the collector thread and gives the result. An open-ended
   * interval ends with its last transaction. To be called once, after all workers have ended; what
   * a worker records later is dropped. In an aborted run a collector that hangs is left: the result
   * is what it had summed up.
   *
   * @param leftOver what was due and is in no sample
   */
  public RunStatistics finish(LeftOver leftOver) {
    finishing = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    long aborting = System.nanoTime();
    while (thread.isAlive() && !(faults.isAborted() && millisSince(aborting) >= PATIENCE_MILLIS)) {
      try {
        thread.join(PATIENCE_MILLIS / 10);
      } catch (InterruptedException e) {
        interrupted = true; // the thread ends within milliseconds; its figures must not be lost
      }
    }
    if (liveFeed != null) {
      liveFeed.close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    leftOver.forEach(intervalInForce.interval(), this::addLoad);
    sayUnplaced();
    long stalls = rings.stream().mapToLong(SampleRing::stalls).sum();
    long stalledNanos = rings.stream().mapToLong(SampleRing::stalledNanos).sum();
    return new RunStatistics(
        intervalInForce.sessionStartNanos(),
        intervalInForce.interval(),
        measured.types(),
        errors.counts(),
        new RunStatistics.RingFigures(stalls, stalledNanos),
        quiet.longest(),
        quiet.successesBySecond(),
        outside.types().stream().mapToLong(TypeStatistics::count).sum(),
        leftOver.figures(load),
        stages.stream()
            .map(stage -> stage.figures(intervalInForce.interval(), stageMetrics))
            .toList(),
        statementTimes.map(times -> times.figures(types)).orElse(List.of()),
        steady == null ? null : steady.result());
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  private void sayUnplaced() {
    if (unplaced > 0) {
      faults.note(
          "%d transactions were recorded after their second was written: the figures by second lack them, all others have them"
              .formatted(unplaced));
    }
  }

  private void run() {
    try {
      collect();
    } finally {
      // However it ends: no worker may wait for space that will never come.
      rings.forEach(SampleRing::close);
    }
  }

  private void collect() {
    long pause = SHORTEST_PAUSE_NANOS;
    long nextLive = System.nanoTime();
    long nextFlush = nextLive + FLUSH_PERIOD_NANOS;
    Arrivals arrivals = new Arrivals(nextLive);
    while (!finishing) {
      long complete = arrivals.completeBefore(System.nanoTime());
      pause = nextPause(pause, drainAll());
      long now = System.nanoTime();
      if (now - nextLive >= 0) {
        closeSeconds(complete);
        endSteadyRampUp(now);
        live = figures(now);
        nextLive = now + LIVE_PERIOD_NANOS;
      }
      if (now - nextFlush >= 0) {
        sink.flush();
        nextFlush = now + FLUSH_PERIOD_NANOS;
      }
      LockSupport.parkNanos(this, pause);
    }
    drainAll();
    endInterval();
    sink.flush();
    window().closeAll();
  }

  /** Returns the fullest ring's share of its capacity, in percent. */
  private int drainAll() {
    int fullest = 0;
    for (SampleRing ring : rings) {
      fullest = Math.max(fullest, ring.drain(scratch, this::take) * 100 / ring.capacity());
    }
    return fullest;
  }

  /** Sleeps as long as no ring comes near its end, so that a slow run costs next to no CPU. */
  private static long nextPause(long pause, int fullestPercent) {
    if (fullestPercent > 25) {
      return Math.max(SHORTEST_PAUSE_NANOS, pause / 2);
    }
    return fullestPercent < 8 ? Math.min(LONGEST_PAUSE_NANOS, pause * 2) : pause;
  }

  private void take(Sample sample) {
    MeasurementInterval interval = intervalInForce.interval();
    long end = sample.endNanos();
    addLoad(sample, 1);
    if (interval.contains(end)) {
      if (phases != null && types.get(sample.typeIndex()).counted()) {
        phases.ended(sample);
      }
      sink.sample(sample, end - interval.startNanos());
      lastEndNanos = end - lastEndNanos > 0 ? end : lastEndNanos;
    }
    long second = secondOf(end, interval);
    if (end - interval.endNanos() >= 0) {
      second = Math.max(second, secondsIn(interval)); // the last one may be cut short
    }
    if (!window().add(second, sample)) {
      unplaced++;
      late.add(sample);
      sum(late, second);
      late.reset();
    }
  }

  /** Adds so many to what was due, begun, done and left undone. */
  private void addLoad(Sample sample, long count) {
    MeasurementInterval interval = intervalInForce.interval();
    if (types.get(sample.typeIndex()).counted()) {
      load.ended(sample, count, interval);
      for (StageCounter stage : stages) {
        stage.ended(sample, count, interval);
      }
    }
    measured.types().get(sample.typeIndex()).addUndone(sample, count, interval);
  }

  private static long secondOf(long nanos, MeasurementInterval interval) {
    return Math.floorDiv(nanos - interval.startNanos(), NANOS_PER_SECOND);
  }

  /**
   * Closes the seconds of which all has come in, but never the last of the interval: its end may
   * come in late.
   */
  private void closeSeconds(long completeNanos) {
    MeasurementInterval interval = intervalInForce.interval();
    window().closeBefore(Math.min(secondOf(completeNanos, interval), secondsIn(interval) - 1));
  }

  /**
   * The interval begins in a second or two, at a full one: what was counted by second keeps its
   * second, and nothing that counts has ended yet.
   */
  private void endSteadyRampUp(long now) {
    MeasurementInterval planned = intervalInForce.interval();
    long early = -(secondOf(now, planned) + 2);
    if (steady != null
        && steady.isSteady()
        && early > 0
        && intervalInForce.beginEarlier(planned, early * NANOS_PER_SECOND)) {
      window().renumber(early);
    }
  }

  private static long secondsIn(MeasurementInterval interval) {
    return Math.floorDiv(interval.lengthNanos() + NANOS_PER_SECOND - 1, NANOS_PER_SECOND);
  }

  private void endInterval() {
    MeasurementInterval interval = intervalInForce.interval();
    if (interval.isOpenEnded()) {
      // One more nanosecond, because the end is the first instant that does not count.
      intervalInForce.endNoLaterThan(lastEndNanos + 1);
    }
    long seconds = secondsIn(intervalInForce.interval());
    window().closeBefore(seconds);
    // An interval that was cut short may have had errors after its new end.
    long last = errors.lastSecond();
    for (long second = seconds; second <= last; second++) {
      tellErrors(second);
    }
  }

  private void tellErrors(long second) {
    List<ErrorResult> raised = errors.takeSecond(second);
    if (!raised.isEmpty()) {
      sink.errors(second, raised);
    }
  }

  private void closed(Snapshot done, long second) {
    sum(done, second);
    recent.add(done);
    if (liveFeed != null) {
      Snapshot copy = new Snapshot(types, partitions);
      copy.add(done);
      liveFeed.add(new LiveSecond(second, phaseOf(second), copy));
    }
    if (second < 0 && steady != null) {
      steady.add(done.transactions());
      if (second == -1) {
        beginFiles();
      }
    }
    if (phaseOf(second) != LiveFigures.LivePhase.MEASURING) {
      return; // for those who watch only
    }
    addToQuiet(second, done.transactions());
    sink.second(second, done);
    tellErrors(second);
  }

  /** Everything that is known of the run and its stages is a sum of such seconds. */
  private void sum(Snapshot done, long second) {
    if (phaseOf(second) != LiveFigures.LivePhase.MEASURING) {
      outside.add(done);
      return;
    }
    measured.add(done);
    stages.forEach(stage -> stage.add(second, done));
  }

  private LiveFigures.LivePhase phaseOf(long second) {
    return second < 0
        ? LiveFigures.LivePhase.RAMP_UP
        : second < secondsIn(intervalInForce.interval())
            ? LiveFigures.LivePhase.MEASURING
            : LiveFigures.LivePhase.ENDING;
  }

  /** With the seconds that are not complete, so that nothing is missing that was recorded. */
  private LiveFigures figures(long now) {
    MeasurementInterval interval = intervalInForce.interval();
    Snapshots inInterval = new Snapshots(new ArrayList<>(List.of(measured)));
    Snapshots others = new Snapshots(new ArrayList<>(List.of(outside)));
    window()
        .forEachOpen(
            (done, second) ->
                (phaseOf(second) == LiveFigures.LivePhase.MEASURING ? inInterval : others)
                    .all()
                    .add(done));
    Snapshots all = new Snapshots(new ArrayList<>(others.all()));
    all.all().addAll(inInterval.all());
    long sinceStart = Math.max(1, now - intervalInForce.sessionStartNanos());
    long sinceInterval = now - interval.startNanos();
    return new LiveFigures(
        interval.contains(now)
            ? LiveFigures.LivePhase.MEASURING
            : sinceInterval < 0 ? LiveFigures.LivePhase.RAMP_UP : LiveFigures.LivePhase.ENDING,
        Duration.ofNanos(sinceStart),
        interval.isOpenEnded()
            ? Optional.empty()
            : Optional.of(Duration.ofNanos(Math.max(0, interval.endNanos() - now))),
        all.sum(Snapshot::transactions),
        all.sum(Snapshot::errors),
        sinceInterval > 0 ? inInterval.successes(sinceInterval) : all.successes(sinceStart),
        recent.successes(),
        recent.due().percentileNanos(95));
  }

  private record Snapshots(List<Snapshot> all) {
    long sum(ToLongFunction<Snapshot> count) {
      return all.stream().mapToLong(count).sum();
    }

    SuccessCounts successes(long nanos) {
      return SuccessCounts.sum(all.stream().map(Snapshot::successes).toList(), nanos);
    }
  }

  private void addToQuiet(long second, long successes) {
    // A pause is quiet because nothing is asked for, a hold-up because nobody could ask.
    boolean paused = stages.stream().anyMatch(stage -> stage.pausesIn(second)) || heldUp(second);
    if (second < intervalInForce.interval().lengthNanos() / NANOS_PER_SECOND) {
      quiet.add(second, successes, paused);
    } else {
      quiet.endsShort(paused ? 1 : successes);
    }
  }

  private boolean heldUp(long second) {
    long from = intervalInForce.interval().startNanos() + second * NANOS_PER_SECOND;
    return heartbeat != null
        && heartbeat.heldUpNanos(from, from + NANOS_PER_SECOND) >= NANOS_PER_SECOND / 2;
  }

  private SecondWindow window() {
    return Objects.requireNonNull(window);
  }
}
