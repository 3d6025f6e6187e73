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
    PREPARED,
    /** A table that has moved is detached, renamed or dropped by a client. */
    CHANGED_BY_CLIENTS
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
    /** The rows of the switch are found to differ. */
    DIFFERS,
    /** A client detaches, renames or drops a table where clients write it. */
    CHANGED,
    /** A user cancels, through any proxy. */
    CANCELLED
  }

  /** What the proxy that makes the move knows of the switch; lost with it. */
  private enum Knowledge {
    NONE,
    /** It still sees the target as it was. */
    SNAPSHOT
  }

  private Knowledge known = Knowledge.NONE;
  private final Set<Item> items = EnumSet.of(Item.PARTITION_OF_SOURCE);
  private final List<MoveStep> steps = new ArrayList<>();
  private MoveStage written = MoveStage.WAITING;
  private String note = "";
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
      case DIFFERS ->
          state =
              before.step() == MoveStep.CONFIRM && items.contains(Item.PARTITION_OF_TARGET)
                  ? before.keeps("differs")
                  : perform(before);
      case CHANGED -> {
        if (written == MoveStage.SWITCHED && items.contains(Item.PARTITION_OF_TARGET)) {
          items.add(Item.CHANGED_BY_CLIENTS);
        }
      }
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
      if (i == 1) {
        recover();
      }
      advance();
    }
    if (items.remove(Item.CHANGED_BY_CLIENTS)) {
      assertThat(state.note()).as("what a client has changed is not confirmed").isNotEmpty();
    }
    if (written == MoveStage.DONE && !state.note().isEmpty()) {
      assertThat(items).containsExactly(Item.PARTITION_OF_TARGET, Item.OLD_ROWS);
    } else if (written == MoveStage.DONE) {
      assertDone();
    } else {
      assertThat(written).isEqualTo(MoveStage.UNDONE);
      assertThat(items).containsExactly(Item.PARTITION_OF_SOURCE);
    }
  }

  private void recover() {
    if (items.remove(Item.PREPARED) && items.contains(Item.OLD_ROWS)) {
      items.remove(Item.COPY);
      items.add(Item.PARTITION_OF_TARGET);
    }
  }

  void assertDone() {
    assertThat(written).isEqualTo(MoveStage.DONE);
    assertThat(items).containsExactly(Item.PARTITION_OF_TARGET);
  }

  private void see() {
    if (written != state.stage()) {
      state = MoveState.written(written, note);
    }
  }

  private void takeOver() {
    known = Knowledge.NONE;
    state = MoveState.written(written, note);
  }

  /** A stage is written only over the one that the proxy knows. */
  private void write(MoveState before) {
    if (written == before.stage()) {
      written = state.stage();
      note = state.note();
    }
  }

  private MoveState perform(MoveState now) {
    switch (now.step()) {
      case BEGIN -> assertThat(items).containsExactly(Item.PARTITION_OF_SOURCE);
      case PUBLISH -> items.add(Item.PUBLICATION);
      case MAKE_TABLES -> items.add(Item.COPY);
      case COPY -> {
        assertThat(items).contains(Item.PUBLICATION, Item.COPY);
        items.add(Item.SLOT);
      }
      case SUBSCRIBE -> items.add(Item.SUBSCRIPTION);
      case CATCH_UP, ANALYZE, COMPARE ->
          assertThat(items).contains(Item.PUBLICATION, Item.SLOT, Item.COPY, Item.SUBSCRIPTION);
      case SWITCH -> {
        if (items.contains(Item.PREPARED)) {
          return now.failed("the tables are locked");
        }
        items.add(Item.PREPARED);
        known = Knowledge.SNAPSHOT;
        decide();
        items.remove(Item.PREPARED);
        items.remove(Item.COPY);
        items.add(Item.PARTITION_OF_TARGET);
      }
      case CONFIRM -> {
        assertThat(items).contains(Item.OLD_ROWS);
        if (items.contains(Item.PREPARED)) {
          return now.failed("the switch is not over");
        }
        if (known == Knowledge.NONE || items.contains(Item.CHANGED_BY_CLIENTS)) {
          return now.keeps("not compared");
        }
      }
      case UNSUBSCRIBE -> items.remove(Item.SUBSCRIPTION);
      case DROP_SLOT -> items.remove(Item.SLOT);
      case UNPUBLISH -> items.remove(Item.PUBLICATION);
      case DROP_SOURCE -> {
        assertThat(written).as("compared before").isEqualTo(MoveStage.CONFIRMED);
        assertThat(items).contains(Item.PARTITION_OF_TARGET);
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
    note = "";
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
