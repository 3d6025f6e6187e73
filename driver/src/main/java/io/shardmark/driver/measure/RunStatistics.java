package io.shardmark.driver.measure;

import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.HoldUps;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LatencyKind;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.MeasuredInterval;
import io.shardmark.driver.results.QuietTime;
import io.shardmark.driver.results.Scope;
import io.shardmark.driver.results.StageResult;
import io.shardmark.driver.results.StatementResult;
import io.shardmark.driver.results.SteadyRampUp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What happened in the measurement interval. Immutable.
 *
 * @param sessionStartNanos when the terminals started, on the clock of {@link System#nanoTime()}
 * @param interval the window that counted, as it was in the end
 * @param types one for each type, at its index
 * @param errors errors by class
 * @param rings how the way from workers to collector held up
 * @param quiet the longest time without a success
 * @param successesBySecond of counted types, in each whole second of the interval
 * @param outside transactions that ended in the ramp-up or after the interval; they are in no other
 *     figure
 * @param load what was due, begun and done
 * @param stages parts of the interval with their own rates; empty if there are none
 * @param statements each statement by type; empty if they were not timed
 * @param steady null if the ramp-up had a fixed length
 */
public record RunStatistics(
    long sessionStartNanos,
    MeasurementInterval interval,
    List<TypeStatistics> types,
    List<ErrorResult> errors,
    RingFigures rings,
    QuietTime quiet,
    List<Long> successesBySecond,
    long outside,
    LoadFigures load,
    List<StageResult> stages,
    List<StatementResult> statements,
    @Nullable SteadyRampUp steady) {

  /**
   * @param stalls how often a worker had to wait for the collector
   * @param stalledNanos how long the workers waited in all
   */
  public record RingFigures(long stalls, long stalledNanos) {}

  public RunStatistics {
    types = List.copyOf(types);
    errors = List.copyOf(errors);
    successesBySecond = List.copyOf(successesBySecond);
    stages = List.copyOf(stages);
    statements = List.copyOf(statements);
  }

  /**
   * What several drivers did together. Start and interval are those of the first.
   *
   * @param parts of one and the same interval and workload, each on its own clock; at least one
   * @throws IllegalArgumentException if their types are not the same
   */
  public static RunStatistics sum(List<RunStatistics> parts) {
    RunStatistics first = parts.get(0);
    List<TypeStatistics> types = new ArrayList<>();
    for (int index = 0; index < first.types().size(); index++) {
      TypeStatistics sum = new TypeStatistics(first.types().get(index).type());
      for (RunStatistics part : parts) {
        sum.add(part.types().get(index));
      }
      types.add(sum);
    }
    return new RunStatistics(
        first.sessionStartNanos(),
        first.interval(),
        types,
        ErrorLog.mostFrequentFirst(
            ErrorLog.sum(parts.stream().flatMap(part -> part.errors().stream()).toList())),
        new RingFigures(
            parts.stream().mapToLong(part -> part.rings().stalls()).sum(),
            parts.stream().mapToLong(part -> part.rings().stalledNanos()).sum()),
        quiet(parts),
        seconds(parts),
        parts.stream().mapToLong(RunStatistics::outside).sum(),
        parts.stream().map(RunStatistics::load).reduce(LoadFigures::plus).orElseThrow(),
        List.of(), // stages and times of statements are of one driver
        List.of(),
        null);
  }

  /** All were quiet together for no longer than the one whose quiet time is the shortest. */
  private static QuietTime quiet(List<RunStatistics> parts) {
    return parts.stream()
        .map(RunStatistics::quiet)
        .min(Comparator.comparingLong(QuietTime::seconds))
        .orElse(QuietTime.NONE);
  }

  private static List<Long> seconds(List<RunStatistics> parts) {
    List<Long> sums = new ArrayList<>();
    for (RunStatistics part : parts) {
      for (int second = 0; second < part.successesBySecond().size(); second++) {
        if (second == sums.size()) {
          sums.add(0L);
        }
        sums.set(second, sums.get(second) + part.successesBySecond().get(second));
      }
    }
    return sums;
  }

  /** {@link MeasuredInterval#perMinute} over the length of the interval. */
  public double perMinute(long count) {
    return MeasuredInterval.perMinute(count, interval.lengthNanos() / 1e9);
  }

  /** Latencies of the successes of all counted types together. */
  public Latency overall(LatencyKind kind, Scope scope) {
    return TypeStatistics.latency(counted(), kind, scope);
  }

  private List<TypeStatistics> counted() {
    return types.stream().filter(type -> type.type().counted()).toList();
  }

  /**
   * The quiet time, with the transactions that stood still while others went on.
   *
   * @param heldUp when the driver could do nothing: any transaction may have waited for that
   */
  public QuietTime quietAndStuck(HoldUps heldUp) {
    LatencyHistogram service = TypeStatistics.services(counted());
    long from =
        Math.max(
                TimeUnit.MILLISECONDS.toNanos(Limits.STUCK_MILLIS),
                Limits.STUCK_TIMES * service.percentileNanos(50))
            + (long) (heldUp.seconds() * 1e9);
    long nanos = service.sumFromNanos(from);
    return nanos == 0
        ? quiet
        : quiet.withStuck(
            service.countFrom(from),
            from / 1e9,
            nanos / 1e9,
            Math.min(1.0, (double) nanos / service.sumNanos()));
  }
}
