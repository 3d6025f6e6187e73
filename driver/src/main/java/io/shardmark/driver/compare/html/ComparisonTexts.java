package io.shardmark.driver.compare.html;

import static java.util.stream.Collectors.joining;

import io.shardmark.driver.compare.ComparedSystem;
import io.shardmark.driver.compare.ComparedSystem.Publication;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.PointRatio;
import io.shardmark.driver.compare.Measurement;
import io.shardmark.driver.compare.Ratio;
import io.shardmark.driver.compare.Yardstick;
import io.shardmark.driver.report.Page.Grade;
import io.shardmark.driver.report.Page.Verdict;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.estimate.Interval;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The sentences of a comparison. */
final class ComparisonTexts {
  private final Comparison comparison;
  private final Yardstick yardstick;

  ComparisonTexts(Comparison comparison) {
    this.comparison = comparison;
    yardstick = comparison.yardstick();
  }

  /** How much was compared with what. */
  String extent() {
    List<ComparedSystem> systems = comparison.systems();
    long runs = systems.stream().mapToLong(ComparedSystem::runs).sum();
    boolean published = systems.stream().anyMatch(ComparedSystem::isPublished);
    return Texts.plural(systems.size(), "system", "systems")
        + ", "
        + (published
            ? Texts.plural(runs, "run or published row", "runs or published rows")
            : Texts.plural(runs, "run", "runs"))
        + (systems.size() > 1 ? "; ratios are to " + comparison.baseline().label() : "");
  }

  /** What came out, then what is unlike or doubtful, then what is not. */
  List<Verdict> verdicts() {
    List<Verdict> verdicts = new ArrayList<>();
    comparison.systems().stream().skip(1).forEach(one -> headline(one).ifPresent(verdicts::add));
    comparison
        .flags()
        .forEach(flag -> verdicts.add(new Verdict(Grade.FAIL, flag.subject(), flag.sentence())));
    soundRuns().ifPresent(sentence -> verdicts.add(new Verdict(Grade.PASS, "Runs", sentence)));
    if (!comparison.alike().isEmpty() && comparison.systems().size() > 1) {
      verdicts.add(new Verdict(Grade.PASS, "Alike", String.join(", ", comparison.alike())));
    }
    comparison.notes().forEach(note -> verdicts.add(new Verdict(Grade.UNKNOWN, "Note", note)));
    return verdicts;
  }

  /** How the main metric of a system stands to the baseline's. */
  private Optional<Verdict> headline(ComparedSystem system) {
    String baseline = comparison.baseline().label();
    List<PointRatio> points =
        comparison.ratios().stream().filter(one -> one.system().equals(system.name())).toList();
    Optional<PointRatio> unlike = points.stream().filter(one -> !one.isLike()).findFirst();
    if (unlike.isPresent() || points.isEmpty()) {
      String why =
          unlike
              .map(one -> one.place().text() + " against " + one.baseline().text())
              .orElse("they share no number of %s and terminals".formatted(yardstick.scale()));
      return Optional.of(
          new Verdict(
              Grade.UNKNOWN,
              "Result",
              "%s and %s are not comparable: %s.".formatted(system.label(), baseline, why)));
    }
    return comparison.overall().stream()
        .filter(one -> one.system().equals(system.name()))
        .findFirst()
        .flatMap(one -> one.of(yardstick.main()))
        .map(ratio -> headline(system.label(), baseline, ratio, points.size()))
        .map(sentence -> new Verdict(Grade.RESULT, "Result", sentence));
  }

  private String headline(String system, String baseline, Ratio ratio, int points) {
    String mean = points == 1 ? "" : ", geometric mean of %d points".formatted(points);
    String value =
        String.format(Locale.ROOT, "%s ratio %.3f", yardstick.main().name(), ratio.value());
    String makes =
        "%s makes %s %s than %s"
            .formatted(system, more(ratio.value()), yardstick.counted(), baseline);
    if (ratio.interval().isEmpty()) {
      return "%s, without an interval: %s (%s%s).".formatted(makes, ratio.reason(), value, mean);
    }
    Interval interval = ratio.interval().get();
    String figures =
        String.format(
            Locale.ROOT, "%s, 95 %%: %.3f to %.3f%s", value, interval.low(), interval.high(), mean);
    return interval.low() <= 1 && interval.high() >= 1
        ? "No difference can be told between %s and %s (%s).".formatted(system, baseline, figures)
        : "%s (%s).".formatted(makes, figures);
  }

  private static String more(double ratio) {
    return ratio >= 1 ? Texts.percent(ratio - 1) + " more" : Texts.percent(1 - ratio) + " fewer";
  }

  /** That nothing is wrong with any run that was measured; empty if that is not known. */
  private Optional<String> soundRuns() {
    List<Measurement> measured =
        comparison.systems().stream()
            .filter(system -> !system.isPublished())
            .flatMap(system -> system.measurements().stream())
            .toList();
    if (measured.isEmpty()
        || measured.stream().anyMatch(run -> !run.isJudged() || !run.faults().isEmpty())) {
      return Optional.empty();
    }
    return Optional.of(
        (measured.size() == 1 ? "The one run" : "All " + Texts.count(measured.size()) + " runs")
            + " came to the end, with no failed transaction"
            + (measured.stream().anyMatch(run -> run.result().limited())
                ? " and within the response-time limits"
                : "")
            + "; the load generator was not the bottleneck.");
  }

  /** What a cell of the throughput tables is. */
  String throughputNote() {
    boolean repeated =
        comparison.systems().stream()
            .flatMap(system -> system.points().stream())
            .anyMatch(point -> point.runs().size() > 1);
    return Texts.upperFirst(yardstick.unitWords())
        + ", failed transactions left out."
        + (repeated ? " Where a point has several runs, their mean." : "");
  }

  /** How the ratios and their intervals were made. */
  List<String> methods() {
    List<Ratio> ratios =
        comparison.ratios().stream().flatMap(one -> one.of(yardstick.main()).stream()).toList();
    Set<Ratio.Basis> bases = new LinkedHashSet<>(ratios.stream().map(Ratio::basis).toList());
    String reasons =
        ratios.stream()
            .map(Ratio::reason)
            .filter(reason -> !reason.isEmpty())
            .distinct()
            .collect(joining("; "));
    List<String> texts = new ArrayList<>();
    texts.add(
        "A ratio is a system's figure over that of "
            + comparison.baseline().label()
            + ": above 1 is more transactions, or longer response times."
            + (bases.equals(Set.of(Ratio.Basis.NONE)) ? "" : " In brackets stand 95 % intervals."));
    if (bases.contains(Ratio.Basis.REPETITIONS)) {
      texts.add(
          "95 % intervals from repeated runs: Student's t with Welch's degrees of freedom on the"
              + " logarithms of the runs' figures.");
    }
    if (bases.contains(Ratio.Basis.PARTS)) {
      texts.add(
          "95 % intervals from parts within the runs (batch means, Welch), because there are not"
              + " two runs on each side. Parts that are alike are put together, and what they"
              + " still have in common widens the interval. They show how steady the runs were and"
              + " understate how far another run would differ.");
    }
    if (!reasons.isEmpty()) {
      texts.add("No interval (n/a) where: " + reasons + ".");
    }
    return texts;
  }

  /** One sentence for each publication. */
  List<String> publications() {
    return comparison.systems().stream()
        .flatMap(system -> system.source().stream())
        .distinct()
        .map(this::text)
        .toList();
  }

  private String text(Publication publication) {
    String names =
        comparison.systems().stream()
            .filter(system -> publication.equals(system.publication()))
            .map(ComparedSystem::name)
            .collect(joining(", "));
    String address = publication.address().isEmpty() ? "" : ", " + publication.address();
    String remark = publication.remark().isEmpty() ? "" : " " + publication.remark();
    return "%s: published figures, not measured by us. Source: %s, %s%s.%s"
        .formatted(names, publication.title(), publication.publisher(), address, remark);
  }
}
