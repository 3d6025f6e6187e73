package io.shardmark.driver.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A run cut into parts of equal length, as they come out of it; {@link
 * io.shardmark.driver.report.estimate.BatchMeans} says how far they can be trusted.
 *
 * @param headline per minute in each part, of the types that the main metric counts
 * @param counted per minute in each part, of all types that count
 */
public record Parts(List<Double> headline, List<Double> counted) {
  public static final Parts NONE = new Parts(List.of(), List.of());

  /** More would tell no more of the spread of their mean. */
  private static final int MOST = 64;

  static Parts of(Timeline timeline, List<TypeData> types) {
    int buckets = timeline.lines().stream().mapToInt(l -> l.successes().size()).max().orElse(0);
    if (buckets > 0 && timeline.lastWidthSeconds() < timeline.widthSeconds()) {
      buckets--; // the last one is shorter
    }
    int perPart = Math.max(1, (buckets + MOST - 1) / MOST);
    return new Parts(
        rates(timeline, names(types, type -> type.result().headline()), buckets, perPart),
        rates(timeline, names(types, type -> type.result().counted()), buckets, perPart));
  }

  private static Set<String> names(List<TypeData> types, Predicate<TypeData> wanted) {
    return types.stream().filter(wanted).map(TypeData::name).collect(Collectors.toSet());
  }

  private static List<Double> rates(
      Timeline timeline, Set<String> names, int buckets, int perPart) {
    List<Timeline.Line> lines =
        timeline.lines().stream().filter(line -> names.contains(line.type())).toList();
    List<Double> rates = new ArrayList<>();
    double minutes = perPart * timeline.widthSeconds() / 60;
    for (int from = 0; from + perPart <= buckets; from += perPart) {
      long sum = 0;
      for (Timeline.Line line : lines) {
        for (int i = from; i < from + perPart; i++) {
          sum += line.successes().get(i);
        }
      }
      rates.add(sum / minutes);
    }
    return List.copyOf(rates);
  }
}
