package io.shardmark.driver.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.sweep.Search.Next;
import io.shardmark.driver.sweep.Search.NoneHolds;
import io.shardmark.driver.sweep.Search.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SearchTest {
  private static final int MOST_PROBES = 60;

  private final List<Trial> trials = new ArrayList<>();

  /** Searches to the end on a system that answers as told. */
  private Next search(SearchGoal goal, Grid grid, Function<Search.SearchProbe, Trial> system) {
    for (int i = 0; i < MOST_PROBES; i++) {
      Next next = new Search(goal, grid, trials).next();
      if (next instanceof Search.SearchProbe probe) {
        assertThat(probe.value()).isBetween(grid.from(), grid.to());
        long before = trials.stream().filter(trial -> trial.value() == probe.value()).count();
        assertThat(probe.repetition()).isEqualTo((int) before + 1);
        trials.add(system.apply(probe));
      } else {
        return next;
      }
    }
    throw new AssertionError("no end after " + trials);
  }

  private static Function<Search.SearchProbe, Trial> holdsUpTo(int limit) {
    return probe -> new Trial(probe.value(), probe.value() <= limit, probe.value());
  }

  private List<Integer> values() {
    return trials.stream().map(Trial::value).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1000, 1",
    "1, 1000, 2",
    "1, 1000, 3",
    "1, 1000, 37",
    "1, 1000, 64",
    "1, 1000, 999",
    "10, 2000000000, 1234567",
    "5, 9, 8",
    "1, 1000, 1000",
    "1, 1000, 5000"
  })
  void findsTheLastValueThatHolds(int from, int to, int limit) {
    Next found = search(SearchGoal.TERMINALS, new Grid(from, to, 1, 5), holdsUpTo(limit));

    assertThat(found).isEqualTo(new Search.FoundPoint(Math.min(limit, to)));
  }

  @Test
  void doublesThenHalvesThenConfirmsBothSides() {
    Next found = search(SearchGoal.TERMINALS, new Grid(1, 1000, 1, 5), holdsUpTo(11));

    assertThat(values()).containsExactly(1, 2, 4, 8, 16, 12, 10, 11, 11, 12);
    assertThat(found).isEqualTo(new Search.FoundPoint(11));
  }

  @Test
  void stepsAreCountedFromTheLeastValue() {
    Next found = search(SearchGoal.TERMINALS, new Grid(5, 1000, 10, 5), holdsUpTo(62));

    assertThat(values()).allMatch(value -> value % 10 == 5);
    assertThat(found).isEqualTo(new Search.FoundPoint(55));
  }

  @Test
  void withoutAStepNearIsNearEnough() {
    search(SearchGoal.SCALE, new Grid(1, 10_000, 0, 5), holdsUpTo(1000));

    assertThat(trials).hasSizeLessThan(20);
    Next next = new Search(SearchGoal.SCALE, new Grid(1, 10_000, 0, 5), trials).next();
    assertThat(((Search.FoundPoint) next).value()).isBetween(950, 1000);
  }

  @Test
  void saysSoIfNotEvenTheLeastHolds() {
    Next next = search(SearchGoal.TERMINALS, new Grid(10, 1000, 1, 5), holdsUpTo(9));

    assertThat(next).isEqualTo(new NoneHolds());
    assertThat(values()).containsExactly(10, 10);
  }

  /** One run below the limit fails by chance, or one above it holds. */
  @ParameterizedTest
  @ValueSource(ints = {16, 24})
  void oneOutlierIsOutvoted(int outlier) {
    Next found =
        search(
            SearchGoal.TERMINALS,
            new Grid(1, 1000, 1, 5),
            probe -> {
              boolean isOutlier = probe.value() == outlier && probe.repetition() == 1;
              return new Trial(probe.value(), (probe.value() <= 20) != isOutlier, 1);
            });

    assertThat(found).isEqualTo(new Search.FoundPoint(20));
  }

  @ParameterizedTest
  @CsvSource({"1, 500, 37", "1, 500, 1", "1, 500, 500", "10, 100, 64"})
  void findsThePeakOfThroughput(int from, int to, int peak) {
    Next next =
        search(
            new SearchGoal("tpmC"),
            new Grid(from, to, 1, 5),
            probe -> new Trial(probe.value(), true, 1000 - Math.abs(probe.value() - peak)));

    assertThat(next).isEqualTo(new Search.FoundPoint(peak));
  }

  @Test
  void thePeakLiesWhereTheLimitsHold() {
    Next next =
        search(
            new SearchGoal("tpmC"),
            new Grid(1, 500, 1, 5),
            probe -> new Trial(probe.value(), probe.value() <= 40, probe.value()));

    assertThat(next).isEqualTo(new Search.FoundPoint(40));
  }

  /** A plateau with noise of two percent: an end, and a value on the plateau. */
  @Test
  void aNoisyPlateauEnds() {
    SplittableRandom random = new SplittableRandom(20_261_121);
    Next next =
        search(
            new SearchGoal("tpmC"),
            new Grid(1, 10_000, 0, 12),
            probe ->
                new Trial(
                    probe.value(),
                    true,
                    Math.min(probe.value(), 32) * (98 + random.nextInt(5)) / 100.0));

    assertThat(((Search.FoundPoint) next).value()).isGreaterThanOrEqualTo(30);
    assertThat(trials).hasSizeLessThan(30);
  }

  /** A search that is asked again after each trial, from the trials alone, takes the same path. */
  @Test
  void theNextProbeFollowsFromTheTrialsWhateverTheirOrder() {
    search(SearchGoal.TERMINALS, new Grid(1, 1000, 1, 5), holdsUpTo(77));
    List<Trial> shuffled = new ArrayList<>(trials);
    java.util.Collections.reverse(shuffled);

    assertThat(new Search(SearchGoal.TERMINALS, new Grid(1, 1000, 1, 5), shuffled).next())
        .isEqualTo(new Search.FoundPoint(77));
  }
}
