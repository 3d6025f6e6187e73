package io.shardmark.driver.dbstats;

import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.results.ServerWaits.Activity;
import io.shardmark.driver.results.ServerWaits.LockedTable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up samples of what sessions do. Each represents the time since the one before it, up to a
 * limit: where samples are missing nothing is known. Pure; one thread.
 */
final class WaitTally {
  private static final double NANOS = 1e9;

  private final long mostNanos;
  private final Map<What, Double> sessionNanos = new HashMap<>();
  private final Map<String, Double> lockNanos = new HashMap<>();
  private long samples;
  private long coveredNanos;
  private long tookNanos;
  private long lastNanos;

  record What(String type, String event) {}

  /**
   * What one look showed.
   *
   * @param sessions by what they did
   * @param locked how many waited for a lock, by table
   */
  record WaitSample(Map<What, Integer> sessions, Map<String, Integer> locked) {}

  /**
   * @param mostNanos how long a sample counts at most
   * @param startNanos when the interval begins
   */
  WaitTally(long mostNanos, long startNanos) {
    this.mostNanos = mostNanos;
    lastNanos = startNanos;
  }

  /**
   * @param nanos when it was taken
   * @param took how long that lasted
   */
  void add(long nanos, long took, WaitSample sample) {
    long covered = Math.min(mostNanos, nanos - lastNanos);
    lastNanos = nanos;
    samples++;
    coveredNanos += covered;
    tookNanos += took;
    sample
        .sessions()
        .forEach((what, n) -> sessionNanos.merge(what, 1.0 * n * covered, Double::sum));
    sample.locked().forEach((table, n) -> lockNanos.merge(table, 1.0 * n * covered, Double::sum));
  }

  ServerWaits waits() {
    double covered = Math.max(1, coveredNanos);
    List<Activity> activities =
        sessionNanos.entrySet().stream()
            .map(
                one ->
                    new Activity(
                        one.getKey().type(), one.getKey().event(), one.getValue() / covered))
            .sorted(
                Comparator.comparingDouble(Activity::sessions)
                    .reversed()
                    .thenComparing(Activity::type)
                    .thenComparing(Activity::event))
            .toList();
    List<LockedTable> tables =
        lockNanos.entrySet().stream()
            .map(one -> new LockedTable(one.getKey(), one.getValue() / covered))
            .sorted(
                Comparator.comparingDouble(LockedTable::sessions)
                    .reversed()
                    .thenComparing(LockedTable::table))
            .toList();
    return new ServerWaits(
        samples,
        coveredNanos / NANOS,
        samples == 0 ? 0 : tookNanos / 1e6 / samples,
        "",
        activities,
        tables);
  }
}
