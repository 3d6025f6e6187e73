package io.shardmark.driver.benchmark;

import io.shardmark.config.RunConfig;
import java.util.SplittableRandom;

/** The random stream of each terminal of a run. */
public final class TerminalRandom {
  private TerminalRandom() {}

  /**
   * A stream that depends on the seed and the terminal alone.
   *
   * @param index of the terminal in this process, from 0
   */
  public static SplittableRandom of(RunConfig run, int index) {
    // Not seed + index: neighbouring seeds must not give neighbouring terminals the same stream.
    // Nor the terminals of another driver of the same run.
    long terminal = (long) run.firstTerminal() + index;
    return new SplittableRandom(run.seed() * 31 + 1_000_003L * (terminal + 1));
  }
}
