package io.shardmark.driver.bmt;

import io.shardmark.driver.benchmark.CannotGoOnException;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.OperationMix.WeightedOperation;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.sql.shards.TablePlacement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Draws transactions on rows that are this terminal's own, so that no other terminal deletes what
 * it reads. Rows are dealt in groups: those of one transaction that inserts them.
 */
final class BmtTerminal implements Terminal {
  private final OperationMix<BmtOperation> mix;
  private final int statements;
  private final SplittableRandom random;
  private final List<Integer> groups;
  private final int step;
  private final Optional<TablePlacement> placement;
  private int nextGroup;

  /** Groups before this one are deleted. */
  private int oldest;

  BmtTerminal(
      OperationMix<BmtOperation> mix,
      int statements,
      SplittableRandom random,
      Groups groups,
      Optional<TablePlacement> placement) {
    this.placement = placement;
    this.mix = mix;
    this.statements = statements;
    this.random = random;
    this.groups = new ArrayList<>(groups.there());
    this.nextGroup = groups.next();
    this.step = groups.step();
  }

  /**
   * @param there those of this terminal that are there, oldest first
   * @param next the first one that it inserts
   * @param step from one group that it inserts to the next
   */
  record Groups(List<Integer> there, int next, int step) {}

  @Override
  public Transaction next() {
    WeightedOperation<BmtOperation> part = draw();
    int[] ids = new int[statements];
    int group = 0;
    switch (part.operation()) {
      case INSERT -> {
        group = nextGroup;
        nextGroup += step;
        idsOf(group, ids);
      }
      case DELETE -> {
        requireRows();
        group = groups.get(oldest++);
        idsOf(group, ids);
        forgetDeleted();
      }
      case SELECT, UPDATE -> {
        requireRows();
        for (int i = 0; i < ids.length; i++) {
          int at = groups.get(random.nextInt(oldest, groups.size()));
          ids[i] = at * statements + random.nextInt(statements) + 1;
        }
      }
    }
    return new BmtInput(part, ids, group, isDistributed(part.operation(), ids), this);
  }

  /**
   * By chance a terminal may be about to delete its last rows: where inserts are as frequent, one
   * comes first.
   */
  private WeightedOperation<BmtOperation> draw() {
    WeightedOperation<BmtOperation> drawn = mix.draw(random);
    return drawn.operation() == BmtOperation.DELETE
            && groups.size() - oldest <= 1
            && mix.surplus(BmtOperation.INSERT, BmtOperation.DELETE) >= 0
        ? mix.part(BmtOperation.INSERT)
        : drawn;
  }

  /** Whether it writes on several shards; readers need no agreement. */
  private boolean isDistributed(BmtOperation operation, int[] ids) {
    if (placement.isEmpty() || operation == BmtOperation.SELECT) {
      return false;
    }
    int home = placement.get().shardOf(ids[0]);
    return Arrays.stream(ids).anyMatch(id -> placement.get().shardOf(id) != home);
  }

  private void idsOf(int group, int[] ids) {
    for (int i = 0; i < ids.length; i++) {
      ids[i] = Math.addExact(Math.multiplyExact(group, statements), i + 1);
    }
  }

  private void requireRows() {
    if (oldest == groups.size()) {
      throw new CannotGoOnException(
          "a terminal has no rows left to delete, read or change: build with more rows, or run shorter");
    }
  }

  private void forgetDeleted() {
    if (oldest > 1000 && oldest > groups.size() / 2) {
      groups.subList(0, oldest).clear();
      oldest = 0;
    }
  }

  /**
   * One transaction.
   *
   * @param ids the row of each statement
   * @param group of the rows, where they are inserted or deleted
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares inputs; the array is never changed
  record BmtInput(
      WeightedOperation<BmtOperation> part,
      int[] ids,
      int group,
      boolean isDistributed,
      BmtTerminal terminal)
      implements Transaction {
    @Override
    public TransactionType type() {
      return part.type();
    }

    /** After the commit: what it inserted can be read and deleted. */
    void committed() {
      if (part.operation() == BmtOperation.INSERT) {
        terminal.groups.add(group);
      }
    }
  }
}
