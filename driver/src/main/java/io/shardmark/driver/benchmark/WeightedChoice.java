package io.shardmark.driver.benchmark;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * Draws one of several values, each by its whole-numbered weight: a share of their sum. Immutable,
 * if the values are.
 *
 * @param <T> what is drawn
 */
public final class WeightedChoice<T> {
  /** The largest weight that users can give. */
  public static final int MOST_WEIGHT = 1_000_000;

  private final List<T> values;

  /** Of each value, its weight and those of the values before it. */
  private final int[] sums;

  public WeightedChoice(List<T> values, ToIntFunction<T> weight) {
    this.values = List.copyOf(values);
    sums = this.values.stream().mapToInt(weight).toArray();
    for (int i = 1; i < sums.length; i++) {
      sums[i] += sums[i - 1];
    }
  }

  /** The sum of all weights; nothing can be drawn if it is 0. */
  public int sum() {
    return sums[sums.length - 1];
  }

  /** A single value is there without a draw. */
  public T draw(SplittableRandom random) {
    int at = 0;
    if (sums.length > 1) {
      int drawn = random.nextInt(sum());
      while (drawn >= sums[at]) {
        at++;
      }
    }
    return values.get(at);
  }
}
