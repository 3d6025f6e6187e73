package io.shardmark.driver.measure;

import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.results.StatementResult;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What each statement of each type took in the measurement interval. Safe on any thread. */
public final class StatementTimes {
  private final IntervalInForce interval;
  private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

  private record Key(int typeIndex, String statement) {}

  public StatementTimes(IntervalInForce interval) {
    this.interval = interval;
  }

  /** The one for a statement of a type, to be kept by who executes it. */
  public Timer timer(int typeIndex, String statement) {
    return timers.computeIfAbsent(new Key(typeIndex, statement), key -> new Timer());
  }

  /**
   * By type, in each the statements that took the most time in all first; none that did not end in
   * the interval.
   */
  public List<StatementResult> figures(List<TransactionType> types) {
    return types.stream().flatMap(this::ofType).toList();
  }

  private Stream<StatementResult> ofType(TransactionType type) {
    return timers.entrySet().stream()
        .filter(entry -> entry.getKey().typeIndex() == type.index())
        .map(entry -> entry.getValue().figures(type.name(), entry.getKey().statement()))
        .filter(figures -> figures.latencyMillis().count() > 0)
        .sorted(
            Comparator.comparingDouble(StatementResult::totalSeconds)
                .reversed()
                .thenComparing(StatementResult::statement));
  }

  /** Shared by all connections: a short lock for each execution, which a network hides. */
  public final class Timer {
    private final LatencyHistogram latency = new LatencyHistogram();

    private Timer() {}

    /** One execution; counts if it ended in the interval. */
    public void record(long startNanos, long endNanos) {
      if (interval.contains(endNanos)) {
        synchronized (latency) {
          latency.record(endNanos - startNanos);
        }
      }
    }

    private StatementResult figures(String type, String statement) {
      synchronized (latency) {
        return new StatementResult(type, statement, latency.sumNanos() / 1e9, latency.figures());
      }
    }
  }
}
