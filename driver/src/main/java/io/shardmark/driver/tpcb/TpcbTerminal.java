package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import java.util.SplittableRandom;

/** Draws transactions: ids uniformly from all rows, amounts from -5000 to 5000. */
final class TpcbTerminal implements Terminal {
  private static final int MOST_DELTA = 5000;

  private final TpcbScale scale;
  private final OperationMix<TpcbScript> mix;
  private final TpcbPlacement placement;
  private final SplittableRandom random;

  TpcbTerminal(
      TpcbScale scale,
      OperationMix<TpcbScript> mix,
      TpcbPlacement placement,
      SplittableRandom random) {
    this.scale = scale;
    this.mix = mix;
    this.placement = placement;
    this.random = random;
  }

  @Override
  public Transaction next() {
    OperationMix.Part<TpcbScript> part = mix.draw(random);
    int account = random.nextInt(1, scale.accounts() + 1);
    int branch = random.nextInt(1, scale.branches() + 1);
    int teller = random.nextInt(1, scale.tellers() + 1);
    int delta = random.nextInt(-MOST_DELTA, MOST_DELTA + 1);
    boolean distributed = placement.isDistributed(part.operation(), account, branch, teller);
    return new TpcbInput(
        part.operation(), part.type(), account, branch, teller, delta, distributed);
  }
}
