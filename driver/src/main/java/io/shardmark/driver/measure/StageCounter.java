package io.shardmark.driver.measure;

import io.shardmark.config.Stage;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.StageResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Sums up the counted transactions of one stage: the seconds in it, and what was due and not done
 * at its end. Used by one thread at a time.
 */
final class StageCounter {
  private final Stage stage;
  private final long fromNanos;
  private final LoadCounter load = new LoadCounter();
  private final LatencyHistogram latency = new LatencyHistogram();
  private final Undone undone = new Undone();
  private MeasurementInterval whole = new MeasurementInterval(0, 0);
  private MeasurementInterval own = whole;
  private final List<TransactionType> types;
  private final long[] successes;
  private long errors;

  private StageCounter(Stage stage, long fromNanos, List<TransactionType> types) {
    this.types = types;
    successes = new long[types.size()];
    this.stage = stage;
    this.fromNanos = fromNanos;
  }

  /** One for each stage, in their order. */
  static List<StageCounter> of(List<Stage> stages, List<TransactionType> types) {
    List<StageCounter> counters = new ArrayList<>();
    long from = 0;
    for (Stage stage : stages) {
      counters.add(new StageCounter(stage, from, types));
      from += stage.length().toNanos();
    }
    return List.copyOf(counters);
  }

  /** True if nothing is due in this second of the interval, because nothing is asked for. */
  boolean pausesIn(long second) {
    return stage.txnsPerMin() == 0 && has(second);
  }

  /** A stage has whole seconds. */
  private boolean has(long second) {
    long at = TimeUnit.SECONDS.toNanos(second);
    return at >= fromNanos && at < fromNanos + stage.length().toNanos();
  }

  /** What was done in a second of the interval. */
  void add(long second, Snapshot done) {
    if (has(second)) {
      for (TransactionType type : types) {
        TypeStatistics figures = done.types().get(type.index());
        if (type.counted()) {
          successes[type.index()] += figures.successes();
          errors += figures.errors();
          figures.addDueTo(latency);
        }
      }
    }
  }

  /** Its part of the interval, which may have been cut short since it was asked for last. */
  private MeasurementInterval in(MeasurementInterval interval) {
    if (!interval.equals(whole)) {
      whole = interval;
      long start = interval.startNanos() + fromNanos;
      own =
          start - interval.endNanos() >= 0
              ? new MeasurementInterval(interval.endNanos(), interval.endNanos())
              : new MeasurementInterval(start, start + stage.length().toNanos())
                  .endingNoLaterThan(interval.endNanos());
    }
    return own;
  }

  /** So many transactions that ended, whenever that was. */
  void ended(Sample sample, long count, MeasurementInterval interval) {
    MeasurementInterval part = in(interval);
    load.ended(sample, count, part);
    if (part.lengthNanos() > 0) { // else the run was over before
      undone.add(sample, count, part);
    }
  }

  /**
   * @param metrics those that are rates are in the result
   */
  StageResult figures(MeasurementInterval interval, List<MetricRule> metrics) {
    long lengthNanos = in(interval).lengthNanos();
    SuccessCounts counts = SuccessCounts.of(successes, lengthNanos);
    Map<String, Double> rates = new LinkedHashMap<>();
    metrics.stream()
        .filter(MetricRule::isRate)
        .forEach(metric -> rates.put(metric.name(), counts.rate(metric, types)));
    return new StageResult(
        stage.toString(),
        fromNanos / 1e9,
        lengthNanos / 1e9,
        rates,
        LongStream.of(successes).sum(),
        errors,
        load.figures(stage.txnsPerMin(), 0),
        Latency.known(undone.raise(latency)));
  }
}
