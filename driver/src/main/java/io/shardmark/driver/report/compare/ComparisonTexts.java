package io.shardmark.driver.report.compare;

import io.shardmark.driver.report.compare.ComparedSystem.Publication;
import io.shardmark.driver.report.compare.Comparison.PointRatio;
import io.shardmark.driver.report.estimate.Interval;
import io.shardmark.driver.report.html.Texts;
import io.shardmark.driver.verdict.Figures;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The sentences of a comparison, the same on the page and in Markdown. */
public final class ComparisonTexts {
  private final Comparison comparison;

  public ComparisonTexts(Comparison comparison) {
    this.comparison = comparison;
  }

  /** How much was compared with what. */
  public String extent() {
    long runs = comparison.systems().stream().mapToLong(ComparedSystem::runs).sum();
    String systems = Texts.plural(comparison.systems().size(), "system", "systems");
    String points =
        comparison.systems().stream().anyMatch(ComparedSystem::isPublished)
            ? Texts.plural(runs, "run or published row", "runs or published rows")
            : Texts.plural(runs, "run", "runs");
    return systems
        + ", "
        + points
        + (comparison.systems().size() > 1
            ? "; ratios are to " + comparison.baseline().label()
            : "");
  }

  /**
   * What came out, a sentence for each further system.
   *
   * @param comparable false if no two runs of it and the baseline were made alike
   */
  public record Headline(boolean comparable, String sentence) {}

  /** How each further system's main rate stands to the baseline's. */
  public List<Headline> headlines() {
    List<Headline> headlines = new ArrayList<>();
    String baseline = comparison.baseline().label();
    for (ComparedSystem system : comparison.systems().subList(1, comparison.systems().size())) {
      List<PointRatio> points =
          comparison.ratios().stream().filter(one -> one.system().equals(system.name())).toList();
      Optional<PointRatio> unlike = points.stream().filter(one -> !one.isLike()).findFirst();
      if (unlike.isPresent() || points.isEmpty()) {
        headlines.add(
            new Headline(
                false,
                "%s and %s are not comparable: %s."
                    .formatted(
                        system.label(),
                        baseline,
                        unlike
                            .map(one -> one.place().text() + " against " + one.baseline().text())
                            .orElse(
                                "they share no number of %s and terminals"
                                    .formatted(comparison.yardstick().scale())))));
        continue;
      }
      comparison.overall().stream()
          .filter(one -> one.system().equals(system.name()))
          .findFirst()
          .flatMap(one -> one.of(comparison.yardstick().main()))
          .map(ratio -> headline(system.label(), baseline, ratio, points.size()))
          .ifPresent(sentence -> headlines.add(new Headline(true, sentence)));
    }
    return headlines;
  }

  private String headline(String system, String baseline, Ratio ratio, int points) {
    String mean = points == 1 ? "" : ", geometric mean of %d points".formatted(points);
    Yardstick yardstick = comparison.yardstick();
    String value =
        yardstick.main().name() + String.format(Locale.ROOT, " ratio %.3f", ratio.value());
    if (ratio.interval().isEmpty()) {
      return "%s makes %s %s than %s, without an interval: %s (%s%s)."
          .formatted(
              system,
              more(ratio.value()),
              yardstick.counted(),
              baseline,
              ratio.reason(),
              value,
              mean);
    }
    Interval interval = ratio.interval().get();
    String figures =
        String.format(
            Locale.ROOT, "%s, 95 %%: %.3f to %.3f%s", value, interval.low(), interval.high(), mean);
    return interval.low() <= 1 && interval.high() >= 1
        ? "No difference can be told between %s and %s (%s).".formatted(system, baseline, figures)
        : "%s makes %s %s than %s (%s)."
            .formatted(system, more(ratio.value()), yardstick.counted(), baseline, figures);
  }

  private static String more(double ratio) {
    return ratio >= 1
        ? Figures.percent(ratio - 1) + " more"
        : Figures.percent(1 - ratio) + " fewer";
  }

  /** That nothing is wrong with any run that was measured; empty if that is not known. */
  public Optional<String> soundRuns() {
    List<Measurement> measured =
        comparison.systems().stream()
            .filter(system -> !system.isPublished())
            .flatMap(system -> system.measurements().stream())
            .toList();
    if (measured.isEmpty()
        || measured.stream().anyMatch(run -> !run.judged() || !run.faults().isEmpty())) {
      return Optional.empty();
    }
    return Optional.of(
        (measured.size() == 1 ? "The one run" : "All " + Texts.count(measured.size()) + " runs")
            + " came to the end, with no failed transaction and within the response-time limits;"
            + " the load generator was not the bottleneck.");
  }

  /** What a cell of the throughput tables is. */
  public String throughputNote() {
    boolean repeated =
        comparison.systems().stream()
            .flatMap(system -> system.points().stream())
            .anyMatch(point -> point.runs().size() > 1);
    return Texts.upperFirst(comparison.yardstick().unitWords())
        + ", failed transactions left out."
        + (repeated ? " Where a point has several runs, their mean." : "");
  }

  /** How the ratios and their intervals were made. */
  public List<String> methods() {
    Set<Ratio.Basis> bases = new LinkedHashSet<>();
    Set<String> reasons = new LinkedHashSet<>();
    comparison
        .ratios()
        .forEach(
            point ->
                point
                    .of(comparison.yardstick().main())
                    .ifPresent(
                        ratio -> {
                          bases.add(ratio.basis());
                          reasons.add(ratio.reason());
                        }));
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
    reasons.remove("");
    if (!reasons.isEmpty()) {
      texts.add("No interval (n/a) where: " + String.join("; ", reasons) + ".");
    }
    return texts;
  }

  /** One sentence for each publication. */
  public List<String> publications() {
    Set<String> texts = new LinkedHashSet<>();
    for (ComparedSystem system : comparison.systems()) {
      system.publication().ifPresent(publication -> texts.add(text(publication)));
    }
    return List.copyOf(texts);
  }

  private String text(Publication publication) {
    List<String> names =
        comparison.systems().stream()
            .filter(system -> system.publication().equals(Optional.of(publication)))
            .map(ComparedSystem::name)
            .toList();
    String address = publication.address().isEmpty() ? "" : ", " + publication.address();
    String remark = publication.remark().isEmpty() ? "" : " " + publication.remark();
    return "%s: published figures, not measured by us. Source: %s, %s%s.%s"
        .formatted(
            String.join(", ", names),
            publication.title(),
            publication.publisher(),
            address,
            remark);
  }
}
