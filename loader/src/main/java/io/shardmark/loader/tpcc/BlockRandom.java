package io.shardmark.loader.tpcc;

/**
 * The random numbers of one block of rows. The sequence depends on seed, table, warehouse and chunk
 * alone, so that workers can take blocks in any order. SplitMix64 (Steele, Lea and Flood 2014): a
 * counter and a mixing function, a nanosecond a draw, and every block starts at its own counter
 * with its own step.
 */
final class BlockRandom {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private long state;
  private long gamma = GOLDEN_GAMMA;

  /** Starts the sequence of a block. */
  void reset(long seed, int stream, int warehouse, int chunk) {
    long block = mix(seed + GOLDEN_GAMMA);
    block = mix(block ^ (stream * GOLDEN_GAMMA));
    block = mix(block + warehouse * GOLDEN_GAMMA);
    state = mix(block ^ (chunk * GOLDEN_GAMMA));
    gamma = mix(state + GOLDEN_GAMMA) | 1;
  }

  long nextLong() {
    state += gamma;
    return mix(state);
  }

  /**
   * TPC-C 4.3.2.5, "random within [x .. y]": uniform, both ends included. A multiplication instead
   * of a rejection loop; the widest range drawn (a million amounts) is off by one part in 4,000.
   */
  int uniform(int low, int high) {
    long range = high - low + 1L;
    return low + (int) (((nextLong() >>> 32) * range) >>> 32);
  }

  /** TPC-C 2.1.6: non-uniform random within [x .. y]. */
  int nonUniform(int a, int c, int x, int y) {
    return NonUniform.combine(uniform(0, a), uniform(x, y), c, x, y);
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
