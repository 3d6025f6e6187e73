package io.shardmark.proxy.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One move, and the same with every fault at every step. */
final class MoveStateTest {
  private static final int WALKS = 20_000;
  private static final List<MoveWorld.Fault> FAULTS = List.of(MoveWorld.Fault.values());

  @Test
  void aMoveWithoutFaultsTakesEachStepOnce() {
    MoveWorld world = new MoveWorld();
    while (!world.isOver()) {
      world.advance();
    }

    world.assertDone();
    assertThat(world.steps())
        .containsExactly(
            MoveStep.BEGIN,
            MoveStep.PUBLISH,
            MoveStep.MAKE_TABLES,
            MoveStep.COPY,
            MoveStep.SUBSCRIBE,
            MoveStep.CATCH_UP,
            MoveStep.ANALYZE,
            MoveStep.COMPARE,
            MoveStep.SWITCH,
            MoveStep.CONFIRM,
            MoveStep.UNSUBSCRIBE,
            MoveStep.DROP_SLOT,
            MoveStep.UNPUBLISH,
            MoveStep.DROP_SOURCE);
  }

  @Test
  void eachFaultAtEachStepEndsInDoneOrUndone() {
    EnumSet<MoveStage> ends = EnumSet.noneOf(MoveStage.class);
    for (MoveWorld.Fault fault : MoveWorld.Fault.values()) {
      int steps = 0;
      do {
        MoveWorld world = new MoveWorld();
        for (int i = 0; i < steps && !world.isOver(); i++) {
          world.advance();
        }
        if (world.isOver()) {
          break;
        }
        world.advance(fault);
        world.finish();
        ends.add(world.stage());
        steps++;
      } while (true);
      assertThat(steps).as("steps with " + fault).isGreaterThan(10);
    }

    assertThat(ends).containsExactly(MoveStage.DONE, MoveStage.UNDONE);
  }

  @Test
  void anyFaultsInAnyOrderEndInDoneOrUndone() {
    for (int seed = 0; seed < WALKS; seed++) {
      Random random = new Random(seed);
      MoveWorld world = new MoveWorld();
      for (int i = 0; i < 30 && !world.isOver(); i++) {
        if (random.nextInt(3) == 0) {
          world.advance(FAULTS.get(random.nextInt(FAULTS.size())));
        } else {
          world.advance();
        }
      }
      world.finish();
    }
  }

  @Test
  void aFullDiskHasAMoveUndoneAtOnceUnlessItIsSwitched() {
    StepFailure full = StepFailure.of(new SQLException("No space left on device", "53100"));

    assertThat(MoveState.written(MoveStage.COPYING, "").failed(full, "full"))
        .isEqualTo(MoveState.written(MoveStage.UNDOING, "a disk is full: full"));
    assertThat(MoveState.written(MoveStage.SWITCHED, "").failed(full, "full").stage())
        .isEqualTo(MoveStage.SWITCHED);
  }

  @Test
  void aMoveThatFailsTooOftenIsUndone() {
    MoveState state = MoveState.written(MoveStage.COPYING, "");
    for (int i = 1; i < MoveState.MOST_FAILURES; i++) {
      state = state.failed("no connection");
      assertThat(state.step()).isEqualTo(MoveStep.PUBLISH);
    }

    assertThat(state.failed("no connection"))
        .isEqualTo(MoveState.written(MoveStage.UNDOING, "no connection"));
  }

  @Test
  void clientsMayWaitLongerWhenAStepHasFailedOften() {
    MoveState state = MoveState.written(MoveStage.COMPARED, "");
    for (int i = 0; i < 9; i++) {
      state = state.failed("busy");
    }
    assertThat(state.moment()).isEqualTo(MoveState.MOMENT);
    assertThat(state.failed("busy").moment()).isEqualTo(MoveState.MOMENT.multipliedBy(2));
    assertThat(state.failed("busy").succeeded().moment()).isEqualTo(MoveState.MOMENT);
  }

  @Test
  void whatIsSwitchedIsNeverUndone() {
    MoveState state = MoveState.written(MoveStage.SWITCHED, "");
    for (int i = 0; i < 2 * MoveState.MOST_FAILURES; i++) {
      state = i % 2 == 0 ? state.failed("no connection") : state.refused("no such table");
      assertThat(state.stage()).isEqualTo(MoveStage.SWITCHED);
      assertThat(state.step()).isEqualTo(MoveStep.CONFIRM);
    }
  }

  @Test
  void rowsOfTheSourceStayUnlessTheSwitchIsFoundEqual() {
    MoveState state = MoveState.written(MoveStage.SWITCHED, "").keeps("differs");
    while (!state.stage().isOver()) {
      assertThat(state.step()).isNotEqualTo(MoveStep.DROP_SOURCE);
      state = state.succeeded();
    }

    assertThat(state).isEqualTo(MoveState.written(MoveStage.DONE, "differs"));
  }

  @Test
  void whatAMoveWaitsForIsWrittenAfterWhyItIsUndone() {
    MoveState state = MoveState.written(MoveStage.UNDOING, "cancelled").failed("no connection");
    assertThat(state.note()).isEqualTo("cancelled; waits: no connection");

    MoveState takenOver = MoveState.written(MoveStage.UNDOING, state.note());
    assertThat(takenOver.note()).isEqualTo("cancelled");
    assertThat(takenOver.refused("a view needs it").note())
        .isEqualTo("cancelled; waits: a view needs it");
    assertThat(MoveState.written(MoveStage.SWITCHED, "waits: x").note()).isEmpty();
  }

  @Test
  void aTargetThatIsLostDoesNotKeepTheSourcesLog() {
    MoveState state = MoveState.written(MoveStage.UNDOING, "cancelled");
    assertThat(state.step()).isEqualTo(MoveStep.DROP_SLOT);
    assertThat(state.succeeded().step()).isEqualTo(MoveStep.UNPUBLISH);
  }

  @Test
  void aMoveThatOnlyClearsUpLetsOthersPassWhenItFails() {
    for (MoveStage stage : List.of(MoveStage.UNDOING, MoveStage.KEEPING, MoveStage.CONFIRMED)) {
      MoveState state = MoveState.written(stage, "");
      assertThat(state.isPutOff()).as("%s", stage).isFalse();
      assertThat(state.failed("no connection").isPutOff()).as("%s", stage).isTrue();
      assertThat(state.refused("no such role").isPutOff()).as("%s", stage).isTrue();
    }
    assertThat(MoveState.written(MoveStage.COPYING, "").failed("full").isPutOff()).isFalse();
    assertThat(MoveState.written(MoveStage.SWITCHED, "").failed("no connection").isPutOff())
        .as("it would lose what it sees of the switch")
        .isFalse();
  }

  @Test
  void movesThatWerePutOffTakeTurnsAfterTheOthers() {
    Map<Integer, Integer> putOff = new HashMap<>();
    List<PartitionMove> open =
        Stream.of(3, 5, 9).map(id -> move(id, MoveStage.UNDOING)).collect(Collectors.toList());
    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      int next = Growth.next(open, putOff).orElseThrow().id();
      taken.add(next);
      putOff.merge(next, 1, Integer::sum);
    }
    assertThat(taken).containsExactly(3, 5, 9, 3, 5, 9);
    open.add(move(10, MoveStage.WAITING));
    assertThat(Growth.next(open, putOff).orElseThrow().id()).isEqualTo(10);
    assertThat(Growth.next(List.of(), putOff)).isEmpty();
  }

  private static PartitionMove move(int id, MoveStage stage) {
    List<String> names = List.of("public.t");
    return new PartitionMove(id, "m" + id, 0, "s2", names, names, "DEFAULT", stage, "", 0);
  }

  @Test
  void aTargetCanBeLeftOutOnlyWhereNoRowsAreOrWillBeThere() {
    assertThat(List.of(MoveStage.values()).stream().filter(MoveStage::isOfSource))
        .containsExactly(MoveStage.UNDOING, MoveStage.UNDONE);
  }

  @Test
  void stagesHaveTheWordsThatAreWritten() {
    assertThat(List.of(MoveStage.values()))
        .allSatisfy(stage -> assertThat(MoveStage.of(stage.word())).isEqualTo(stage));
  }
}
