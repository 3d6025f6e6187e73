package io.shardmark.driver.sysbench;

import io.shardmark.config.PropertyReader;
import java.util.SplittableRandom;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateDiscreteSampler;

/**
 * How ids are drawn. Immutable, safe on any thread. Written from what sysbench 1.0 draws: {@code
 * special} and {@code pareto} have the same hot ids here and there.
 */
@FunctionalInterface
interface KeyDistribution {
  /** Draws a number from 1 to the size it was made for. */
  int next(SplittableRandom random);

  /**
   * By the key {@code randType} and those that go with it.
   *
   * @param size numbers are 1 to this
   */
  static KeyDistribution of(PropertyReader values, int size) {
    int iterations = values.integer(SysbenchKey.RAND_SPEC_ITER);
    return switch (values.constant(SysbenchKey.RAND_TYPE, Name.class)) {
      case UNIFORM -> random -> random.nextInt(1, size + 1);
      case GAUSSIAN -> random -> bell(random, size, iterations);
      case SPECIAL ->
          special(
              size,
              iterations,
              values.integer(SysbenchKey.RAND_SPEC_PCT),
              values.integer(SysbenchKey.RAND_SPEC_RES));
      case PARETO -> pareto(size, paretoH(values));
      case ZIPFIAN -> zipfian(size, values.decimal(SysbenchKey.RAND_ZIPFIAN_EXP).doubleValue());
    };
  }

  /** The values of the key {@code randType}. */
  enum Name {
    UNIFORM,
    GAUSSIAN,
    SPECIAL,
    PARETO,
    ZIPFIAN
  }

  private static double paretoH(PropertyReader values) {
    double h = values.decimal(SysbenchKey.RAND_PARETO_H).doubleValue();
    if (h <= 0 || h >= 1) {
      throw values.bad(SysbenchKey.RAND_PARETO_H, "a number above 0 and below 1");
    }
    return h;
  }

  /** The mean of uniform draws. */
  private static int bell(SplittableRandom random, int size, int iterations) {
    double sum = 0;
    for (int i = 0; i < iterations; i++) {
      sum += random.nextDouble();
    }
    return atFraction(sum / iterations, size);
  }

  /**
   * A bell over all ids, and hot ids in the middle. One draw decides both whether the id is hot and
   * which of the middle percent it is: therefore the hot ones are the upper part of these.
   */
  private static KeyDistribution special(int size, int iterations, int hotPercent, int hotShare) {
    double bellShare = 1 - hotShare / 100.0;
    double width = Math.max(1, size * (hotPercent / 100.0));
    double first = (size - width) / 2;
    return random -> {
      double draw = random.nextDouble();
      if (draw < bellShare) {
        return bell(random, size, iterations);
      }
      return Math.min(size, 1 + (int) (first + draw * width));
    };
  }

  /** The share h of the ids gets the share 1 - h of the draws, and so on within it. */
  private static KeyDistribution pareto(int size, double h) {
    double power = Math.log(h) / Math.log(1 - h);
    return random -> atFraction(Math.pow(random.nextDouble(), power), size);
  }

  /** Rank r with a chance in proportion to 1 / r^exponent. */
  private static KeyDistribution zipfian(int size, double exponent) {
    SharedStateDiscreteSampler ranks =
        RejectionInversionZipfSampler.of(new SplittableRandom()::nextLong, size, exponent);
    return random -> ranks.withUniformRandomProvider(random::nextLong).sample();
  }

  private static int atFraction(double fraction, int size) {
    return Math.min(size, 1 + (int) (fraction * size));
  }
}
