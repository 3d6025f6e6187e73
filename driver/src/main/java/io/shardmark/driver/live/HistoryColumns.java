package io.shardmark.driver.live;

import io.shardmark.driver.benchmark.Metric;
import io.shardmark.driver.live.History.Merge;
import io.shardmark.driver.live.LiveState.ClientState;
import io.shardmark.driver.live.LiveState.ConnectionState;
import io.shardmark.driver.measure.SecondFigures;
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

  record Second(
      List<SecondFigures> types,
      List<Long> shards,
      ConnectionState connections,
      ClientState client) {}

  record Column(String name, Merge merge, ToDoubleFunction<Second> source) {
    static Column mean(String name, ToDoubleFunction<Second> source) {
      return new Column(name, Merge.MEAN, source);
    }

    /** Percentiles cannot be averaged. */
    static Column percentile(String name, int type, ToLongFunction<SecondFigures> nanos) {
      return new Column(
          name,
          Merge.HIGHEST,
          second -> nanos.applyAsLong(second.types().get(type)) / NANOS_PER_MILLI);
    }
  }

  static HistoryColumns of(RunFacts facts) {
    List<Column> run = new ArrayList<>();
    for (Metric rate : facts.rates()) {
      run.add(
          Column.mean(
              rate.name(),
              second ->
                  rate.periodSeconds()
                      * sum(
                          facts.types(),
                          type -> rate.weight(type) * successes(second, type.index()))));
    }
    run.add(Column.mean("errorsPerSecond", one -> sum(one.types(), SecondFigures::errors)));
    run.add(Column.mean("retriesPerSecond", one -> sum(one.types(), SecondFigures::retries)));
    run.add(Column.mean("clientCores", one -> one.client().cores()));
    run.add(Column.mean("clientGcShare", one -> one.client().gcShare()));
    run.add(Column.mean("connectionsInUse", one -> one.connections().inUse()));
    run.add(Column.mean("connectionsWaitedFor", one -> one.connections().waitedFor()));
    run.add(Column.mean("connectionWaitMillis", one -> one.connections().waitMillis()));
    return new HistoryColumns(
        run,
        facts.types().stream().map(type -> ofType(type.index())).toList(),
        IntStream.range(0, facts.shards().size()).mapToObj(HistoryColumns::ofShard).toList());
  }

  private static List<Column> ofType(int type) {
    return List.of(
        Column.mean("perMinute", second -> successes(second, type) * SECONDS_PER_MINUTE),
        Column.percentile("p50Millis", type, SecondFigures::p50Nanos),
        Column.percentile("p95Millis", type, SecondFigures::p95Nanos),
        Column.percentile("p99Millis", type, SecondFigures::p99Nanos));
  }

  private static List<Column> ofShard(int shard) {
    return List.of(
        Column.mean("perMinute", second -> second.shards().get(shard) * SECONDS_PER_MINUTE));
  }

  private static long successes(Second second, int type) {
    return LiveRun.successes(second.types().get(type));
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
