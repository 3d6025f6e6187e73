package io.shardmark.driver.sweep;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides which value a search tries next, from what was tried so far and nothing else: so a search
 * that was interrupted goes on by itself once its trials are read again. Pure.
 *
 * <p>It doubles from the least value until the limits no longer hold (or the main metric falls),
 * then halves the gap. Runs are noisy: before it says that a value is the greatest, that value and,
 * if it failed, the next one above have been run twice with the same outcome, or three times.
 */
final class Search {
  /** So much below the best is past the peak. */
  private static final double FALLEN = 0.95;

  /** So many values above the best are past the peak too: a plateau. */
  private static final int PLATEAU = 2;

  /** The value that is found and the one above it are run once more. */
  private static final int REPETITIONS = 2;

  private final SearchGoal goal;
  private final Grid grid;
  private final NavigableMap<Integer, Tried> tried = new TreeMap<>();

  Search(SearchGoal goal, Grid grid, List<Trial> trials) {
    this.goal = goal;
    this.grid = grid;
    for (Trial trial : trials) {
      tried.merge(trial.value(), Tried.of(trial), Tried::and);
    }
  }

  /**
   * One run.
   *
   * @param holds whether it held the response time limits
   * @param peak of the main metric; counts only if it did
   */
  record Trial(int value, boolean holds, double peak) {}

  sealed interface Next permits Probe, Found, NoneHolds {}

  /**
   * Run this.
   *
   * @param repetition from 1
   * @param mostLeft how many probes may follow, this one included; a guess
   */
  record Probe(int value, int repetition, int mostLeft) implements Next {}

  /** The search is over: this is the value. */
  record Found(int value) implements Next {}

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
        tried.entrySet().stream()
            .filter(entry -> entry.getValue().held() == entry.getValue().missed())
            .map(Map.Entry::getKey)
            .findFirst();
    if (undecided.isPresent()) {
      return probe(undecided.get());
    }
    Optional<Integer> ceiling =
        tried.entrySet().stream()
            .filter(entry -> !entry.getValue().holds())
            .map(Map.Entry::getKey)
            .findFirst();
    NavigableMap<Integer, Tried> holding =
        ceiling.map(value -> tried.headMap(value, false)).orElse(tried);
    if (holding.isEmpty()) {
      return confirmed(grid.from()) ? new NoneHolds() : probe(grid.from());
    }
    return goal.isPeak() ? nextForPeak(ceiling, holding) : nextForMost(ceiling, holding);
  }

  private Next nextForMost(Optional<Integer> ceiling, NavigableMap<Integer, Tried> holding) {
    int most = holding.lastKey();
    if (ceiling.isEmpty()) {
      return most < grid.to() ? probe(grid.twice(most)) : confirm(most);
    }
    if (!grid.isNarrow(most, ceiling.get())) {
      return probe(grid.middle(most, ceiling.get()));
    }
    return confirmed(most) ? confirm(ceiling.get(), most) : probe(most);
  }

  private Next nextForPeak(Optional<Integer> ceiling, NavigableMap<Integer, Tried> holding) {
    int best = holding.firstKey();
    for (Map.Entry<Integer, Tried> entry : holding.entrySet()) {
      if (entry.getValue().mean() > tried(best).mean()) {
        best = entry.getKey();
      }
    }
    int last = holding.lastKey();
    boolean past =
        tried(last).mean() < FALLEN * tried(best).mean()
            || holding.tailMap(best, false).size() >= PLATEAU;
    if (ceiling.isEmpty() && !past && last < grid.to()) {
      return probe(grid.twice(last));
    }
    Integer below = tried.lowerKey(best);
    Integer above = tried.higherKey(best);
    boolean openBelow = below != null && !grid.isNarrow(below, best);
    boolean openAbove = above != null && !grid.isNarrow(best, above);
    if (openAbove && above != null) {
      return probe(grid.middle(best, above));
    }
    if (openBelow && below != null) {
      return probe(grid.middle(below, best));
    }
    return confirm(best);
  }

  private Next confirm(int value) {
    return confirm(value, value);
  }

  /** Found, if a value has been run often enough. */
  private Next confirm(int value, int found) {
    return confirmed(value) ? new Found(found) : probe(value);
  }

  private boolean confirmed(int value) {
    return tried(value).runs() >= 2;
  }

  private Probe probe(int value) {
    return new Probe(value, tried(value).runs() + 1, mostLeft());
  }

  private Tried tried(int value) {
    return tried.getOrDefault(value, new Tried(0, 0, 0));
  }

  /**
   * How many probes may follow at most if nothing odd happens: doublings, halvings, repetitions.
   */
  private int mostLeft() {
    int low = grid.from();
    int high = grid.to();
    for (Map.Entry<Integer, Tried> entry : tried.entrySet()) {
      if (!entry.getValue().holds()) {
        high = entry.getKey();
        break;
      }
      low = entry.getKey();
    }
    int left = REPETITIONS;
    while (low < high && !grid.isNarrow(low, high)) {
      high = grid.middle(low, high);
      left++;
    }
    return left;
  }
}
