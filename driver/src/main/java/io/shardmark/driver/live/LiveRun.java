package io.shardmark.driver.live;

import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.live.LiveState.ClientState;
import io.shardmark.driver.live.LiveState.ConnectionState;
import io.shardmark.driver.live.LiveState.ErrorState;
import io.shardmark.driver.live.LiveState.Measured;
import io.shardmark.driver.live.LiveState.ShardState;
import io.shardmark.driver.live.LiveState.TypeState;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.LatencyBuckets;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.LiveSecond;
import io.shardmark.driver.measure.LiveTotals;
import io.shardmark.driver.measure.SecondFigures;
import io.shardmark.driver.measure.SuccessCounts;
import io.shardmark.driver.result.ServerSide;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.selfcheck.ClientObserver;
import io.shardmark.driver.selfcheck.ClientReading;
import io.shardmark.driver.terminal.SessionSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A run as those see it who watch: its facts, how it does now, its history. One thread, that of the
 * live view, gives it each second; all other methods are safe on any thread.
 */
public final class LiveRun {
  private static final double SECONDS_PER_MINUTE = 60;

  private final RunFacts facts;
  private final Sources sources;
  private final HistoryColumns columns;
  private final History history;
  private volatile LiveState state = LiveState.NONE;
  private volatile Optional<RunResult> result = Optional.empty();
  private volatile Optional<Path> report = Optional.empty();
  private volatile boolean written;

  // The rest belongs to the thread of the live view.
  private final ClientObserver client = ClientObserver.start();
  private final RateWindow typeRates;
  private final RateWindow shardRates;
  private final long[] errors;
  private final long[] retries;
  private final long[] shardTotals;
  private long waitedCount;
  private double waitedSeconds;

  /**
   * Where its figures come from.
   *
   * @param connections asked once a second on the thread of the live view
   * @param server who sees the server, asked on any thread
   * @param idle the sessions during the run, asked on any thread; empty if it has none
   */
  public record Sources(
      Collector collector,
      LiveTotals totals,
      ErrorLog errors,
      Supplier<SessionSource.Usage> connections,
      Supplier<ServerSide> server,
      Optional<Supplier<IdleSessions.Count>> idle) {}

  public LiveRun(RunFacts facts, Sources sources) {
    this.facts = facts;
    this.sources = sources;
    columns = HistoryColumns.of(facts);
    history = new History(columns.merges());
    int types = facts.types().size();
    typeRates = new RateWindow(types);
    shardRates = new RateWindow(facts.shards().size());
    errors = new long[types];
    retries = new long[types];
    shardTotals = new long[facts.shards().size()];
  }

  public RunFacts facts() {
    return facts;
  }

  /** The sessions during the run; empty if it has none. */
  Optional<IdleSessions.Count> idle() {
    return sources.idle().map(Supplier::get);
  }

  ServerSide server() {
    return sources.server().get();
  }

  LiveTotals totals() {
    return sources.totals();
  }

  ErrorLog errorLog() {
    return sources.errors();
  }

  HistoryColumns columns() {
    return columns;
  }

  History history() {
    return history;
  }

  /**
   * The last points of the history of a rate.
   *
   * @param rate its index in {@link RunFacts#rates}
   */
  public double[] lastOf(int rate, int count) {
    return history.last(rate, count);
  }

  /** Phase, time left, rates of the last seconds. */
  public LiveFigures now() {
    return sources.collector().live();
  }

  /** What the last second left. */
  public LiveState state() {
    return state;
  }

  Optional<RunResult> result() {
    return result;
  }

  /** Classes of errors, the most frequent first. */
  public List<ErrorState> errors() {
    return sources.errors().counts().stream().map(LiveRun::error).toList();
  }

  private static ErrorState error(ErrorResult error) {
    return new ErrorState(
        error.type(),
        error.disposition(),
        error.sqlState(),
        error.count(),
        error.retried(),
        error.outside(),
        error.examples().isEmpty() ? "" : error.examples().get(0).message());
  }

  /** It is over, and these are its figures. */
  public void finish(RunResult figures) {
    result = Optional.of(figures);
    client.close();
  }

  /**
   * All files are written.
   *
   * @param page the report; empty if there is none
   */
  public void written(Optional<Path> page) {
    report = page;
    written = true;
  }

  /** True if nothing more will be known of it. */
  boolean isWritten() {
    return written;
  }

  Optional<Path> report() {
    return report;
  }

  /** A second is over. Called on the thread of the live view. */
  public void second(LiveSecond second) {
    if (second.second() == 0) {
      Arrays.fill(errors, 0);
      Arrays.fill(retries, 0);
    }
    ClientState process = process(client.next());
    SessionSource.Usage pool = sources.connections().get();
    ConnectionState connections =
        new ConnectionState(pool.inUse(), pool.idle(), pool.waiting(), connectionWaitMillis());
    List<TypeState> types = types(second);
    List<Long> ofShards = ofShards();
    state = new LiveState(measured(second), types, shards(ofShards), connections, process);
    history.add(
        second.second(),
        columns.values(new HistoryColumns.Second(second.types(), ofShards, connections, process)));
  }

  private static ClientState process(ClientReading used) {
    return new ClientState(
        used.coresUsed(),
        Runtime.getRuntime().availableProcessors(),
        Math.min(1, (double) used.gcPauseNanos() / Math.max(1, used.wallNanos())),
        used.heapUsedBytes());
  }

  /** The mean of the successes since the last second; NaN without one. */
  private double connectionWaitMillis() {
    LatencyBuckets waits = sources.totals().connectionWait();
    long count = IntStream.rangeClosed(0, LatencyBuckets.BOUNDED).mapToLong(waits::count).sum();
    double seconds = waits.sumSeconds();
    double mean =
        count == waitedCount ? Double.NaN : (seconds - waitedSeconds) * 1e3 / (count - waitedCount);
    waitedCount = count;
    waitedSeconds = seconds;
    return mean;
  }

  private List<TypeState> types(LiveSecond second) {
    LiveTotals totals = sources.totals();
    typeRates.add(second.types().stream().map(SecondFigures::successes).toList());
    List<TypeState> types = new ArrayList<>();
    for (TransactionType type : facts.types()) {
      int index = type.index();
      SecondFigures figures = second.types().get(index);
      errors[index] += figures.errors();
      retries[index] += figures.retries();
      types.add(
          new TypeState(
              type.name(),
              second.measured().get(index).count(),
              typeRates.perSecond(index) * SECONDS_PER_MINUTE,
              errors[index],
              retries[index],
              (double) totals.distributed(index) / Math.max(1, totals.successes(index)),
              LiveState.Latencies.of(second.recent().get(index)),
              LiveState.Latencies.of(second.measured().get(index))));
    }
    return types;
  }

  /** Successes of each shard since the second before. */
  private List<Long> ofShards() {
    List<Long> added = new ArrayList<>();
    for (int shard = 0; shard < shardTotals.length; shard++) {
      long total = sources.totals().ofPartition(shard);
      added.add(total - shardTotals[shard]);
      shardTotals[shard] = total;
    }
    return added;
  }

  private List<ShardState> shards(List<Long> added) {
    shardRates.add(added);
    double all = Math.max(1, Arrays.stream(shardTotals).sum());
    List<ShardState> shards = new ArrayList<>();
    for (int shard = 0; shard < added.size(); shard++) {
      shards.add(
          new ShardState(
              facts.shards().get(shard),
              shardRates.perSecond(shard) * SECONDS_PER_MINUTE,
              shardTotals[shard] / all));
    }
    return shards;
  }

  private Measured measured(LiveSecond second) {
    List<Long> successes = second.measured().stream().map(Latency::count).toList();
    long counted =
        facts.types().stream()
            .filter(TransactionType::counted)
            .mapToLong(type -> successes.get(type.index()))
            .sum();
    long seconds =
        second.second() >= 0
            ? second.second() + 1
            : Math.max(1, second.second() + 1 + facts.rampUp().toSeconds());
    return new Measured(
        seconds,
        new SuccessCounts(successes, TimeUnit.SECONDS.toNanos(seconds)),
        counted,
        Arrays.stream(errors).sum(),
        Arrays.stream(retries).sum());
  }
}
