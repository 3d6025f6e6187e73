package io.shardmark.driver.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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

  /** By type, in each the statements that took the most time in all first. */
  public List<StatementFigures> figures() {
    return timers.entrySet().stream()
        .map(
            entry ->
                entry.getValue().figures(entry.getKey().typeIndex(), entry.getKey().statement()))
        .filter(figures -> figures.latency().count() > 0)
        .sorted(
            Comparator.comparingInt(StatementFigures::typeIndex)
                .thenComparing(Comparator.comparingLong(StatementFigures::totalNanos).reversed())
                .thenComparing(StatementFigures::statement))
        .toList();
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

    private StatementFigures figures(int typeIndex, String statement) {
      synchronized (latency) {
        return new StatementFigures(typeIndex, statement, latency.sumNanos(), latency.figures());
      }
    }
  }
}
