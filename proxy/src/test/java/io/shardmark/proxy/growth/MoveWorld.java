package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Two shards as far as a move goes, and a proxy that makes it. A step changes one shard, but the
 * switch, which is prepared on the target and decided on the source.
 */
final class MoveWorld {
  private static final int MOST_STEPS = 200;

  /** What lasts on the shards. */
  private enum Item {
    PUBLICATION,
    SLOT,
    SUBSCRIPTION,
    /** Rows in a table of the target that is no partition. */
    COPY,
    PARTITION_OF_SOURCE,
    PARTITION_OF_TARGET,
    /** The source's rows after the switch. */
    OLD_ROWS,
    /** The target's part of the switch, which recovery has to end. */
    PREPARED
  }

  /** What can go wrong at a step. */
  enum Fault {
    /** The proxy is killed before the step; another one takes the move. */
    KILLED_BEFORE,
    /** The same when the step is done, and nothing has been written about it. */
    KILLED_AFTER,
    /** The same in the middle of the switch, before or after the decision. */
    KILLED_PREPARED,
    KILLED_DECIDED,
    FAILS,
    CANNOT,
    BUSY,
    /** A user cancels, through any proxy. */
    CANCELLED
  }

  private final Set<Item> items = EnumSet.of(Item.PARTITION_OF_SOURCE);
  private final List<MoveStep> steps = new ArrayList<>();
  private MoveStage written = MoveStage.WAITING;
  private MoveState state = MoveState.written(written, "");

  boolean isOver() {
    return written.isOver();
  }

  MoveStage stage() {
    return written;
  }

  List<MoveStep> steps() {
    return steps;
  }

  void advance() {
    see();
    MoveState before = state;
    steps.add(before.step());
    state = perform(before);
    write(before);
    check();
  }

  void advance(Fault fault) {
    see();
    MoveState before = state;
    switch (fault) {
      case KILLED_BEFORE -> takeOver();
      case KILLED_AFTER -> {
        perform(before);
        takeOver();
      }
      case KILLED_PREPARED, KILLED_DECIDED -> {
        if (before.step() == MoveStep.SWITCH) {
          items.add(Item.PREPARED);
          if (fault == Fault.KILLED_DECIDED) {
            decide();
          }
        }
        takeOver();
      }
      case FAILS -> state = before.failed("a link was lost");
      case CANNOT -> state = before.refused("no room");
      case BUSY -> state = before.notYet("busy");
      case CANCELLED -> {
        if (written.canBeUndone()) {
          written = MoveStage.UNDOING;
        }
      }
    }
    write(before);
    check();
  }

  /** Recovery ends what is prepared, and then the move goes on without faults. */
  void finish() {
    for (int i = 0; i < MOST_STEPS && !isOver(); i++) {
      if (i == 1 && items.remove(Item.PREPARED) && items.contains(Item.OLD_ROWS)) {
        items.remove(Item.COPY);
        items.add(Item.PARTITION_OF_TARGET);
      }
      advance();
    }
    if (written == MoveStage.DONE) {
      assertDone();
    } else {
      assertThat(written).isEqualTo(MoveStage.UNDONE);
      assertThat(items).containsExactly(Item.PARTITION_OF_SOURCE);
    }
  }

  void assertDone() {
    assertThat(written).isEqualTo(MoveStage.DONE);
    assertThat(items).containsExactly(Item.PARTITION_OF_TARGET);
  }

  private void see() {
    if (written != state.stage()) {
      state = MoveState.written(written, state.note());
    }
  }

  private void takeOver() {
    state = MoveState.written(written, "");
  }

  /** A stage is written only over the one that the proxy knows. */
  private void write(MoveState before) {
    if (written == before.stage()) {
      written = state.stage();
    }
  }

  private MoveState perform(MoveState now) {
    switch (now.step()) {
      case BEGIN -> assertThat(items).containsExactly(Item.PARTITION_OF_SOURCE);
      case PUBLISH -> items.add(Item.PUBLICATION);
      case RESERVE_SLOT -> items.add(Item.SLOT);
      case MAKE_TABLES -> items.add(Item.COPY);
      case SUBSCRIBE -> items.add(Item.SUBSCRIPTION);
      case AWAIT_COPY, COMPARE ->
          assertThat(items).contains(Item.PUBLICATION, Item.SLOT, Item.COPY, Item.SUBSCRIPTION);
      case SWITCH -> {
        if (items.contains(Item.PREPARED)) {
          return now.failed("the tables are locked");
        }
        items.add(Item.PREPARED);
        decide();
        items.remove(Item.PREPARED);
        items.remove(Item.COPY);
        items.add(Item.PARTITION_OF_TARGET);
      }
      case UNSUBSCRIBE -> items.remove(Item.SUBSCRIPTION);
      case DROP_SLOT -> items.remove(Item.SLOT);
      case UNPUBLISH -> items.remove(Item.PUBLICATION);
      case DROP_SOURCE -> {
        if (!items.contains(Item.PARTITION_OF_TARGET)) {
          return now.failed("the switch is not over");
        }
        items.remove(Item.OLD_ROWS);
      }
      case DROP_TARGET -> {
        if (items.contains(Item.PREPARED)) {
          return now.failed("the tables are locked");
        }
        items.remove(Item.COPY);
      }
    }
    return now.succeeded();
  }

  /** The source commits: its rows are no partition, and the stage says so. */
  private void decide() {
    assertThat(items).contains(Item.COPY, Item.PREPARED);
    items.remove(Item.PARTITION_OF_SOURCE);
    items.add(Item.OLD_ROWS);
    written = MoveStage.SWITCHED;
  }

  /**
   * The rows are a partition on exactly one shard, and those of the other are not the last ones.
   */
  private void check() {
    boolean target = items.contains(Item.PARTITION_OF_TARGET);
    boolean source = items.contains(Item.PARTITION_OF_SOURCE);
    boolean deciding = items.contains(Item.PREPARED) && items.contains(Item.OLD_ROWS);
    assertThat(source ? !target : target || deciding).as(items + " " + written).isTrue();
  }
}
