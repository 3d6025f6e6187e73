package io.shardmark.driver.sweep;

import io.shardmark.driver.judge.Limits;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides which value a search tries next, from what was tried so far and nothing else: so a search
 * that was interrupted goes on once its trials are read again. Pure.
 *
 * <p>It doubles from the least value until the limits no longer hold (or the main metric falls),
 * then halves the gap. Runs are noisy: before it says that a value is the greatest, that value and,
 * if it failed, the next one above have been run twice with the same outcome, or three times.
 */
final class Search {
  /** So many values above the best are past the peak too: a plateau. */
  private static final int PLATEAU = 2;

  /** The value that is found and the one above it are run once more. */
  private static final int REPETITIONS = 2;

  private final SearchGoal goal;
  private final Grid grid;
  private final NavigableMap<Integer, Tried> tried = new TreeMap<>();

  /** The least value that does not hold the limits. */
  private final Optional<Integer> ceiling;

  /** Those below it. */
  private final NavigableMap<Integer, Tried> holding;

  Search(SearchGoal goal, Grid grid, List<Trial> trials) {
    this.goal = goal;
    this.grid = grid;
    for (Trial trial : trials) {
      tried.merge(trial.value(), Tried.of(trial), Tried::and);
    }
    ceiling = tried.keySet().stream().filter(value -> !tried(value).holds()).findFirst();
    holding = ceiling.map(value -> tried.headMap(value, false)).orElse(tried);
  }

  /**
   * One run.
   *
   * @param holds whether it held the response time limits
   * @param peak of the main metric; counts only if it did
   */
  record Trial(int value, boolean holds, double peak) {}

  sealed interface Next permits SearchProbe, FoundPoint, NoneHolds {}

  /**
   * Run this.
   *
   * @param repetition from 1
   * @param mostLeft how many probes may follow, this one included; a guess
   */
  record SearchProbe(int value, int repetition, int mostLeft) implements Next {}

  /** The search is over: this is the value. */
  record FoundPoint(int value) implements Next {}

  /** The search is over: not even the least value holds the limits. */
  record NoneHolds() implements Next {}

  /** All runs of one value. */
  private record Tried(int held, int missed, double sum) {
    static Tried of(Trial trial) {
      return trial.holds() ? new Tried(1, 0, trial.peak()) : new Tried(0, 1, 0);
    }

    Tried and(Tried other) {
      return new Tried(held + other.held, missed + other.missed, sum + other.sum);
    }

    int runs() {
      return held + missed;
    }

    boolean holds() {
      return held > missed;
    }

    double mean() {
      return sum / held;
    }
  }

  Next next() {
    if (tried.isEmpty()) {
      return probe(grid.from());
    }
    Optional<Integer> undecided =
        tried.keySet().stream()
            .filter(value -> tried(value).held() == tried(value).missed())
            .findFirst();
    if (undecided.isPresent()) {
      return probe(undecided.get());
    }
    if (holding.isEmpty()) {
      return confirmed(grid.from()) ? new NoneHolds() : probe(grid.from());
    }
    return goal.isPeak() ? nextForPeak() : nextForMost();
  }

  private Next nextForMost() {
    int most = holding.lastKey();
    if (ceiling.isEmpty()) {
      return most < grid.to() ? probe(grid.twice(most)) : confirm(most, most);
    }
    if (!grid.isNarrow(most, ceiling.get())) {
      return probe(grid.middle(most, ceiling.get()));
    }
    return confirmed(most) ? confirm(ceiling.get(), most) : probe(most);
  }

  private Next nextForPeak() {
    int best = holding.firstKey();
    for (int value : holding.keySet()) {
      best = tried(value).mean() > tried(best).mean() ? value : best;
    }
    int last = holding.lastKey();
    boolean past =
        tried(last).mean() < Limits.PAST_PEAK_SHARE * tried(best).mean()
            || holding.tailMap(best, false).size() >= PLATEAU;
    if (ceiling.isEmpty() && !past && last < grid.to()) {
      return probe(grid.twice(last));
    }
    Integer below = tried.lowerKey(best);
    Integer above = tried.higherKey(best);
    if (above != null && !grid.isNarrow(best, above)) {
      return probe(grid.middle(best, above));
    }
    if (below != null && !grid.isNarrow(below, best)) {
      return probe(grid.middle(below, best));
    }
    return confirm(best, best);
  }

  /** Found, if a value has been run often enough. */
  private Next confirm(int value, int found) {
    return confirmed(value) ? new FoundPoint(found) : probe(value);
  }

  private boolean confirmed(int value) {
    return tried(value).runs() >= REPETITIONS;
  }

  private SearchProbe probe(int value) {
    return new SearchProbe(value, tried(value).runs() + 1, mostLeft());
  }

  private Tried tried(int value) {
    return tried.getOrDefault(value, new Tried(0, 0, 0));
  }

  /**
   * How many probes may follow at most if nothing odd happens: doublings, halvings, repetitions.
   */
  private int mostLeft() {
    int low = holding.isEmpty() ? grid.from() : holding.lastKey();
    int high = ceiling.orElse(grid.to());
    int left = REPETITIONS;
    while (low < high && !grid.isNarrow(low, high)) {
      high = grid.middle(low, high);
      left++;
    }
    return left;
  }
}
