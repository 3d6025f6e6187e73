package io.shardmark.driver.compare;

import io.shardmark.driver.compare.Comparison.Flag;
import io.shardmark.driver.compare.Comparison.PointRatio;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds what makes systems unlike, and the runs to be careful with. */
final class FlagFinder {
  /** Runs whose lengths differ by more than this factor saw different checkpoints and caches. */
  private static final double LIKE_LENGTH = 1.1;

  private static final int EXAMPLES = 3;

  private final List<ComparedSystem> systems;
  final List<Flag> flags = new ArrayList<>();
  final List<String> alike = new ArrayList<>();
  final List<String> notes = new ArrayList<>();

  /**
   * @param ratios to the first system, for the places at which each other one is compared
   */
  FlagFinder(List<ComparedSystem> systems, List<PointRatio> ratios) {
    this.systems = systems;
    for (String condition : systems.get(0).conditions().keySet()) {
      judge(condition);
    }
    judgeLengths();
    for (ComparedSystem system : systems.subList(1, systems.size())) {
      judgePlaces(
          system, ratios.stream().filter(one -> one.system().equals(system.name())).toList());
    }
    systems.forEach(this::judgeRuns);
    notePrograms();
  }

  private void flag(String subject, String sentence, Object... arguments) {
    flags.add(new Flag(subject, Texts.text(sentence, arguments)));
  }

  private Set<String> texts(ComparedSystem system, String condition) {
    return system.conditions().getOrDefault(condition, Set.of());
  }

  private void judge(String condition) {
    Set<String> known = new LinkedHashSet<>();
    systems.forEach(system -> known.addAll(texts(system, condition)));
    List<String> silent =
        systems.stream()
            .filter(system -> texts(system, condition).isEmpty())
            .map(ComparedSystem::name)
            .toList();
    if (known.size() > 1) {
      flag(condition, "%s", each(condition));
    } else if (!silent.isEmpty() && silent.size() < systems.size()) {
      notes.add(condition + ". " + each(condition));
    } else if (silent.isEmpty()) {
      alike.add(condition);
    }
  }

  private String each(String condition) {
    return systems.stream()
            .map(
                system -> {
                  Set<String> texts = texts(system, condition);
                  return system.name()
                      + ": "
                      + (texts.isEmpty() ? "not known" : String.join(" and also ", texts));
                })
            .collect(Collectors.joining("; "))
        + ".";
  }

  private void judgeLengths() {
    double shortest = Double.POSITIVE_INFINITY;
    double longest = 0;
    List<String> texts = new ArrayList<>();
    for (ComparedSystem system : systems) {
      List<Double> lengths =
          system.measurements().stream()
              .map(run -> run.result().interval().seconds())
              .filter(s -> s > 0)
              .toList();
      double least = lengths.stream().mapToDouble(s -> s).min().orElse(0);
      double most = lengths.stream().mapToDouble(s -> s).max().orElse(0);
      if (lengths.isEmpty()) {
        continue;
      }
      shortest = Math.min(shortest, least);
      longest = Math.max(longest, most);
      String low = Texts.duration(Math.rint(least));
      String high = Texts.duration(Math.rint(most));
      texts.add(system.name() + ": " + (low.equals(high) ? low : low + " to " + high));
    }
    if (longest > shortest * LIKE_LENGTH) {
      flag("Run length", "%s.", String.join("; ", texts));
    } else if (texts.size() == systems.size()) {
      alike.add("Run length");
    }
  }

  private void judgePlaces(ComparedSystem system, List<PointRatio> pairs) {
    String baseline = systems.get(0).name();
    if (pairs.isEmpty()) {
      flag(
          "Terminals",
          "%s and %s have no number of terminals in common, so there is no ratio.",
          system.name(),
          baseline);
      return;
    }
    Set<String> scales = new LinkedHashSet<>();
    for (PointRatio pair : pairs) {
      Place place = pair.place();
      Place other = pair.baseline();
      if (place.terminals() != other.terminals()) {
        flag(
            "Terminals",
            "%s ran with %s and %s with %s.",
            system.name(),
            place.terminalsText(),
            baseline,
            other.terminalsText());
      }
      if (place.number() != other.number()) {
        scales.add(
            "%s of %s with %s of %s"
                .formatted(
                    Place.text(place.number()),
                    system.name(),
                    Place.text(other.number()),
                    baseline));
      }
    }
    if (!scales.isEmpty()) {
      flag(
          "Scale",
          "Unlike numbers of %s are compared: %s.",
          pairs.get(0).place().scale().name(),
          String.join("; ", scales));
    }
  }

  private void judgeRuns(ComparedSystem system) {
    List<Measurement> runs = system.measurements();
    for (RunFault.Kind kind : RunFault.Kind.values()) {
      List<String> details = new ArrayList<>();
      for (Measurement run : runs) {
        run.faults().stream()
            .filter(fault -> fault.kind() == kind)
            .forEach(fault -> details.add(fault.detail() + " in " + run.source()));
      }
      if (!details.isEmpty()) {
        String more = details.size() > EXAMPLES ? ", and so on" : "";
        flag(
            kind.subject(),
            "%s of %s of %s %s: %s%s.",
            Texts.count(details.size()),
            Texts.plural(runs.size(), "run", "runs"),
            system.name(),
            kind.verb(details.size()),
            String.join(", ", details.subList(0, Math.min(EXAMPLES, details.size()))),
            more);
      }
    }
  }

  private void notePrograms() {
    Set<String> programs = new LinkedHashSet<>();
    systems.forEach(
        system -> system.measurements().forEach(run -> programs.add(run.result().run().product())));
    programs.remove("");
    if (programs.size() > 1) {
      notes.add(
          "Measured with more than one program: "
              + String.join(", ", programs)
              + "."
              + programs.stream()
                  .map(RunData::peculiarity)
                  .distinct()
                  .collect(Collectors.joining()));
    }
  }
}
