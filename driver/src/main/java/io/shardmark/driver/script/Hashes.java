package io.shardmark.driver.script;

/** pgbench's hash functions of an integer, and a permutation of integers. */
final class Hashes {
  private static final long FNV_START = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final long MURMUR_FACTOR = 0xc6a4a7935bd1e995L;

  /** The length times the factor, which overflows. */
  private static final long MURMUR_OF_8_BYTES = MURMUR_FACTOR << 3;

  private static final int MURMUR_SHIFT = 47;
  private static final int ROUNDS = 4;

  private Hashes() {}

  /** FNV-1a over the eight bytes, the lowest first. */
  static long fnv1a(long value, long seed) {
    long hash = FNV_START ^ seed;
    for (int bit = 0; bit < Long.SIZE; bit += Byte.SIZE) {
      hash = (hash ^ (value >>> bit & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /** MurmurHash64A of one word of eight bytes. */
  static long murmur2(long value, long seed) {
    long word = value * MURMUR_FACTOR;
    word = (word ^ word >>> MURMUR_SHIFT) * MURMUR_FACTOR;
    long hash = ((seed ^ MURMUR_OF_8_BYTES) ^ word) * MURMUR_FACTOR;
    hash = (hash ^ hash >>> MURMUR_SHIFT) * MURMUR_FACTOR;
    return hash ^ hash >>> MURMUR_SHIFT;
  }

  /**
   * Where a permutation of 0 to size - 1, one for each seed, has the value modulo size. A Feistel
   * network permutes the next larger power of four; what falls outside is permuted again. It is not
   * the permutation that pgbench has for the seed.
   */
  static long permute(long value, long size, long seed) {
    if (size <= 0) {
      throw new ScriptException("permute: the size is %d, expected 1 or more".formatted(size));
    }
    int half = (Long.SIZE - Long.numberOfLeadingZeros(size - 1) + 1) / 2;
    long mask = (1L << half) - 1;
    long at = Math.floorMod(value, size);
    do {
      long left = at >>> half;
      long right = at & mask;
      for (int round = 0; round < ROUNDS; round++) {
        long next = left ^ (murmur2(right, seed + round) & mask);
        left = right;
        right = next;
      }
      at = left << half | right;
    } while (at >= size || at < 0);
    return at;
  }
}
