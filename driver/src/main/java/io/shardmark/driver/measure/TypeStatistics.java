package io.shardmark.driver.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.Scope;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * What one type of transaction did in the measurement interval, or in a part of it. The collector
 * thread fills it; it is not changed once the collector has finished.
 */
public final class TypeStatistics {
  private final TransactionType type;
  private final Map<Disposition, AtomicLong> dispositions = new EnumMap<>(Disposition.class);
  private Retries retries = new Retries(0, 0);
  private long skipped;
  private final ScopedLatencies local;
  private final ScopedLatencies distributed;
  private final LatencyHistogram failed;

  /**
   * @param count how often a transaction was tried again
   * @param transactions how many transactions that was
   */
  public record Retries(long count, long transactions) {
    private Retries plus(Retries other) {
      return new Retries(count + other.count, transactions + other.transactions);
    }
  }

  TypeStatistics(TransactionType type) {
    this(type, Map.of(), new ScopedLatencies(), new ScopedLatencies(), new LatencyHistogram());
  }

  @JsonCreator
  private TypeStatistics(
      @JsonProperty(value = "type", required = true) TransactionType type,
      @JsonProperty(value = "dispositions", required = true) Map<Disposition, Long> dispositions,
      @JsonProperty(value = "local", required = true) ScopedLatencies local,
      @JsonProperty(value = "distributed", required = true) ScopedLatencies distributed,
      @JsonProperty(value = "failed", required = true) LatencyHistogram failed) {
    this.type = type;
    for (Disposition disposition : Disposition.values()) {
      this.dispositions.put(
          disposition, new AtomicLong(dispositions.getOrDefault(disposition, 0L)));
    }
    this.local = local;
    this.distributed = distributed;
    this.failed = failed;
  }

  /** A transaction that ended in the interval. */
  void add(Sample sample) {
    Disposition disposition = sample.disposition();
    counter(disposition).incrementAndGet();
    if (sample.retries() > 0) {
      retries = retries.plus(new Retries(sample.retries(), 1));
    }
    if (disposition.isError()) {
      // Apart from the successes: errors that fail at once would make the percentiles look better.
      failed.record(sample.dueLatencyNanos());
      return;
    }
    skipped += sample.skipped();
    ofScope(sample).record(sample);
  }

  private ScopedLatencies ofScope(Sample sample) {
    return sample.distributed() ? distributed : local;
  }

  /** So many that may have been due and not done when the interval ended. */
  void addUndone(Sample sample, long count, MeasurementInterval interval) {
    ofScope(sample).undone().add(sample, count, interval);
  }

  /**
   * What another driver did of the same type.
   *
   * @throws IllegalArgumentException if it is another type
   */
  void add(TypeStatistics other) {
    if (!other.type.name().equals(type.name())) {
      throw new IllegalArgumentException(
          "types %s and %s at one place".formatted(other.type.name(), type.name()));
    }
    other.dispositions.forEach((disposition, count) -> counter(disposition).addAndGet(count.get()));
    retries = retries.plus(other.retries);
    skipped += other.skipped;
    local.add(other.local);
    distributed.add(other.distributed);
    failed.add(other.failed);
  }

  /** Nothing of it was done. */
  void reset() {
    dispositions.values().forEach(count -> count.set(0));
    retries = new Retries(0, 0);
    skipped = 0;
    local.reset();
    distributed.reset();
    failed.reset();
  }

  /**
   * What another driver did in one second.
   *
   * @param second but for its percentiles; its errors are of no kind
   * @param due what these come from; those of some may be missing
   */
  public void add(SecondFigures second, Histogram due) {
    counter(Disposition.COMMITTED).addAndGet(second.committed());
    counter(Disposition.ROLLED_BACK).addAndGet(second.rolledBack());
    counter(Disposition.OTHER_ERROR).addAndGet(second.errors());
    retries = retries.plus(new Retries(second.retries(), 0));
    if (second.successes() > 0) {
      local.done(LatencyKind.DUE).add(due, second.sumNanos(), second.minNanos(), second.maxNanos());
    }
  }

  /** What it did in the time that this is of, if that is a second. */
  public SecondFigures second() {
    LatencyHistogram due = latencies(LatencyKind.DUE);
    return new SecondFigures(
        count(),
        count(Disposition.COMMITTED),
        count(Disposition.ROLLED_BACK),
        errors(),
        retries.count(),
        due.sumNanos(),
        due.minNanos(),
        due.maxNanos(),
        due.percentileNanos(50),
        due.percentileNanos(95),
        due.percentileNanos(99));
  }

  private AtomicLong counter(Disposition disposition) {
    return Objects.requireNonNull(dispositions.get(disposition));
  }

  public TransactionType type() {
    return type;
  }

  public Retries retries() {
    return retries;
  }

  /** Units of work of successes that found nothing to do (TPC-C 2.7.4.2). */
  public long skipped() {
    return skipped;
  }

  /** Transactions that ended so. */
  public long count(Disposition disposition) {
    return counter(disposition).get();
  }

  /** All transactions that ended in the interval, however they ended. */
  public long count() {
    return dispositions.values().stream().mapToLong(AtomicLong::get).sum();
  }

  /** Committed, or rolled back on purpose (TPC-C 2.4.1.4). */
  public long successes() {
    return count(Disposition.COMMITTED) + count(Disposition.ROLLED_BACK);
  }

  public long errors() {
    return count() - successes();
  }

  /**
   * Latencies of the successes. Those from due on are raised by transactions that were not done
   * when the interval ended, where these were older already; such figures are marked as lower
   * bounds.
   */
  public Latency latency(LatencyKind kind, Scope scope) {
    return latency(List.of(this), kind, scope);
  }

  /** The same of several types together. */
  static Latency latency(List<TypeStatistics> types, LatencyKind kind, Scope scope) {
    return sum(types, scope).figures(kind);
  }

  /** How long successes of several types were at the database. */
  static LatencyHistogram services(List<TypeStatistics> types) {
    return sum(types, Scope.ALL).done(LatencyKind.SERVICE);
  }

  private static ScopedLatencies sum(List<TypeStatistics> types, Scope scope) {
    ScopedLatencies sum = new ScopedLatencies();
    for (TypeStatistics type : types) {
      if (scope != Scope.DISTRIBUTED) {
        sum.add(type.local);
      }
      if (scope != Scope.LOCAL) {
        sum.add(type.distributed);
      }
    }
    return sum;
  }

  /** Latencies of the successes, for reading. */
  public LatencyHistogram latencies(LatencyKind kind) {
    if (distributed.done(kind).count() == 0) {
      return local.done(kind);
    }
    LatencyHistogram all = local.done(kind).copy();
    all.add(distributed.done(kind));
    return all;
  }

  /** Adds the due-time latencies of the successes to others. */
  void addDueTo(LatencyHistogram sum) {
    sum.add(local.done(LatencyKind.DUE));
    sum.add(distributed.done(LatencyKind.DUE));
  }

  /** Successes that touched more than one partition. */
  public long distributed() {
    return distributed.done(LatencyKind.DUE).count();
  }

  /** How many were due and not done when the interval ended; they are in no count. */
  public long undone() {
    return local.undone().count() + distributed.undone().count();
  }

  /** Due-time latencies of those that ended in an error; no other figure contains them. */
  public Latency errorLatency() {
    return failed.figures();
  }

  /**
   * A quantile of the due-time latencies as R's {@code quantile} computes it by default.
   *
   * @param share 0 .. 1
   */
  public double dueQuantileType7Nanos(double share) {
    return latencies(LatencyKind.DUE).quantileType7Nanos(share);
  }
}
