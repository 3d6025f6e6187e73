package io.shardmark.driver.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.results.Texts;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LimitsTest {
  /** They choose what a sentence or a table shows; no figure is judged by them. */
  private static final Set<String> OF_WORDING =
      Set.of(
          "NEXT_RATE_SHARE",
          "LEAST_NAMED_SHARE",
          "LEAST_SHOWN_SHARE",
          "COVERED_SHARE",
          "OBSERVER_COMMITS_PER_SECOND");

  private final Map<String, String> pages = new HashMap<>();
  private final Set<String> documented = new TreeSet<>();

  @BeforeEach
  void readPages() throws IOException {
    for (String name : Set.of("measurement.md", "compare.md", "sweep.md", "adversity.md")) {
      String text = Files.readString(Path.of("../docs").resolve(name));
      pages.put(name, text.replaceAll("\\s+", " "));
    }
  }

  @Test
  void documentsSayEveryLimit() throws IllegalAccessException {
    says("MOST_FAILED_SHARE", "more than %s %% failed", percent(Limits.MOST_FAILED_SHARE));
    says("HELD_RATE_SHARE", "fewer than %s %% of what the", percent(Limits.HELD_RATE_SHARE));
    says("AT_LIMIT_SHARE", "%s %% of that limit was", percent(Limits.AT_LIMIT_SHARE));
    says("MOST_FOREIGN_COMMITS", "more than %s %% of the s", percent(Limits.MOST_FOREIGN_COMMITS));
    says("FEWEST_FOREIGN_PER_SECOND", "and %s a second, were", Limits.FEWEST_FOREIGN_PER_SECOND);
    says("SHORTEST_RUN_SECONDS", "less than %s, or", minutes(Limits.SHORTEST_RUN_SECONDS));
    says("FEWEST_TRANSACTIONS", "or fewer than %s successes", Limits.FEWEST_TRANSACTIONS);
    says("SHORTEST_QUIET_SECONDS", "and for %s s or longer no", Limits.SHORTEST_QUIET_SECONDS);
    says("EXPECTED_IN_QUIET", "run %s transactions would have", Limits.EXPECTED_IN_QUIET);
    says("STUCK_MILLIS", "transactions of %s s or longer", Limits.STUCK_MILLIS / 1000);
    says("STUCK_TIMES", "and %s times as long as half", Limits.STUCK_TIMES);
    says("MOST_STUCK_SHARE", "took more than %s %% of all time", percent(Limits.MOST_STUCK_SHARE));
    says("MOST_CORE_SHARE", "| %s %% of the processors it", percent(Limits.MOST_CORE_SHARE));
    says("MOST_MACHINE_SHARE", "machine were %s %% busy", percent(Limits.MOST_MACHINE_SHARE));
    says("LEAST_SHORT_SHARE", "or %s %% busy and not free", percent(Limits.LEAST_SHORT_SHARE));
    says("MOST_GC_SHARE", "is less | %s %% of the interval", percent(Limits.MOST_GC_SHARE));
    says("LONGEST_HELD_UP_SECONDS", "| %s s at once, or", Limits.LONGEST_HELD_UP_SECONDS);
    says("MOST_HELD_UP_SHARE", "at once, or %s %% of", percent(Limits.MOST_HELD_UP_SHARE));
    says("MOST_STALL_SHARE", "| %s %% of their time", percent(Limits.MOST_STALL_SHARE));
    says("FREE_LATENESS_MILLIS", "| %s ms, or a tenth", Limits.FREE_LATENESS_MILLIS);
    says("MOST_LATENESS_SHARE", "ms, or %s of the median", fraction(Limits.MOST_LATENESS_SHARE));
    says("FEWEST_FOR_LATENESS", "p99 of at least %s |", Limits.FEWEST_FOR_LATENESS);
    says("MOST_RUNNABLE_DELAY", "| %s %%, if that is", percent(Limits.MOST_RUNNABLE_DELAY));
    says("FREE_RUNNABLE_DELAY", "if that is %s of the", fraction(Limits.FREE_RUNNABLE_DELAY));
    says("OUTSTANDING_SHARE", "at least %s %%, of the time", percent(Limits.OUTSTANDING_SHARE));
    says(
        "MOST_FALSE_ALARMS", "Of %s honest runs at most", Math.round(1 / Limits.MOST_FALSE_ALARMS));
    says("LEAST_JUDGED_SHARE", "at least %s of its rules", fraction(Limits.LEAST_JUDGED_SHARE));
    says("USUAL_SPREADS", "and %s spreads to both", word(Limits.USUAL_SPREADS));
    says("MOST_USUAL_RUNS", "median of the last %s,", Limits.MOST_USUAL_RUNS);
    says("FEWEST_USUAL_RUNS", "The first %s runs have no", word(Limits.FEWEST_USUAL_RUNS));
    says("LEAST_USUAL_SHARE", "%s percent of the median", word(100 * Limits.LEAST_USUAL_SHARE));
    says("LIKE_LENGTH_FACTOR", "by more than %s)", fraction(Limits.LIKE_LENGTH_FACTOR - 1));
    says("LIKE_FILL_FACTOR", "larger by more than %s", fraction(Limits.LIKE_FILL_FACTOR - 1));
    says("LIKE_EVENT_SECONDS", "began more than %s s apart", Limits.LIKE_EVENT_SECONDS);
    says("EVENT_SECONDS", "**before** (up to %s s,", Limits.EVENT_SECONDS);
    says("EVENT_MEAN_SECONDS", "by means of %s seconds in", word(Limits.EVENT_MEAN_SECONDS));
    says("EVENT_BACK_SHARE", "it was below %s %% of the", percent(Limits.EVENT_BACK_SHARE));
    says("EVENT_OUTAGE_SHARE", "below %s %% of the usual", percent(Limits.EVENT_OUTAGE_SHARE));
    says("FEWEST_REPETITIONS", "points, %s times at least", word(Limits.FEWEST_REPETITIONS));
    says("FURTHER_REPETITIONS", "The %s further repet", word(Limits.FURTHER_REPETITIONS));
    says("NEAR_PERCENT", "to about %s (tpmC", fraction(0.01 * Limits.NEAR_PERCENT));
    says("NEAR_PEAK_PERCENT", "(tpmC: %s)", fraction(0.01 * Limits.NEAR_PEAK_PERCENT));
    says("PAST_PEAK_SHARE", "falls by more than %s %%,", percent(1 - Limits.PAST_PEAK_SHARE));
    assertThat(documented).containsExactlyInAnyOrderElementsOf(judgedBy());
  }

  @Test
  void thresholdsOfEveryRunAreTheLimits() {
    assertThat(Thresholds.DEFAULT).isEqualTo("errors>1%, outageAtEnd>=2s");
    assertThat(pages.get("measurement.md")).contains("it is `" + Thresholds.DEFAULT + "`");
    assertThat(pages.get("sweep.md"))
        .contains("at most %s %% of all".formatted(percent(Limits.MOST_FAILED_SHARE)))
        .contains("reached %s %% of the rate".formatted(percent(Limits.HELD_RATE_SHARE)));
  }

  /** Alert rules and dashboards mark what the verdict would say. */
  @Test
  void monitoringKnowsTheLimits() throws IOException {
    assertThat(Files.readString(Path.of("../config/prometheus-alerts.yml")))
        .contains("> %s * sum".formatted(Limits.MOST_FAILED_SHARE));
    assertThat(Files.readString(Path.of("../config/grafana-driver.json")))
        .contains("\"value\": " + Limits.MOST_FAILED_SHARE)
        .contains("\"value\": " + Limits.MOST_GC_SHARE);
  }

  private void says(String limit, String sentence, Object value) {
    String shown = value instanceof Number number ? Texts.three(number.doubleValue()) : "" + value;
    assertThat(pages.values())
        .as(limit)
        .anySatisfy(page -> assertThat(page).contains(sentence.formatted(shown)));
    documented.add(limit);
  }

  private static Set<String> judgedBy() throws IllegalAccessException {
    Set<String> names = new TreeSet<>();
    for (Field field : Limits.class.getDeclaredFields()) {
      assertThat(Modifier.isPublic(field.getModifiers())).as(field.getName()).isTrue();
      assertThat(((Number) field.get(null)).doubleValue()).as(field.getName()).isPositive();
      names.add(field.getName());
    }
    names.removeAll(OF_WORDING);
    return names;
  }

  private static String percent(double share) {
    return Texts.number(100 * share);
  }

  private static String minutes(double seconds) {
    return seconds == 60 ? "a minute" : Texts.number(seconds / 60) + " minutes";
  }

  private static String fraction(double share) {
    return Map.of(2L, "half", 8L, "an eighth", 10L, "a tenth", 20L, "a twentieth")
        .getOrDefault(Math.round(1 / share), "another share");
  }

  private static String word(double number) {
    return Arrays.asList("no", "one", "two", "three", "four", "five", "six", "seven")
        .get((int) Math.round(number));
  }
}
