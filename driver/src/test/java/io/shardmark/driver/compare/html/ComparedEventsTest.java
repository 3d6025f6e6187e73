package io.shardmark.driver.compare.html;

import static io.shardmark.driver.compare.html.ComparisonTest.compare;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.Flag;
import io.shardmark.driver.compare.MadeRuns;
import io.shardmark.driver.report.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Systems under the same events, in one comparison. */
final class ComparedEventsTest {
  private static final String BEFORE_IT = "\"databaseFigures\" :";

  @TempDir private Path temporary;

  /** A run with a crash that lasts 10 s. */
  private Path crashed(String name, double atSeconds, int dipPercent, String back, int failed)
      throws IOException {
    String adversity =
        """
        "adversity": {"events": [{"label": "crash", "command": "@kill %s", "atSeconds": %s, "seconds": 10,
          "outcome": "", "before": {"seconds": 20, "perSecond": 100, "p99Millis": 40},
          "during": {"seconds": 10, "perSecond": 50, "p99Millis": 1500},
          "after": {"seconds": 20, "perSecond": 99}, "dipPercent": %d, "dipSeconds": 14,
          "backAfterSeconds": %s, "failed": %d, "lost": 3, "wrong": 1}]},
        """
            .formatted(name, atSeconds, dipPercent, back, failed);
    return MadeRuns.ours(temporary.resolve(name), BEFORE_IT, adversity + BEFORE_IT);
  }

  private static List<Object> areas(Comparison comparison) {
    return new ComparisonPage(comparison)
        .build().sections().stream()
            .flatMap(section -> section.blocks().stream())
            .filter(Page.Chart.class::isInstance)
            .map(Page.Chart.class::cast)
            .filter(chart -> chart.id().startsWith("chart-time-"))
            .map(chart -> chart.spec().getOrDefault("events", "none"))
            .toList();
  }

  @Test
  void oneTableHasTheEventsAndAColumnForEachSystem() throws IOException {
    Comparison comparison =
        compare(
            "a=" + crashed("a1", 30.1, 60, "15", 7),
            "a=" + crashed("a2", 30.2, 70, "null", 8),
            "b=" + crashed("b", 30.9, 80, "12", 2000));

    assertThat(ComparisonFiles.markdown(comparison))
        .contains(
            "| Event | a | b |",
            "| crash | at 30 s | at 31 s |",
            "| Successes a second before / during / after | 100 / 50 / 99 | 100 / 50 / 99 |",
            "| p99 before / during / after, ms | 40 / 1,500 / – | 40 / 1,500 / – |",
            "| Depth of the dip | 65 % | 80 % |",
            "| Length of the dip | 14 s | 14 s |",
            "| Back at 95 % after | never in 1 of 2 runs | 12 s |",
            "| Failed / lost / wrong | 7.5 / 3 / 1 | 2,000 / 3 / 1 |")
        .doesNotContain("event crash:");
    assertThat(comparison.alike()).contains("Events");
    assertThat(ComparisonFiles.json(comparison)).contains("\"label\" : \"crash\"");
    Map<String, Object> area = Map.of("name", "crash", "from", 30.1, "to", 40.9);
    assertThat(areas(comparison)).containsExactly(List.of(area), List.of(area));
  }

  @Test
  void eventsThatARunLacksOrThatBeganApartAreFlagged() throws IOException {
    String early = "early=" + crashed("early", 20, 60, "15", 7);
    String late = "late=" + crashed("late", 40, 60, "15", 7);
    Comparison apart = compare(early, late);
    Comparison lacking = compare(early, "none=" + MadeRuns.ours(temporary.resolve("none")));

    assertThat(apart.flags())
        .contains(new Flag("Events", "early: crash at 20 s; late: crash at 40 s."));
    assertThat(areas(apart).get(0).toString()).contains("crash, early", "crash, late");
    assertThat(lacking.flags()).contains(new Flag("Events", "early: crash at 20 s; none: none."));
    assertThat(ComparisonFiles.markdown(lacking))
        .contains("| crash | at 20 s | – |", "| Depth of the dip | 60 % | – |");
  }

  @Test
  void aComparisonWithoutEventsSaysNothingOfThem() throws IOException {
    Comparison comparison =
        compare(
            "a=" + MadeRuns.ours(temporary.resolve("a")),
            "b=" + MadeRuns.ours(temporary.resolve("b")));

    assertThat(comparison.alike()).doesNotContain("Events");
    assertThat(ComparisonFiles.markdown(comparison)).doesNotContain("## Adversity");
    assertThat(areas(comparison)).containsOnly("none");
  }
}
