package io.shardmark.driver.compare;

import io.shardmark.driver.compare.Comparison.Difference;
import io.shardmark.driver.compare.Comparison.Flag;
import io.shardmark.driver.compare.Comparison.PointRatio;
import io.shardmark.driver.judge.Limits;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.reader.RunData;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Finds what makes systems unlike, and the runs to be careful with. */
final class FlagFinder {
  private static final int VALUES = 4;

  /** With more systems nobody reads each name. */
  private static final int MOST_NAMED = 3;

  /** Longer ones are in the table of the runs. */
  private static final int LONGEST_DETAIL = 70;

  /** Settings of which each run has its own, by nature, or that nobody may see. */
  private static final Set<String> OF_EACH_RUN = Set.of("resultDirectory", "runID", "password");

  /** What a seed decides, which a run draws unless its properties have one. */
  private static final Set<String> OF_THE_SEED =
      Set.of(
          "seed",
          "Workload: cLastLoad",
          "Workload: cLastRun",
          "Workload: cCustomerRun",
          "Workload: cItemRun");

  /** What a condition shows already. */
  private static final Pattern OF_A_CONDITION =
      Pattern.compile("Database: (setting[.].*|guarantee[.].*|settings|extensions|tables|keys.*)");

  private final List<ComparedSystem> systems;
  final List<Flag> flags = new ArrayList<>();
  final List<String> alike = new ArrayList<>();
  final List<String> notes = new ArrayList<>();
  final List<Difference> differences = new ArrayList<>();

  private FlagFinder(List<ComparedSystem> systems) {
    this.systems = systems;
  }

  /** Of systems that are all compared with the first. */
  static FlagFinder of(List<ComparedSystem> systems, List<PointRatio> ratios) {
    FlagFinder finder = new FlagFinder(systems);
    finder.judgeConditions();
    for (ComparedSystem system : systems.subList(1, systems.size())) {
      finder.judgePlaces(
          system, ratios.stream().filter(one -> one.system().equals(system.name())).toList());
    }
    finder.judgeAll();
    return finder;
  }

  /** Of systems that are compared within groups: what parts the groups makes nothing unlike. */
  static FlagFinder ofGroups(List<ComparedSystem> systems, List<List<ComparedSystem>> groups) {
    FlagFinder finder = new FlagFinder(systems);
    for (List<ComparedSystem> group : groups) {
      FlagFinder part = new FlagFinder(group);
      part.judgeConditions();
      part.flags.stream().filter(one -> !finder.flags.contains(one)).forEach(finder.flags::add);
      part.notes.stream().filter(one -> !finder.notes.contains(one)).forEach(finder.notes::add);
      if (group.equals(groups.get(0))) {
        finder.alike.addAll(part.alike);
      }
      finder.alike.retainAll(part.alike);
    }
    finder.alike.removeIf(
        condition ->
            systems.stream().map(one -> finder.texts(one, condition)).distinct().count() > 1);
    finder.judgeAll();
    return finder;
  }

  private void judgeConditions() {
    Set<String> conditions = systems.get(0).conditions().keySet();
    conditions.forEach(this::judge);
    conditions.stream()
        .collect(Collectors.groupingBy(this::silent, LinkedHashMap::new, Collectors.joining(", ")))
        .forEach(this::noteUnknown);
    judgeLengths();
    judgeFills();
    judgeEvents();
  }

  private void judgeAll() {
    judgeRuns();
    notePrograms();
    noteCurrencies();
    addDifferences();
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
    Set<String> common = common(condition);
    Function<ComparedSystem, String> text =
        system ->
            texts(system, condition).stream()
                .map(one -> without(common, one))
                .collect(Collectors.joining(" and also "));
    if (known.size() > 1) {
      flag(condition, "%s.", each(text));
    } else {
      addIfAlike(condition, text);
    }
  }

  private void addIfAlike(String subject, Function<ComparedSystem, String> text) {
    if (systems.stream().noneMatch(system -> text.apply(system).isEmpty())) {
      alike.add(subject);
    }
  }

  /** The systems of which a condition is not known. */
  private List<String> silent(String condition) {
    return systems.stream()
        .filter(system -> texts(system, condition).isEmpty())
        .map(ComparedSystem::name)
        .toList();
  }

  /** What is known of no system is no condition of this comparison. */
  private void noteUnknown(List<String> silent, String conditions) {
    if (!silent.isEmpty() && silent.size() < systems.size()) {
      notes.add("Not known of %s: %s.".formatted(String.join(", ", silent), conditions));
    }
  }

  /** {@code a, b: text; c: another one}, without the systems whose text is empty. */
  private String each(Function<ComparedSystem, String> text) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    systems.forEach(
        one -> names.computeIfAbsent(text.apply(one), key -> new ArrayList<>()).add(one.name()));
    names.remove("");
    return names.entrySet().stream()
        .map(one -> String.join(", ", one.getValue()) + ": " + one.getKey())
        .collect(Collectors.joining("; "));
  }

  private static List<String> parts(String text) {
    return List.of(text.split(SystemFacts.BETWEEN, -1));
  }

  /** What every text of a condition has that consists of several parts. */
  private Set<String> common(String condition) {
    List<String> all =
        systems.stream().flatMap(system -> texts(system, condition).stream()).toList();
    Set<String> common = new LinkedHashSet<>(all.size() > 1 ? parts(all.get(0)) : List.of());
    all.forEach(text -> common.retainAll(parts(text)));
    return common;
  }

  private static String without(Set<String> common, String text) {
    String rest =
        parts(text).stream()
            .filter(part -> !common.contains(part))
            .collect(Collectors.joining(", "));
    return rest.isEmpty() ? "nothing else" : rest;
  }

  private void judgeLengths() {
    DoubleSummaryStatistics all =
        systems.stream().flatMapToDouble(FlagFinder::lengths).summaryStatistics();
    Function<ComparedSystem, String> text =
        system -> range(lengths(system), seconds -> Texts.duration(Math.rint(seconds)));
    if (all.getMax() > all.getMin() * Limits.LIKE_LENGTH_FACTOR) {
      flag("Run length", "%s.", each(text));
    } else {
      addIfAlike("Run length", text);
    }
  }

  private static DoubleStream lengths(ComparedSystem system) {
    return system.measurements().stream()
        .mapToDouble(run -> run.result().interval().seconds())
        .filter(seconds -> seconds > 0);
  }

  /** What earlier runs left makes a database another one; sizes of two products say nothing. */
  private void judgeFills() {
    Map<String, DoubleSummaryStatistics> byProduct = new TreeMap<>();
    for (ComparedSystem system : systems) {
      for (Measurement run : system.measurements()) {
        String product = run.result().database().getOrDefault("product", "");
        fill(run).forEach(byProduct.computeIfAbsent(product, key -> new DoubleSummaryStatistics()));
      }
    }
    Function<ComparedSystem, String> text =
        system ->
            range(system.measurements().stream().flatMapToDouble(FlagFinder::fill), Texts::bytes);
    if (byProduct.values().stream()
        .anyMatch(fills -> fills.getMax() > fills.getMin() * Limits.LIKE_FILL_FACTOR)) {
      flag(
          "Fill",
          "%s for each unit of scale when a run began; reset puts tables back.",
          each(text));
    } else {
      addIfAlike("Fill", text);
    }
  }

  /** Empty if there is no value. */
  private static String range(DoubleStream values, DoubleFunction<String> text) {
    DoubleSummaryStatistics all = values.summaryStatistics();
    return DoubleStream.of(all.getMin(), all.getMax())
        .filter(Double::isFinite)
        .mapToObj(text)
        .distinct()
        .collect(Collectors.joining(" to "));
  }

  /** Bytes of tables and indexes at the beginning of a run for each unit of its scale, if known. */
  private static DoubleStream fill(Measurement measured) {
    RunResult run = measured.result();
    String noted = run.database().getOrDefault(SystemFacts.BYTES_AT_START, "");
    double atBeginning =
        noted.matches("\\d+") // a text where it was not readable
            ? Double.parseDouble(noted)
            : run.databaseFigures().getOrDefault("relation_bytes", 0.0)
                - run.databaseFigures().getOrDefault("relation_bytes_increase", 0.0);
    return atBeginning > 0 && run.scale().number() > 0
        ? DoubleStream.of(atBeginning / run.scale().number())
        : DoubleStream.empty();
  }

  /** What was done to the systems while they ran: each may have its own command for it. */
  private void judgeEvents() {
    List<ComparedEvent> events = ComparedEvent.of(systems);
    if (!events.stream().allMatch(event -> event.isAlike(systems))) {
      flag("Events", "%s.", each(system -> texts(events, system)));
    } else if (!events.isEmpty()) {
      alike.add("Events");
    }
  }

  private static String texts(List<ComparedEvent> events, ComparedSystem system) {
    Set<String> texts = new LinkedHashSet<>();
    for (ComparedEvent event : events) {
      event.of(system).stream()
          .map(one -> event.label() + " at " + Texts.duration(Math.rint(one.atSeconds())))
          .forEach(texts::add);
    }
    return texts.isEmpty() ? "none" : String.join(", ", texts);
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

  /** One line for each kind: how many runs of which system, with what is short enough to read. */
  private void judgeRuns() {
    for (RunFault.FaultKind kind : RunFault.FaultKind.values()) {
      List<String> parts = new ArrayList<>();
      long affected = 0;
      for (ComparedSystem system : systems) {
        List<String> details = details(system, kind);
        affected += details.size();
        if (!details.isEmpty()) {
          parts.add(system.name() + share(details.size(), system.runs()) + example(details));
        }
      }
      long all = systems.stream().mapToLong(ComparedSystem::runs).sum();
      if (affected == all && parts.size() > MOST_NAMED) {
        flag(kind.subject(), "%s: all %s.", Texts.upperFirst(kind.verb()), runs(all));
      } else if (!parts.isEmpty()) {
        flag(kind.subject(), "%s: %s.", Texts.upperFirst(kind.verb()), String.join("; ", parts));
      }
    }
  }

  private static List<String> details(ComparedSystem system, RunFault.FaultKind kind) {
    return system.measurements().stream()
        .flatMap(run -> run.faults().stream())
        .filter(fault -> fault.kind() == kind)
        .map(RunFault::detail)
        .toList();
  }

  private static String runs(long runs) {
    return Texts.plural(runs, "run", "runs");
  }

  /** {@code in 2 of 3 runs}; nothing of a single run. */
  private static String share(int affected, int runs) {
    return runs == 1
        ? ""
        : " in %s of %s".formatted(affected == runs ? "each" : Texts.count(affected), runs(runs));
  }

  private static String example(List<String> details) {
    return details.get(0).length() > LONGEST_DETAIL
        ? ""
        : " (%s%s)".formatted(details.size() == 1 ? "" : "such as ", details.get(0));
  }

  private void notePrograms() {
    Set<String> programs = new LinkedHashSet<>();
    systems.forEach(
        system -> system.measurements().forEach(run -> programs.add(run.result().run().product())));
    programs.remove("");
    if (programs.size() > 1) {
      String peculiar =
          programs.stream().map(RunData::peculiarity).distinct().collect(Collectors.joining());
      notes.add(
          "Measured with more than one program: " + String.join(", ", programs) + "." + peculiar);
    }
  }

  private void noteCurrencies() {
    Set<String> currencies =
        systems.stream()
            .flatMap(system -> system.measurements().stream())
            .flatMap(run -> run.costs().stream())
            .filter(cost -> cost.name().startsWith("price"))
            .map(cost -> cost.unit().isEmpty() ? "no currency" : cost.unit())
            .collect(Collectors.toCollection(TreeSet::new));
    if (currencies.size() > 1) {
      notes.add("Prices are in %s: not compared.".formatted(String.join(" and ", currencies)));
    }
  }

  /** The settings whose values differ, except those that each run draws anew, such as a seed. */
  private void addDifferences() {
    Set<String> names = new LinkedHashSet<>();
    systems.forEach(system -> names.addAll(system.settings().keySet()));
    names.removeAll(OF_EACH_RUN);
    for (String name : names) {
      if (!OF_A_CONDITION.matcher(name).matches() && !isDrawn(name) && differs(name)) {
        Map<String, String> values = new LinkedHashMap<>();
        systems.forEach(system -> values.put(system.name(), values(system, name)));
        differences.add(new Difference(name, values));
      }
    }
  }

  private static Set<String> settings(ComparedSystem system, String name) {
    return system.settings().getOrDefault(name, Set.of());
  }

  /** What a publication leaves out is no difference. */
  private boolean differs(String name) {
    return systems.stream()
            .filter(system -> !system.isPublished() || !settings(system, name).isEmpty())
            .map(system -> settings(system, name))
            .distinct()
            .count()
        > 1;
  }

  /** Of a seed that was drawn, or different in each run wherever there are several. */
  private boolean isDrawn(String name) {
    if (OF_THE_SEED.contains(name)) {
      return systems.stream().anyMatch(system -> settings(system, "seedDrawn").contains("true"));
    }
    List<ComparedSystem> repeated =
        systems.stream().filter(system -> !system.isPublished() && system.runs() > 1).toList();
    boolean moreThanPlaces =
        repeated.stream().anyMatch(system -> system.runs() > system.points().size());
    return moreThanPlaces
        && repeated.stream().allMatch(system -> settings(system, name).size() == system.runs());
  }

  private static String values(ComparedSystem system, String name) {
    List<String> values = List.copyOf(settings(system, name));
    return values.size() <= VALUES
        ? String.join(", ", values)
        : String.join(", ", values.subList(0, VALUES - 1))
            + " and %d others".formatted(values.size() - VALUES + 1);
  }
}
