package io.shardmark.proxy.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.snapshot.GateWorld.Flaw;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Walks through every order in which transactions over several shards prepare, commit and abort
 * while snapshots are taken, connections are lost and a process is held up until servers open the
 * gate by force. No reader may be given half a transaction.
 */
final class GateModelTest {
  private static final int MOST_WORLDS = 2_000_000;

  @ParameterizedTest
  @CsvSource({"2, 1, 2", "2, 2, 0", "3, 1, 0"})
  void nobodySeesHalfATransaction(int shards, int readers, int faults) {
    assertThat(explore(new GateWorld(Flaw.NONE, shards, readers, faults))).isEqualTo(readers);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void findsEveryFlaw(Flaw flaw) {
    assertThatThrownBy(() -> explore(new GateWorld(flaw, 2, 1, 1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("half a transaction is seen");
  }

  /** How many readers were served in the best order. */
  private static long explore(GateWorld first) {
    Set<String> seen = new HashSet<>(Set.of(first.toString()));
    Deque<GateWorld> open = new ArrayDeque<>(Set.of(first));
    long served = 0;
    while (!open.isEmpty()) {
      GateWorld world = open.pop();
      served = Math.max(served, world.served());
      for (GateWorld next : world.successors()) {
        if (seen.add(next.toString())) {
          open.push(next);
        }
      }
      assertThat(seen.size()).as("worlds").isLessThan(MOST_WORLDS);
    }
    return served;
  }
}
