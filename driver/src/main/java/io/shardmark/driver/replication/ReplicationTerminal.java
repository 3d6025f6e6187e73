package io.shardmark.driver.replication;

import io.shardmark.driver.benchmark.CannotGoOnException;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.OperationMix.WeightedOperation;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.Transaction;
import io.shardmark.driver.benchmark.TransactionType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** Draws transactions on lanes that are this terminal's own; each writes rows of one lane. */
final class ReplicationTerminal implements Terminal {
  private final OperationMix<Operation> mix;
  private final int statements;
  private final SplittableRandom random;
  private final List<Lane> lanes;
  private final Optional<Deal> deal;

  /** One of each table that this terminal has a lane of, in turn. */
  private final List<Lane> inserting = new ArrayList<>();

  private int nextInsert;
  private int deleting;

  /**
   * @param deal of all terminals' inserts; empty if each goes through its own tables in turn
   */
  ReplicationTerminal(
      OperationMix<Operation> mix,
      int statements,
      SplittableRandom random,
      List<Lane> lanes,
      Optional<Deal> deal) {
    this.mix = mix;
    this.statements = statements;
    this.random = random;
    this.lanes = List.copyOf(lanes);
    for (Lane lane : lanes) {
      if (inserting.stream().noneMatch(other -> other.table() == lane.table())) {
        inserting.add(lane);
      }
    }
    inserting.sort(Comparator.comparingInt(Lane::table));
    this.deal = deal;
    goesOn();
  }

  @Override
  public boolean goesOn() {
    if (deal.isEmpty()) {
      return true;
    }
    OptionalInt table = deal.get().nextTable();
    nextInsert = table.orElse(0);
    return table.isPresent();
  }

  @Override
  public Transaction next() {
    WeightedOperation<Operation> part = mix.draw(random);
    if (part.operation() == Operation.INSERT) {
      return insert(part);
    }
    // By chance a terminal may run out of rows, however many are inserted.
    boolean refills = mix.surplus(Operation.INSERT, Operation.DELETE) >= 0;
    return refills && lanes.stream().noneMatch(Lane::hasRowsToDelete)
        ? insert(mix.part(Operation.INSERT))
        : delete(part);
  }

  private ReplicationInput insert(WeightedOperation<Operation> part) {
    Lane lane = inserting.get(nextInsert);
    nextInsert = (nextInsert + 1) % inserting.size();
    if (!lane.hasRoomFor(statements)) {
      throw new CannotGoOnException(
          "a terminal has used up its ids, %d in each table: destroy and build"
              .formatted(TableLayout.IDS_OF_LANE));
    }
    return new ReplicationInput(part, lane, lane.takeIds(statements), lane.inserted(), this);
  }

  /** The oldest rows; what failed before is tried again. */
  private ReplicationInput delete(WeightedOperation<Operation> part) {
    for (int tried = 0; !lanes.get(deleting).hasRowsToDelete(); tried++) {
      if (tried == lanes.size()) {
        throw new CannotGoOnException(
            "a terminal has no rows left to delete: build with more rows, or run shorter");
      }
      deleting = (deleting + 1) % lanes.size();
    }
    Lane lane = lanes.get(deleting);
    return new ReplicationInput(part, lane, lane.oldest(), 0, this);
  }

  /**
   * One transaction.
   *
   * @param firstId of its rows, whose ids follow each other
   * @param before how many rows the lane has had before those that it inserts
   */
  record ReplicationInput(
      WeightedOperation<Operation> part,
      Lane lane,
      int firstId,
      int before,
      ReplicationTerminal terminal)
      implements Transaction {
    @Override
    public TransactionType type() {
      return part.type();
    }

    /** The primary has acknowledged the commit. */
    void committed() {
      switch (part.operation()) {
        case INSERT ->
            lane.committedInsert(
                terminal.statements, firstId, !terminal.mix.isOnly(Operation.INSERT));
        case DELETE -> lane.committedDelete();
      }
    }
  }
}
