package io.shardmark.driver.live;

import io.shardmark.driver.live.LiveState.ClientState;
import io.shardmark.driver.live.LiveState.ConnectionState;
import io.shardmark.driver.live.LiveState.ErrorState;
import io.shardmark.driver.live.LiveState.ShardState;
import io.shardmark.driver.live.LiveState.TypeState;
import io.shardmark.driver.measure.Collector;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.measure.LatencyHistogram;
import io.shardmark.driver.measure.LiveFigures;
import io.shardmark.driver.measure.LiveSecond;
import io.shardmark.driver.measure.RecentSeconds;
import io.shardmark.driver.measure.Snapshot;
import io.shardmark.driver.measure.SuccessCounts;
import io.shardmark.driver.measure.TypeStatistics;
import io.shardmark.driver.recorder.ServerSide;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.selfcheck.ClientObserver;
import io.shardmark.driver.selfcheck.ClientReading;
import io.shardmark.driver.terminal.SessionSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A run as those see it who watch: its facts, how it does now, its history. One thread, that of the
 * live view, gives it each second; all other methods are safe on any thread.
 */
public final class LiveRun {
  private static final double SECONDS_PER_MINUTE = 60;

  private final RunFacts facts;
  private final Sources sources;
  private final HistoryColumns columns;
  private final RunHistory history;

  /** All since the terminals started. A reader holds its lock. */
  private final Snapshot all;

  private volatile LiveState state = LiveState.NONE;
  private volatile Optional<RunResult> result = Optional.empty();
  private volatile Optional<Path> report = Optional.empty();
  private volatile boolean written;

  // The rest belongs to the thread of the live view.
  private final ClientObserver client = ClientObserver.start();
  private final Snapshot measured;
  private final RecentSeconds recent;
  private boolean measuring;
  private long measuredSeconds;

  /**
   * Where its figures come from.
   *
   * @param connections asked once a second on the thread of the live view
   * @param server who sees the server, asked on any thread
   * @param idle the sessions during the run, asked on any thread; empty if it has none
   */
  public record Sources(
      Collector collector,
      ErrorLog errors,
      Supplier<SessionSource.Usage> connections,
      Supplier<ServerSide> server,
      Optional<Supplier<IdleSessions.SessionCount>> idle) {}

  public LiveRun(RunFacts facts, Sources sources) {
    this.facts = facts;
    this.sources = sources;
    columns = HistoryColumns.of(facts);
    history = new RunHistory(columns.merges());
    all = new Snapshot(facts.types(), facts.shards().size());
    measured = new Snapshot(facts.types(), facts.shards().size());
    recent = new RecentSeconds(facts.types());
  }

  RunFacts facts() {
    return facts;
  }

  /** The sessions during the run; empty if it has none. */
  Optional<IdleSessions.SessionCount> idle() {
    return sources.idle().map(Supplier::get);
  }

  ServerSide server() {
    return sources.server().get();
  }

  /** Hands on what was done since the terminals started, ramp-up included. */
  <T> T ofAll(Function<Snapshot, T> reader) {
    synchronized (all) {
      return reader.apply(all);
    }
  }

  ErrorLog errorLog() {
    return sources.errors();
  }

  HistoryColumns columns() {
    return columns;
  }

  RunHistory history() {
    return history;
  }

  /** Phase, time left, rates of the last seconds. */
  LiveFigures now() {
    return sources.collector().live();
  }

  /** What the last second left. */
  LiveState state() {
    return state;
  }

  Optional<RunResult> result() {
    return result;
  }

  /** Classes of errors, the most frequent first. */
  List<ErrorState> errors() {
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

  /**
   * A second is over. Several that come as one count in the sums; of no single second anything is
   * known then. Called on the thread of the live view.
   */
  public void second(LiveSecond second) {
    Snapshot done = second.done();
    synchronized (all) {
      all.add(done);
    }
    if (second.phase() == LiveFigures.LivePhase.ENDING) {
      return;
    }
    if (second.phase() == LiveFigures.LivePhase.MEASURING && !measuring) {
      measuring = true;
      measured.reset();
      measuredSeconds = 0;
    }
    measured.add(done);
    measuredSeconds += second.seconds();
    if (second.seconds() > 1) {
      history.skip(second.second(), second.seconds());
      return;
    }
    recent.add(done);
    ClientState process = process(client.next());
    SessionSource.Usage pool = sources.connections().get();
    ConnectionState connections =
        new ConnectionState(pool.inUse(), pool.idle(), pool.waiting(), connectionWaitMillis(done));
    state = new LiveState(measured(), types(), shards(), connections, process);
    history.add(
        second.second(),
        columns.values(
            new HistoryColumns.Second(
                done.types().stream().map(TypeStatistics::second).toList(),
                done.ofPartitions(),
                connections,
                process)));
  }

  private static ClientState process(ClientReading used) {
    return new ClientState(
        used.coresUsed(),
        Runtime.getRuntime().availableProcessors(),
        Math.min(1, (double) used.gcPauseNanos() / Math.max(1, used.wallNanos())),
        used.heapUsedBytes());
  }

  /** The mean of the successes of a second; NaN without one. */
  private static double connectionWaitMillis(Snapshot done) {
    long count = 0;
    double nanos = 0;
    for (TypeStatistics type : done.types()) {
      LatencyHistogram waits = type.latencies(LatencyKind.CONNECTION_WAIT);
      count += waits.count();
      nanos += waits.sumNanos();
    }
    return count == 0 ? Double.NaN : nanos / 1e6 / count;
  }

  private List<TypeState> types() {
    List<TypeState> types = new ArrayList<>();
    SuccessCounts last = recent.successes();
    double seconds = last.nanos() / 1e9;
    for (TypeStatistics type : measured.types()) {
      int index = type.type().index();
      TypeStatistics sinceStart = all.types().get(index);
      Latency total = type.latencies(LatencyKind.DUE).figures();
      types.add(
          new TypeState(
              type.type().name(),
              total.count(),
              last.successes().get(index) / seconds * SECONDS_PER_MINUTE,
              type.errors(),
              type.retries().count(),
              (double) sinceStart.distributed() / Math.max(1, sinceStart.successes()),
              LiveState.LiveLatencies.of(recent.due(index).figures()),
              LiveState.LiveLatencies.of(total)));
    }
    return types;
  }

  private List<ShardState> shards() {
    List<Long> totals = all.ofPartitions();
    double sum = Math.max(1, totals.stream().mapToLong(Long::longValue).sum());
    List<ShardState> shards = new ArrayList<>();
    for (int shard = 0; shard < totals.size(); shard++) {
      shards.add(
          new ShardState(
              facts.shards().get(shard),
              recent.ofPartitionPerSecond(shard) * SECONDS_PER_MINUTE,
              totals.get(shard) / sum));
    }
    return shards;
  }

  private LiveState.MeasuredSecond measured() {
    return new LiveState.MeasuredSecond(
        measuredSeconds,
        new SuccessCounts(measured.successes(), TimeUnit.SECONDS.toNanos(measuredSeconds)),
        measured.transactions(),
        measured.errors(),
        measured.retries());
  }
}
