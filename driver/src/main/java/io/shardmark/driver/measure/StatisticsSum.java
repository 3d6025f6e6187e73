package io.shardmark.driver.measure;

import io.shardmark.driver.measure.ErrorLog.ErrorClass;
import io.shardmark.driver.measure.ErrorLog.ErrorCount;
import io.shardmark.driver.results.ErrorResult.Example;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.QuietTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds up what several drivers did in one and the same interval: counts and histograms, exactly.
 * Nothing is averaged. Pure.
 */
final class StatisticsSum {
  private StatisticsSum() {}

  static RunStatistics of(List<RunStatistics> parts) {
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
        errors(parts),
        new RunStatistics.RingFigures(
            parts.stream().mapToLong(part -> part.rings().stalls()).sum(),
            parts.stream().mapToLong(part -> part.rings().stalledNanos()).sum()),
        quiet(parts),
        seconds(parts),
        parts.stream().mapToLong(RunStatistics::outside).sum(),
        parts.stream().map(RunStatistics::load).reduce(LoadFigures::plus).orElseThrow(),
        List.of(), // stages and times of statements are of one driver
        List.of());
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

  private static List<ErrorCount> errors(List<RunStatistics> parts) {
    Map<ErrorClass, ErrorCount> sums = new LinkedHashMap<>();
    for (RunStatistics part : parts) {
      for (ErrorCount count : part.errors()) {
        sums.merge(count.errorClass(), count, StatisticsSum::plus);
      }
    }
    return sums.values().stream()
        .sorted(Comparator.comparingLong(ErrorCount::count).reversed())
        .toList();
  }

  private static ErrorCount plus(ErrorCount a, ErrorCount b) {
    Map<String, Long> firstSeen = new LinkedHashMap<>();
    for (ErrorCount count : List.of(a, b)) {
      count.examples().forEach(e -> firstSeen.merge(e.message(), e.firstSeenMillis(), Math::min));
    }
    List<Example> examples =
        firstSeen.entrySet().stream()
            .map(entry -> new Example(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparingLong(Example::firstSeenMillis))
            .limit(ErrorLog.MAX_EXAMPLES_PER_CLASS)
            .toList();
    return new ErrorCount(
        a.errorClass(),
        a.count() + b.count(),
        a.retried() + b.retried(),
        a.outside() + b.outside(),
        examples);
  }
}
