package io.shardmark.driver.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds for each point of a system the baseline's point that it is compared with. */
final class PointPairs {
  private PointPairs() {}

  /** The same number of terminals; places differ only where {@link FlagFinder} says so. */
  record Pair(ComparedPoint point, ComparedPoint baseline) {
    boolean sameScale() {
      return point.place().number() == baseline.place().number();
    }

    boolean sameTerminals() {
      return point.place().terminals() == baseline.place().terminals();
    }
  }

  static List<Pair> of(ComparedSystem system, ComparedSystem baseline) {
    List<Pair> pairs = new ArrayList<>();
    boolean share = system.scales().stream().anyMatch(baseline.scales()::contains);
    for (ComparedPoint point : system.points()) {
      int own = point.place().number();
      int scale = share ? own : nearest(own, baseline.scales());
      baseline.at(point.place().at(scale)).ifPresent(other -> pairs.add(new Pair(point, other)));
    }
    if (pairs.isEmpty() && system.points().size() == 1 && baseline.points().size() == 1) {
      // Two single runs were named to be compared, whatever their terminals.
      pairs.add(new Pair(system.points().get(0), baseline.points().get(0)));
    }
    return pairs;
  }

  /** The scale which is the fewest times larger or smaller. */
  private static int nearest(int number, List<Integer> scales) {
    Optional<Integer> nearest =
        scales.stream()
            .min(
                Comparator.comparingDouble(
                    scale -> Math.abs(Math.log((scale + 0.5) / (number + 0.5)))));
    return nearest.orElse(number);
  }
}
