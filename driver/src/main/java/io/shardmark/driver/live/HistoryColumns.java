package io.shardmark.driver.live;

import static io.shardmark.driver.live.History.Merge.HIGHEST;
import static io.shardmark.driver.live.History.Merge.MEAN;

import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.live.History.Merge;
import io.shardmark.driver.live.LiveState.ClientState;
import io.shardmark.driver.live.LiveState.ConnectionState;
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
record HistoryColumns(List<Column> ofRun, List<List<Column>> ofTypes, List<List<Column>> ofShards) {
  private static final double SECONDS_PER_MINUTE = 60;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final long SECOND_NANOS = 1_000_000_000;

  record Second(
      List<SecondFigures> types,
      List<Long> shards,
      ConnectionState connections,
      ClientState client) {}

  record Column(String name, Merge merge, ToDoubleFunction<Second> source) {}

  static HistoryColumns of(RunFacts facts) {
    List<Column> run = new ArrayList<>();
    for (MetricRule rate : facts.rates()) {
      run.add(
          new Column(
              rate.name(),
              MEAN,
              second ->
                  new SuccessCounts(
                          second.types().stream().map(SecondFigures::successes).toList(),
                          SECOND_NANOS)
                      .rate(rate, facts.types())));
    }
    run.add(new Column("errorsPerSecond", MEAN, one -> sum(one.types(), SecondFigures::errors)));
    run.add(new Column("retriesPerSecond", MEAN, one -> sum(one.types(), SecondFigures::retries)));
    run.add(new Column("clientCores", MEAN, one -> one.client().cores()));
    run.add(new Column("clientGcShare", MEAN, one -> one.client().gcShare()));
    run.add(new Column("connectionsInUse", MEAN, one -> one.connections().inUse()));
    run.add(new Column("connectionsWaitedFor", MEAN, one -> one.connections().waitedFor()));
    run.add(new Column("connectionWaitMillis", MEAN, one -> one.connections().waitMillis()));
    return new HistoryColumns(
        run,
        facts.types().stream().map(type -> ofType(type.index())).toList(),
        IntStream.range(0, facts.shards().size()).mapToObj(HistoryColumns::ofShard).toList());
  }

  private static List<Column> ofType(int type) {
    return List.of(
        new Column(
            "perMinute", MEAN, second -> second.types().get(type).successes() * SECONDS_PER_MINUTE),
        latency("p50Millis", type, SecondFigures::p50Nanos),
        latency("p95Millis", type, SecondFigures::p95Nanos),
        latency("p99Millis", type, SecondFigures::p99Nanos));
  }

  /** Without a success there is none. */
  private static Column latency(String name, int type, ToLongFunction<SecondFigures> nanos) {
    return new Column(
        name,
        HIGHEST,
        second -> {
          SecondFigures figures = second.types().get(type);
          return figures.successes() == 0
              ? Double.NaN
              : nanos.applyAsLong(figures) / NANOS_PER_MILLI;
        });
  }

  private static List<Column> ofShard(int shard) {
    return List.of(
        new Column("perMinute", MEAN, second -> second.shards().get(shard) * SECONDS_PER_MINUTE));
  }

  private static <T> long sum(List<T> all, ToLongFunction<T> of) {
    return all.stream().mapToLong(of).sum();
  }

  private Stream<Column> all() {
    return Stream.of(Stream.of(ofRun), ofTypes.stream(), ofShards.stream())
        .flatMap(groups -> groups.flatMap(List::stream));
  }

  List<Merge> merges() {
    return all().map(Column::merge).toList();
  }

  double[] values(Second second) {
    return all().mapToDouble(column -> column.source().applyAsDouble(second)).toArray();
  }
}
