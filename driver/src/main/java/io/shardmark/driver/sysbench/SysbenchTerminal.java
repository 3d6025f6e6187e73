package io.shardmark.driver.sysbench;

import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.sysbench.SysbenchTest.Operations;
import java.util.SplittableRandom;

/** Draws transactions: a table for each kind of statement, an id for each statement. */
@SuppressWarnings("EnumOrdinal") // indexes small arrays of this process; never stored
final class SysbenchTerminal implements Terminal {
  private final TransactionType type;
  private final Operations operations;
  private final int tables;
  private final KeyDistribution keys;
  private final SysbenchPlacement placement;
  private final SplittableRandom random;
  private final DigitGroups digits = new DigitGroups();

  SysbenchTerminal(
      TransactionType type, Load load, SysbenchPlacement placement, SplittableRandom random) {
    this.type = type;
    this.operations = load.operations();
    this.tables = load.tables();
    this.keys = load.keys();
    this.placement = placement;
    this.random = random;
  }

  /**
   * What all terminals have in common.
   *
   * @param tables how many there are
   */
  record Load(Operations operations, int tables, KeyDistribution keys) {}

  @Override
  public Transaction next() {
    int[] tableOf = new int[StatementKind.COUNT];
    for (int kind = 0; kind < tableOf.length; kind++) {
      tableOf[kind] = tables == 1 ? 1 : random.nextInt(1, tables + 1);
    }
    tableOf[StatementKind.INSERT.ordinal()] = tableOf[StatementKind.DELETE.ordinal()];
    int[] ids = new int[operations.draws()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = keys.next(random);
    }
    String[] texts = new String[operations.nonIndexUpdates() + 2 * operations.deleteInserts()];
    int at = 0;
    while (at < operations.nonIndexUpdates()) {
      texts[at++] = digits.text(random, DigitGroups.C_LENGTH);
    }
    while (at < texts.length) {
      texts[at++] = digits.text(random, DigitGroups.C_LENGTH);
      texts[at++] = digits.text(random, DigitGroups.PAD_LENGTH);
    }
    return new SysbenchInput(
        type, tableOf, ids, texts, placement.isDistributed(operations, tableOf, ids));
  }
}
