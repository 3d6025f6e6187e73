package io.shardmark.driver.tpcb;

import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.OperationMix.WeightedOperation;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.sql.shards.TablePlacement;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws transactions: ids uniformly from all rows, amounts from -5000 to 5000.
 *
 * @param placements of accounts, tellers and branches; none on one server
 */
record TpcbTerminal(
    TpcbScale scale,
    OperationMix<TpcbScript> mix,
    List<TablePlacement> placements,
    SplittableRandom random)
    implements Terminal {
  private static final int MOST_DELTA = 5000;

  @Override
  public Transaction next() {
    WeightedOperation<TpcbScript> part = mix.draw(random);
    int account = random.nextInt(1, scale.accounts() + 1);
    int branch = random.nextInt(1, scale.branches() + 1);
    int teller = random.nextInt(1, scale.tellers() + 1);
    int delta = random.nextInt(-MOST_DELTA, MOST_DELTA + 1);
    boolean distributed = isDistributed(part.operation(), account, branch, teller);
    return new TpcbScript.TpcbInput(
        part.operation(), part.type(), account, branch, teller, delta, distributed);
  }

  /** The history row is where its teller is. */
  private boolean isDistributed(TpcbScript script, int account, int branch, int teller) {
    if (placements.isEmpty() || script.isReadOnly()) {
      return false;
    }
    int home = placements.get(0).shardOf(account);
    return placements.get(1).shardOf(teller) != home
        || (script.updatesAll() && placements.get(2).shardOf(branch) != home);
  }
}
