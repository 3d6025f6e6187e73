package io.shardmark.config;

/** Key {@code resultRows}: what {@code data/result.csv} holds, and so how large it grows. */
public enum ResultRows implements NamedConstant {
  /** One row for each transaction, as BenchmarkSQL writes it: about 30 bytes each. */
  ALL,
  /**
   * Every n-th transaction (key {@code resultSampleEvery}); counts in the other files stay exact.
   */
  SAMPLED,
  /**
   * No rows; per-second aggregates in {@code data/per_second.csv} only, which are written in every
   * mode.
   */
  NONE
}
