package io.shardmark.driver.benchmark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
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

  /**
   * Reads pgbench's form {@code name@weight, ...}, in which a name alone has the weight 1.
   *
   * @param named the value of a name; throws {@link IllegalArgumentException} for another one
   * @param once what is expected where one stands twice
   * @return weights by value, in the order of the text
   * @throws IllegalArgumentException with what was expected
   */
  public static <T> Map<T, Integer> parse(String text, Function<String, T> named, String once) {
    Map<T, Integer> weights = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      String[] nameAndWeight = part.strip().split("\\s*@\\s*", 2);
      T value = named.apply(nameAndWeight[0]);
      if (weights.containsKey(value)) {
        throw new IllegalArgumentException(once);
      }
      weights.put(value, nameAndWeight.length < 2 ? 1 : weight(nameAndWeight[1]));
    }
    return weights;
  }

  private static int weight(String text) {
    if (!text.matches("\\d{1,7}") || Integer.parseInt(text) > MOST_WEIGHT) {
      throw new IllegalArgumentException(
          "name@weight, the weight a whole number from 0 to " + MOST_WEIGHT);
    }
    return Integer.parseInt(text);
  }
}
