package io.shardmark.proxy.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.ddl.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of agreement, with links that are lost and proxies that are killed at any step. */
final class MovesTest {
  private static final int WALKS = 500;
  private static final int STEPS = 2_000;
  private static final int MOST_TO_SETTLE = 20_000;
  private static final Hold TABLE = Hold.ofStatements(Set.of("t"));

  private final List<String> calls = new ArrayList<>();

  private final Moves moves =
      new Moves(
          2,
          new Moves.MoveGate() {
            @Override
            public void close(int move, Hold hold) {
              calls.add("close " + move + " " + hold.tables());
            }

            @Override
            public void open(int move) {
              calls.add("open " + move);
            }

            @Override
            public void answer(int move, String whyNot) {
              calls.add("answer " + move + " " + whyNot);
            }
          });

  private static MovesWorld walk(int proxies, boolean waits, long seed) {
    MovesWorld world = new MovesWorld(proxies, waits, new Random(seed));
    for (int step = 0; step < STEPS; step++) {
      world.step(true);
    }
    world.settle(MOST_TO_SETTLE);
    return world;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void noStatementIsExecutedByAnOlderMap(int proxies) {
    long first = Long.getLong("moves.seed", System.nanoTime());
    System.out.println("MovesTest: -Dmoves.seed=" + first);
    int moved = 0;
    int executed = 0;
    for (long seed = first; seed < first + WALKS; seed++) {
      MovesWorld world;
      try {
        world = walk(proxies, true, seed);
      } catch (AssertionError e) {
        throw new AssertionError("-Dmoves.seed=" + seed, e);
      }
      moved += world.movesDone();
      executed += world.executed();
    }
    assertThat(moved).as("moves that have committed").isGreaterThan(WALKS);
    assertThat(executed).as("statements").isGreaterThan(WALKS * 10);
  }

  private static String name(int shard) {
    return "s" + (shard + 1);
  }

  /** The model must be able to fail. */
  @Test
  void seesAMoverThatDoesNotWait() {
    assertThatThrownBy(
            () -> {
              for (long seed = 0; seed < WALKS; seed++) {
                walk(2, false, seed);
              }
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the table's version");
  }

  private void open() {
    moves.start();
    moves.joined(0, Set.of());
    moves.joined(1, Set.of());
    moves.hasRead(read(), Set.of(0, 1));
    assertThat(calls).containsExactly("close 0 []", "open 0");
    calls.clear();
  }

  private Moves.MapReading read() {
    Moves.MapReading reading = moves.read();
    assertThat(reading).isNotNull();
    return reading == null ? new Moves.MapReading(Set.of(), 0) : reading;
  }

  @Test
  void aMoverWaitsForEachProxyOnEachShard() {
    open();
    moves.begin(7, TABLE);
    moves.asks(7, 0, Set.of(11, 12));
    moves.answered(7, 0, 11);
    moves.answered(7, 0, 12);
    moves.asks(7, 1, Set.of(21));
    assertThat(moves.waitsFor(7, MovesTest::name)).isEqualTo("server process 21 of shard s2");
    assertThat(calls).containsExactly("close 7 [t]");
    moves.answered(7, 1, 21);
    assertThat(calls).containsExactly("close 7 [t]", "answer 7 ");
  }

  @Test
  void aProxyThatIsGoneNeedsNotAnswer() {
    open();
    moves.begin(7, TABLE);
    moves.asks(7, 0, Set.of());
    moves.asks(7, 1, Set.of(21));
    for (int look = 0; look < 2; look++) {
      moves.shows(0, moves.look(), Set.of(7), Set.of());
      moves.shows(1, moves.look(), Set.of(7), Set.of());
    }
    moves.shows(0, moves.look(), Set.of(7), Set.of());
    assertThat(calls).containsExactly("close 7 [t]", "answer 7 ");
  }

  @Test
  void aProxyThatIsPresentByAnotherProcessMustAnswerByThat() {
    open();
    moves.begin(7, TABLE);
    moves.asks(7, 0, Set.of());
    moves.asks(7, 1, Set.of(21));
    moves.shows(1, moves.look(), Set.of(7), Set.of());
    moves.shows(1, moves.look(), Set.of(7), Set.of());
    moves.shows(0, moves.look(), Set.of(7), Set.of(12));
    assertThat(moves.waitsFor(7, MovesTest::name)).isEqualTo("server process 12 of shard s1");
    moves.answered(7, 0, 12);
    assertThat(calls).containsExactly("close 7 [t]", "answer 7 ");
  }

  @Test
  void aShardThatIsLostMakesAMoveFail() {
    open();
    moves.begin(7, TABLE);
    moves.lost(1);
    moves.answered(7, 0, 11);
    assertThat(calls)
        .containsExactly("close 7 [t]", "answer 7 a shard was lost before the others had answered");
    moves.begin(8, TABLE);
    assertThat(calls).contains("answer 8 not present on all shards to ask the others");
  }

  @Test
  void itAnswersWhenNothingIsUnderWayAnyMore() {
    open();
    moves.heard(7, 0, TABLE);
    assertThat(moves.toAnswer(0)).isEmpty();
    moves.clear(7);
    assertThat(moves.toAnswer(1)).isEmpty();
    assertThat(moves.toAnswer(0)).containsExactly(7);
    assertThat(moves.toAnswer(0)).isEmpty();
    moves.heard(7, 1, TABLE);
    assertThat(moves.toAnswer(1)).containsExactly(7);
  }

  @Test
  void theGateOpensWhenTheMapHasBeenReadAfterTheEndOnAllShards() {
    open();
    moves.heard(7, 0, TABLE);
    moves.shows(0, moves.look(), Set.of(), Set.of());
    assertThat(moves.read()).isNull();
    moves.shows(1, moves.look(), Set.of(), Set.of());
    Moves.MapReading failed = read();
    moves.hasRead(failed, Set.of(0));
    assertThat(calls).containsExactly("close 7 [t]");
    moves.hasRead(read(), Set.of(0, 1));
    assertThat(calls).containsExactly("close 7 [t]", "open 7");
    assertThat(moves.isBusy()).isFalse();
  }

  @Test
  void transactionsGoOnWithoutAReadingOfTheMap() {
    open();
    moves.heard(7, 0, new Hold(Set.of("t"), Hold.Manner.TRANSACTIONS));
    moves.shows(0, moves.look(), Set.of(), Set.of(10));
    assertThat(calls).containsExactly("close 7 [t]");

    moves.shows(1, moves.look(), Set.of(), Set.of(10));

    assertThat(calls).containsExactly("close 7 [t]", "open 7");
    assertThat(moves.read()).isNull();
  }

  @Test
  void presentNowhereItKeepsOffAllTables() {
    open();
    moves.lost(0);
    assertThat(calls).isEmpty();
    moves.lost(1);
    assertThat(calls).containsExactly("close 0 []");
    assertThat(moves.isCutOff()).isFalse();
    moves.lost(0);
    assertThat(moves.isCutOff()).isTrue();
    moves.joined(0, Set.of(9));
    assertThat(calls).containsExactly("close 0 []", "close 9 []");
  }

  @Test
  void aReadingFromBeforeAnAbsenceOpensNothing() {
    moves.start();
    moves.joined(0, Set.of());
    moves.joined(1, Set.of());
    Moves.MapReading old = read();
    moves.lost(0);
    moves.lost(1);
    moves.joined(0, Set.of());
    moves.joined(1, Set.of());
    moves.hasRead(old, Set.of(0, 1));
    assertThat(calls).containsExactly("close 0 []");
    moves.hasRead(read(), Set.of(0, 1));
    assertThat(calls).containsExactly("close 0 []", "open 0");
  }

  @Test
  void aMoveIsOverWhenItIsAlsoOverOnAShardThatCountsSinceThen() {
    moves.joined(0, Set.of());
    moves.joined(1, Set.of());
    moves.heard(7, 0, Hold.EVERYTHING);
    moves.takeShards(3);
    for (int shard = 0; shard < 2; shard++) {
      moves.shows(shard, moves.look(), Set.of(), Set.of());
    }
    assertThat(moves.read()).isNull();
    assertThat(moves.isEverywhere()).isFalse();

    moves.joined(2, Set.of());
    moves.shows(2, moves.look(), Set.of(), Set.of());

    moves.hasRead(Objects.requireNonNull(moves.read()), Set.of(0, 1, 2));
    assertThat(calls).contains("close 7 []", "open 7");
  }
}
