package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.growth.AdditionStage.AdditionStep;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One addition of a shard, and the same with every fault at every step. */
final class AdditionStateTest {
  private static final int WALKS = 20_000;
  private static final int MOST_STEPS = 200;

  private enum Fault {
    /** The proxy is killed before the step; another one goes on. */
    KILLED_BEFORE,
    /** The same when the step is done, and nothing has been written about it. */
    KILLED_AFTER,
    /** The same in the switch, when the new shard has committed and the first one has not. */
    KILLED_BETWEEN,
    FAILS,
    /** The step is done, and the proxy does not learn that. */
    FAILS_AFTER,
    CANNOT,
    /** An administrator writes that, while the proxy is about to take a step. */
    CANCELLED
  }

  /** What lasts on the new shard. */
  private enum Item {
    MARK,
    SCHEMA,
    ROWS,
    IDENTITY
  }

  /** The first shard, the new one, and a proxy that adds it. */
  private static final class AdditionWorld {
    private final Set<Item> items = EnumSet.noneOf(Item.class);
    private final List<AdditionStep> steps = new ArrayList<>();
    private AdditionStage written = AdditionStage.MAKING;
    private String note = "";
    private AdditionState state = AdditionState.written(written, note);

    void advance() {
      state = state.read(written, note);
      take(perform(state).succeeded());
    }

    void advance(Fault fault) {
      state = state.read(written, note);
      switch (fault) {
        case KILLED_BEFORE -> restart();
        case KILLED_AFTER -> {
          perform(state);
          restart();
        }
        case KILLED_BETWEEN -> {
          if (state.step() == AdditionStep.SWITCH) {
            items.add(Item.IDENTITY);
          }
          restart();
        }
        case FAILS -> take(state.failed("fails"));
        case FAILS_AFTER -> take(perform(state).failed("no answer"));
        case CANNOT -> take(state.refused("cannot"));
        case CANCELLED -> {
          if (written.canBeUndone()) {
            written = AdditionStage.UNDOING;
            note = "cancelled";
          }
          take(state.step() == AdditionStep.SWITCH ? state : perform(state).succeeded());
        }
      }
    }

    private AdditionState perform(AdditionState now) {
      steps.add(now.step());
      switch (now.step()) {
        case MAKE_SCHEMA -> items.addAll(EnumSet.of(Item.MARK, Item.SCHEMA));
        case COPY -> {
          assertThat(items).contains(Item.SCHEMA);
          items.add(Item.ROWS);
        }
        case SWITCH -> {
          assertThat(items).contains(Item.MARK, Item.SCHEMA, Item.ROWS);
          items.add(Item.IDENTITY);
          written = AdditionStage.COUNTS; // in the transaction of the switch
        }
        case UNMARK -> items.remove(Item.MARK);
        case CLEAN -> items.clear();
      }
      return now;
    }

    /** Writes only what follows from the stage that is written. */
    private void take(AdditionState next) {
      AdditionStage before = state.stage();
      state = next;
      if (written == before) {
        assertThat(written.counts() && next.stage() == AdditionStage.UNDOING).isFalse();
        written = next.stage();
        note = next.note();
      }
    }

    private void restart() {
      state = AdditionState.written(written, note);
      if (!written.isOver() && !written.counts()) {
        assertThat(items.isEmpty() || items.contains(Item.MARK)).as("known as new").isTrue();
      }
    }

    void finish() {
      for (int i = 0; i < MOST_STEPS && !written.isOver(); i++) {
        advance();
      }
      assertThat(items)
          .isEqualTo(
              written == AdditionStage.DONE
                  ? EnumSet.of(Item.SCHEMA, Item.ROWS, Item.IDENTITY)
                  : EnumSet.noneOf(Item.class));
      assertThat(written.isOver()).isTrue();
      assertThat(note.isEmpty()).isEqualTo(written == AdditionStage.DONE);
    }
  }

  @Test
  void anAdditionWithoutFaultsTakesEachStepOnce() {
    AdditionWorld world = new AdditionWorld();
    world.finish();

    assertThat(world.written).isEqualTo(AdditionStage.DONE);
    assertThat(world.steps)
        .containsExactly(
            AdditionStep.MAKE_SCHEMA, AdditionStep.COPY, AdditionStep.SWITCH, AdditionStep.UNMARK);
  }

  @Test
  void eachFaultAtEachStepEndsInDoneOrUndone() {
    EnumSet<AdditionStage> ends = EnumSet.noneOf(AdditionStage.class);
    for (Fault fault : Fault.values()) {
      for (int before = 0; before < 4; before++) {
        AdditionWorld world = new AdditionWorld();
        for (int i = 0; i < before; i++) {
          world.advance();
        }
        world.advance(fault);
        world.finish();
        ends.add(world.written);
      }
    }

    assertThat(ends).containsExactly(AdditionStage.DONE, AdditionStage.UNDONE);
  }

  @Test
  void aSwitchWhoseAnswerIsLostIsNotUndone() {
    AdditionWorld world = new AdditionWorld();
    while (world.written != AdditionStage.COPIED) {
      world.advance();
    }
    for (int i = 0; i <= MoveState.MOST_FAILURES && !world.written.isOver(); i++) {
      world.advance(Fault.FAILS_AFTER);
    }

    assertThat(world.steps).doesNotContain(AdditionStep.CLEAN);
    world.finish();
    assertThat(world.written).isEqualTo(AdditionStage.DONE);
  }

  @Test
  void aFullDiskHasAnAdditionUndoneAtOnceAndKeepsOneThatCounts() {
    StepFailure full = StepFailure.of(new SQLException("No space left on device", "53100"));
    AdditionState undone =
        AdditionState.written(AdditionStage.MAKING, "").failed(full, "No space left on device");

    assertThat(undone)
        .isEqualTo(
            AdditionState.written(
                AdditionStage.UNDOING, "a disk is full: No space left on device"));
    assertThat(AdditionState.written(AdditionStage.COUNTS, "").failed(full, "full").step())
        .isEqualTo(AdditionStep.UNMARK);
    assertThat(StepFailure.of(new SQLException("out of memory", "53200")))
        .isEqualTo(StepFailure.MAY_PASS);
    assertThat(StepFailure.of(new SQLException("no such table", "42P01")))
        .isEqualTo(StepFailure.LASTS);
  }

  @Test
  void anyFaultsInAnyOrderEndInDoneOrUndone() {
    for (int seed = 0; seed < WALKS; seed++) {
      Random random = new Random(seed);
      AdditionWorld world = new AdditionWorld();
      for (int i = 0; i < 20 && !world.written.isOver(); i++) {
        if (random.nextInt(3) == 0) {
          world.advance(Fault.values()[random.nextInt(Fault.values().length)]);
        } else {
          world.advance();
        }
      }
      world.finish();
    }
  }

  @Test
  void anAdditionThatFailsTooOftenIsUndoneAndOneThatCountsNever() {
    AdditionState copied = AdditionState.written(AdditionStage.COPIED, "");
    AdditionState counts = AdditionState.written(AdditionStage.COUNTS, "");
    for (int i = 1; i < MoveState.MOST_FAILURES; i++) {
      copied = copied.failed("transactions do not end");
      counts = counts.failed("down");
      assertThat(copied.step()).isEqualTo(AdditionStep.SWITCH);
    }

    assertThat(copied.failed("transactions do not end"))
        .isEqualTo(AdditionState.written(AdditionStage.UNDOING, "transactions do not end"));
    assertThat(counts.failed("down").step()).isEqualTo(AdditionStep.UNMARK);
  }
}
