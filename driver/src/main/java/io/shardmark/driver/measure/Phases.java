package io.shardmark.driver.measure;

import io.shardmark.driver.results.IdleSessions;
import io.shardmark.driver.results.Latency;
import java.util.ArrayList;
import java.util.List;

/**
 * Parts of a run whose beginnings become known while it goes on. The first begins with the
 * measurement interval; a transaction belongs to the phase in which it ended.
 *
 * <p>One thread begins phases, the collector counts; {@link #figures} only after that has finished.
 */
public final class Phases {
  private final List<Counter> counters = new ArrayList<>();

  /** When each phase but the first began, in their order; replaced as a whole. */
  private volatile List<Long> begins = List.of();

  private static final class Counter {
    private final LatencyHistogram latency = new LatencyHistogram();
    private final String name;
    private long errors;

    Counter(String name) {
      this.name = name;
    }
  }

  /**
   * @param names of all that there can be, in their order
   */
  public Phases(List<String> names) {
    names.forEach(name -> counters.add(new Counter(name)));
  }

  /** The next phase begins at this instant of {@link System#nanoTime()}. */
  public void next(long nanos) {
    List<Long> more = new ArrayList<>(begins);
    more.add(nanos);
    if (more.size() >= counters.size()) {
      throw new IllegalStateException("there are no more than %d phases".formatted(more.size()));
    }
    begins = List.copyOf(more);
  }

  /** A counted transaction that ended in the measurement interval. */
  void ended(Sample sample) {
    List<Long> known = begins;
    int index = 0;
    while (index < known.size() && sample.endNanos() - known.get(index) >= 0) {
      index++;
    }
    Counter counter = counters.get(index);
    if (sample.disposition().isError()) {
      counter.errors++;
    } else {
      counter.latency.record(sample.dueLatencyNanos());
    }
  }

  /** Those that have begun, by the interval as it was in the end. */
  public List<IdleSessions.IdlePhase> figures(MeasurementInterval interval) {
    List<IdleSessions.IdlePhase> figures = new ArrayList<>();
    List<Long> known = begins;
    for (int i = 0; i <= known.size(); i++) {
      long from = i == 0 ? 0 : Math.max(0, known.get(i - 1) - interval.startNanos());
      long until =
          i == known.size() ? interval.lengthNanos() : known.get(i) - interval.startNanos();
      long end = Math.min(Math.max(0, until), interval.lengthNanos());
      Counter counter = counters.get(i);
      figures.add(
          new IdleSessions.IdlePhase(
              counter.name,
              from / 1e9,
              Math.max(0, end - from) / 1e9,
              counter.latency.count(),
              counter.errors,
              Latency.known(counter.latency.figures())));
    }
    return List.copyOf(figures);
  }
}
