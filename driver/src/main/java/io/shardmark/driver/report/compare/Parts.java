package io.shardmark.driver.report.compare;

import io.shardmark.driver.report.RunData;
import io.shardmark.driver.report.Timeline;
import io.shardmark.driver.report.TypeData;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A run cut into parts of equal length: batch means, whose spread tells how steady it was.
 *
 * @param seconds length of a part
 * @param tpmC rate in each part
 * @param tpmTotal rate in each part
 */
record Parts(double seconds, List<Double> tpmC, List<Double> tpmTotal) {
  static final Parts NONE = new Parts(0, List.of(), List.of());

  /** Long enough that one part hardly depends on the one before. */
  private static final double LONGEST_SECONDS = 10;

  private static final int WANTED = 10;

  static Parts of(RunData run) {
    Timeline timeline = run.timeline();
    int buckets = timeline.lines().stream().mapToInt(l -> l.successes().size()).max().orElse(0);
    double width = timeline.widthSeconds();
    if (buckets > 0 && timeline.lastWidthSeconds() < width) {
      buckets--; // the last one is shorter
    }
    double wanted = Math.min(LONGEST_SECONDS, buckets * width / WANTED);
    int perPart = Math.max(1, (int) Math.round(wanted / width));
    return new Parts(
        perPart * width,
        rates(run, type -> type.rule().headline(), buckets, perPart),
        rates(run, type -> type.rule().counted(), buckets, perPart));
  }

  private static List<Double> rates(
      RunData run, Predicate<TypeData> wanted, int buckets, int perPart) {
    Set<String> names =
        run.types().stream().filter(wanted).map(TypeData::name).collect(Collectors.toSet());
    List<Timeline.Line> lines =
        run.timeline().lines().stream().filter(line -> names.contains(line.type())).toList();
    List<Double> rates = new ArrayList<>();
    double minutes = perPart * run.timeline().widthSeconds() / 60;
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
