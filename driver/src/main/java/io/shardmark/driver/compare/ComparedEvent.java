package io.shardmark.driver.compare;

import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.results.EventResult;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An event of the runs of several systems, known by its label: each has its own command.
 *
 * @param results of the runs that had it, by the name of the system; none of one without it
 */
public record ComparedEvent(String label, Map<String, List<EventResult>> results) {
  /** Those of all runs, in the order in which the first run that had them met them. */
  public static List<ComparedEvent> of(List<ComparedSystem> systems) {
    Map<String, Map<String, List<EventResult>>> byLabel = new LinkedHashMap<>();
    for (ComparedSystem system : systems) {
      for (Measurement run : system.measurements()) {
        for (EventResult event : run.result().events()) {
          byLabel
              .computeIfAbsent(event.label(), key -> new LinkedHashMap<>())
              .computeIfAbsent(system.name(), key -> new ArrayList<>())
              .add(event);
        }
      }
    }
    List<ComparedEvent> events = new ArrayList<>();
    byLabel.forEach((label, results) -> events.add(new ComparedEvent(label, results)));
    return events;
  }

  public List<EventResult> of(ComparedSystem system) {
    return results.getOrDefault(system.name(), List.of());
  }

  public List<EventResult> all() {
    return results.values().stream().flatMap(List::stream).toList();
  }

  /** Whether it began at about one time in all runs that had it. */
  public boolean isAtOneTime() {
    DoubleSummaryStatistics begins =
        all().stream().mapToDouble(EventResult::atSeconds).summaryStatistics();
    return begins.getMax() - begins.getMin() <= Limits.LIKE_EVENT_SECONDS;
  }

  /** Whether all runs of all systems had it, at about one time. */
  boolean isAlike(List<ComparedSystem> systems) {
    return isAtOneTime() && systems.stream().allMatch(system -> of(system).size() == system.runs());
  }
}
