package io.shardmark.driver.live;

import static io.shardmark.driver.live.RunHistory.Merge.HIGHEST;
import static io.shardmark.driver.live.RunHistory.Merge.MEAN;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.live.LiveState.ClientState;
import io.shardmark.driver.live.LiveState.ConnectionState;
import io.shardmark.driver.live.RunHistory.Merge;
import io.shardmark.driver.measure.SecondFigures;
import io.shardmark.driver.measure.SuccessCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The columns of the history: those of the whole run, then those of each type, then those of each
 * shard. Immutable.
 */
record HistoryColumns(
    List<HistoryColumn> ofRun,
    List<List<HistoryColumn>> ofTypes,
    List<List<HistoryColumn>> ofShards) {
  private static final double SECONDS_PER_MINUTE = 60;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long SECOND_NANOS = 1_000_000_000;

  record Second(
      List<SecondFigures> types,
      List<Long> shards,
      ConnectionState connections,
      ClientState client) {}

  record HistoryColumn(String name, Merge merge, ToDoubleFunction<Second> source) {}

  static HistoryColumns of(RunFacts facts) {
    List<HistoryColumn> run = new ArrayList<>();
    for (MetricRule rate : facts.rates()) {
      run.add(
          new HistoryColumn(
              rate.name(),
              MEAN,
              second ->
                  new SuccessCounts(
                          second.types().stream().map(SecondFigures::successes).toList(),
                          SECOND_NANOS)
                      .rate(rate, facts.types())));
    }
    run.add(
        new HistoryColumn("errorsPerSecond", MEAN, one -> sum(one.types(), SecondFigures::errors)));
    run.add(
        new HistoryColumn(
            "retriesPerSecond", MEAN, one -> sum(one.types(), SecondFigures::retries)));
    run.add(new HistoryColumn("clientCores", MEAN, one -> one.client().cores()));
    run.add(new HistoryColumn("clientGcShare", MEAN, one -> one.client().gcShare()));
    run.add(new HistoryColumn("connectionsInUse", MEAN, one -> one.connections().inUse()));
    run.add(new HistoryColumn("connectionsWaitedFor", MEAN, one -> one.connections().waitedFor()));
    run.add(new HistoryColumn("connectionWaitMillis", MEAN, one -> one.connections().waitMillis()));
    return new HistoryColumns(
        run,
        facts.types().stream().map(type -> ofType(type.index())).toList(),
        IntStream.range(0, facts.shards().size()).mapToObj(HistoryColumns::ofShard).toList());
  }

  private static List<HistoryColumn> ofType(int type) {
    return List.of(
        new HistoryColumn(
            "perMinute", MEAN, second -> second.types().get(type).successes() * SECONDS_PER_MINUTE),
        latency("p50Millis", type, SecondFigures::p50Nanos),
        latency("p95Millis", type, SecondFigures::p95Nanos),
        latency("p99Millis", type, SecondFigures::p99Nanos));
  }

  /** Without a success there is none. */
  private static HistoryColumn latency(String name, int type, ToLongFunction<SecondFigures> nanos) {
    return new HistoryColumn(
        name,
        HIGHEST,
        second -> {
          SecondFigures figures = second.types().get(type);
          return figures.successes() == 0
              ? Double.NaN
              : nanos.applyAsLong(figures) / NANOS_PER_MILLI;
        });
  }

  private static List<HistoryColumn> ofShard(int shard) {
    return List.of(
        new HistoryColumn(
            "perMinute", MEAN, second -> second.shards().get(shard) * SECONDS_PER_MINUTE));
  }

  private static <T> long sum(List<T> all, ToLongFunction<T> of) {
    return all.stream().mapToLong(of).sum();
  }

  private Stream<HistoryColumn> all() {
    return Stream.of(Stream.of(ofRun), ofTypes.stream(), ofShards.stream())
        .flatMap(groups -> groups.flatMap(List::stream));
  }

  List<Merge> merges() {
    return all().map(HistoryColumn::merge).toList();
  }

  double[] values(Second second) {
    return all().mapToDouble(column -> column.source().applyAsDouble(second)).toArray();
  }
}
