package io.shardmark.driver.live;

import io.shardmark.driver.benchmark.Metric;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.live.History.Merge;
import io.shardmark.driver.measure.SecondFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;

/** Which figure stands in which column of the history. Immutable. */
final class HistoryColumns {
  // Behind the rates of the benchmark.
  private static final int ERRORS = 0;
  private static final int RETRIES = 1;
  private static final int CORES = 2;
  private static final int GC = 3;
  private static final int IN_USE = 4;
  private static final int WAITING = 5;
  private static final int CONNECTION_WAIT = 6;

  private static final List<String> OTHER_NAMES =
      List.of(
          "errorsPerSecond",
          "retriesPerSecond",
          "clientCores",
          "clientGcShare",
          "connectionsInUse",
          "connectionsWaitedFor",
          "connectionWaitMillis");

  private static final List<String> TYPE_NAMES =
      List.of("perMinute", "p50Millis", "p95Millis", "p99Millis");

  private static final double SECONDS_PER_MINUTE = 60;
  private static final double NANOS_PER_MILLI = 1e6;

  private final List<TransactionType> types;
  private final List<Metric> rates;
  private final List<String> runNames;
  private final int shards;

  HistoryColumns(RunFacts facts) {
    types = facts.types();
    rates = facts.rates();
    runNames = Stream.concat(rates.stream().map(Metric::name), OTHER_NAMES.stream()).toList();
    shards = facts.shards().size();
  }

  List<Merge> merges() {
    List<Merge> merges = new ArrayList<>();
    rates.forEach(rate -> merges.add(Merge.MEAN));
    OTHER_NAMES.forEach(name -> merges.add(mergeOf(name)));
    types.forEach(type -> TYPE_NAMES.forEach(name -> merges.add(mergeOf(name))));
    for (int shard = 0; shard < shards; shard++) {
      merges.add(Merge.MEAN);
    }
    return merges;
  }

  /** Percentiles cannot be averaged; a mean of waits can. */
  private static Merge mergeOf(String name) {
    return name.startsWith("p") && name.endsWith("Millis") ? Merge.HIGHEST : Merge.MEAN;
  }

  private int typeColumn(int type) {
    return runNames.size() + type * TYPE_NAMES.size();
  }

  private int shardColumn(int shard) {
    return typeColumn(types.size()) + shard;
  }

  /** Each figure of the whole run with its column. */
  void ofRun(ObjIntConsumer<String> column) {
    for (int i = 0; i < runNames.size(); i++) {
      column.accept(runNames.get(i), i);
    }
  }

  /** Each figure of a type with its column. */
  void ofType(int type, ObjIntConsumer<String> column) {
    for (int i = 0; i < TYPE_NAMES.size(); i++) {
      column.accept(TYPE_NAMES.get(i), typeColumn(type) + i);
    }
  }

  /** The column of a shard's transactions per minute. */
  int ofShard(int shard) {
    return shardColumn(shard);
  }

  Row newRow() {
    return new Row();
  }

  /** The values of one second. */
  final class Row {
    private final double[] values = new double[shardColumn(shards)];

    void types(List<SecondFigures> figures) {
      for (TransactionType type : types) {
        SecondFigures second = figures.get(type.index());
        double perMinute = LiveRun.successes(second) * SECONDS_PER_MINUTE;
        for (int rate = 0; rate < rates.size(); rate++) {
          Metric metric = rates.get(rate);
          values[rate] +=
              (double) LiveRun.successes(second) * metric.weight(type) * metric.periodSeconds();
        }
        values[rates.size() + ERRORS] += second.errors();
        values[rates.size() + RETRIES] += second.retries();
        int column = typeColumn(type.index());
        values[column] = perMinute;
        values[column + 1] = second.p50Nanos() / NANOS_PER_MILLI;
        values[column + 2] = second.p95Nanos() / NANOS_PER_MILLI;
        values[column + 3] = second.p99Nanos() / NANOS_PER_MILLI;
      }
    }

    void shards(long[] successes) {
      for (int shard = 0; shard < shards; shard++) {
        values[shardColumn(shard)] = successes[shard] * SECONDS_PER_MINUTE;
      }
    }

    void client(double cores, double gcShare) {
      values[rates.size() + CORES] = cores;
      values[rates.size() + GC] = gcShare;
    }

    void connections(int inUse, int waiting, double waitMillis) {
      values[rates.size() + IN_USE] = inUse;
      values[rates.size() + WAITING] = waiting;
      values[rates.size() + CONNECTION_WAIT] = waitMillis;
    }

    double[] values() {
      return values;
    }
  }
}
