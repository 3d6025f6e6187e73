package io.shardmark.driver.compare;

import io.shardmark.driver.compare.Comparison.Difference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lists the settings whose values differ between systems. What each run draws anew, such as a seed,
 * is no difference between systems.
 */
final class DifferenceFinder {
  /** Each run has its own, by nature, or nobody may see them. */
  private static final Set<String> OF_EACH_RUN = Set.of("resultDirectory", "runID", "password");

  private static final int SHOWN = 4;

  private DifferenceFinder() {}

  static List<Difference> of(List<ComparedSystem> systems) {
    Set<String> names = new LinkedHashSet<>();
    systems.forEach(system -> names.addAll(system.settings().keySet()));
    List<Difference> differences = new ArrayList<>();
    for (String name : names) {
      if (!OF_EACH_RUN.contains(name) && !isDrawn(systems, name) && differs(systems, name)) {
        Map<String, String> values = new LinkedHashMap<>();
        systems.forEach(system -> values.put(system.name(), text(system, name)));
        differences.add(new Difference(name, values));
      }
    }
    return differences;
  }

  private static Set<String> values(ComparedSystem system, String name) {
    return system.settings().getOrDefault(name, Set.of());
  }

  /** What a publication does not tell is no difference. */
  private static boolean differs(List<ComparedSystem> systems, String name) {
    return systems.stream()
            .filter(system -> !system.isPublished() || !values(system, name).isEmpty())
            .map(system -> values(system, name))
            .distinct()
            .count()
        > 1;
  }

  /** Different in each run wherever there are several. */
  private static boolean isDrawn(List<ComparedSystem> systems, String name) {
    List<ComparedSystem> repeated =
        systems.stream().filter(system -> !system.isPublished() && system.runs() > 1).toList();
    boolean moreThanPlaces =
        repeated.stream().anyMatch(system -> system.runs() > system.points().size());
    return moreThanPlaces
        && repeated.stream().allMatch(system -> values(system, name).size() == system.runs());
  }

  private static String text(ComparedSystem system, String name) {
    List<String> values = List.copyOf(values(system, name));
    return values.size() <= SHOWN
        ? String.join(", ", values)
        : String.join(", ", values.subList(0, SHOWN - 1))
            + " and %d others".formatted(values.size() - SHOWN + 1);
  }
}
