package io.shardmark.driver.sysbench;

import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.sysbench.SysbenchTest.Operations;
import io.shardmark.sql.shards.TablePlacement;
import java.util.List;
import java.util.SplittableRandom;

/** Draws transactions: a table for each kind of statement, an id for each statement. */
@SuppressWarnings("EnumOrdinal") // indexes small arrays of this process; never stored
final class SysbenchTerminal implements Terminal {
  private final TransactionType type;
  private final Operations operations;
  private final int textCount;
  private final int tables;
  private final KeyDistribution keys;
  private final List<TablePlacement> placements;
  private final SplittableRandom random;
  private final DigitGroups digits = new DigitGroups();

  /**
   * @param placements of the tables; none on one server
   */
  SysbenchTerminal(
      TransactionType type, Load load, List<TablePlacement> placements, SplittableRandom random) {
    this.type = type;
    this.operations = load.operations();
    textCount = operations.statements().stream().mapToInt(StatementKind::texts).sum();
    this.tables = load.tables();
    this.keys = load.keys();
    this.placements = placements;
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
    String[] texts = new String[textCount];
    int at = 0;
    for (StatementKind kind : operations.statements()) {
      if (kind.texts() > 0) {
        texts[at++] = digits.text(random, DigitGroups.C_LENGTH);
      }
      if (kind.texts() > 1) {
        texts[at++] = digits.text(random, DigitGroups.PAD_LENGTH);
      }
    }
    return new SysbenchInput(type, tableOf, ids, texts, isDistributed(tableOf, ids));
  }

  /** Whether the rows that it writes are on more than one shard; readers need no agreement. */
  private boolean isDistributed(int[] tableOf, int[] ids) {
    if (placements.isEmpty() || !operations.inTransaction()) {
      return false;
    }
    int home = TablePlacement.NO_SHARD;
    for (int i = 0; i < ids.length; i++) {
      StatementKind kind = operations.statements().get(i);
      if (kind.writesDrawnId()) {
        int shard = placements.get(tableOf[kind.ordinal()] - 1).shardOf(ids[i]);
        if (home != TablePlacement.NO_SHARD && shard != home) {
          return true;
        }
        home = shard;
      }
    }
    return false;
  }

  /**
   * The input of one transaction. Immutable: the arrays are never changed.
   *
   * @param tables the table of each kind of statement, from 1, in the order of {@link
   *     StatementKind}; a delete and its insert have the same
   * @param ids in the order of the statements, or of the values of the only one; for an insert the
   *     new value of {@code k}
   * @param texts the new values of {@code c} and {@code pad}, in the order of the statements
   * @param isDistributed true if the rows that it touches are on more than one shard
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares inputs
  record SysbenchInput(
      TransactionType type, int[] tables, int[] ids, String[] texts, boolean isDistributed)
      implements Transaction {}
}
