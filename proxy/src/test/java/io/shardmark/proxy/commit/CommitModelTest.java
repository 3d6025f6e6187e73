package io.shardmark.proxy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.commit.CommitPlan.ReaderOrder;
import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Walks through every order of events that servers, links and a racing recovery can produce for one
 * commit, and checks at every end that all shards agree with each other and with what the client
 * was told.
 */
final class CommitModelTest {
  private static final int MAX_WORLDS = 2_000_000;

  @ParameterizedTest
  @CsvSource({
    "0, 0, WITH_WRITER, 4",
    "1, 0, WITH_WRITER, 4",
    "1, 2, WITH_WRITER, 4",
    "1, 2, BEFORE_WRITER, 4",
    "0, 2, BEFORE_WRITER, 4",
    "2, 0, WITH_WRITER, 4",
    "2, 1, WITH_WRITER, 3",
    "3, 0, WITH_WRITER, 3",
  })
  void everyEndAgrees(int writers, int readers, ReaderOrder order, int faults) {
    assertAgreement(plan(writers, readers, order, ShardSet.EMPTY), faults);
  }

  /** Shards that others wait for are given by index; readers follow the writers. */
  @ParameterizedTest
  @CsvSource({
    "0, 2, 1, 4",
    "1, 2, 1, 4",
    "1, 1, 0 1, 4",
    "2, 1, 2, 3",
    "2, 1, 0 2, 3",
    "3, 0, 0, 3"
  })
  void whoeverWaitsSeesTheRows(int writers, int readers, String last, int faults) {
    List<Integer> awaited = Stream.of(last.split(" ", -1)).map(Integer::valueOf).toList();
    assertAgreement(plan(writers, readers, ReaderOrder.WITH_WRITER, ShardSet.of(awaited)), faults);
  }

  /** Recovery makes good for it before the client is answered. */
  @ParameterizedTest
  @CsvSource({"2, 0", "2, 1", "3, 0"})
  void oneFaultAfterTheDecisionIsNotNoticed(int writers, int readers) {
    CommitPlan plan = plan(writers, readers, ReaderOrder.WITH_WRITER, ShardSet.EMPTY);
    assertThat(explore(CommitWorld.begin(plan, 1)))
        .containsExactlyInAnyOrder("committed", "failed");
  }

  private static CommitPlan plan(int writers, int readers, ReaderOrder order, ShardSet last) {
    List<Integer> writing = new ArrayList<>();
    List<Integer> reading = new ArrayList<>();
    for (int shard = 0; shard < writers + readers; shard++) {
      (shard < writers ? writing : reading).add(shard);
    }
    return new CommitPlan(writing, reading, order, last);
  }

  private static void assertAgreement(CommitPlan plan, int faults) {
    Set<String> answers = explore(CommitWorld.begin(plan, faults));
    assertThat(answers).contains("committed");
    if (!plan.writers().isEmpty()) {
      assertThat(answers).contains("failed", "unknown");
    }
    if (plan.isTwoPhase()) {
      assertThat(answers).contains(CommitWorld.NOT_SHOWN);
    }
  }

  private static Set<String> explore(CommitWorld first) {
    Set<CommitWorld> seen = new HashSet<>(Set.of(first));
    Deque<CommitWorld> open = new ArrayDeque<>(seen);
    Set<String> answers = new HashSet<>();
    while (!open.isEmpty()) {
      CommitWorld world = open.pop();
      world.check();
      List<CommitWorld> successors = world.successors();
      if (successors.isEmpty()) {
        answers.add(world.checkEnd());
      }
      for (CommitWorld next : successors) {
        if (seen.add(next)) {
          open.push(next);
        }
      }
      assertThat(seen.size()).as("worlds").isLessThan(MAX_WORLDS);
    }
    return answers;
  }

  /** The model must be able to fail: a coordinator that commits without deciding is caught. */
  @Test
  void seesDisagreement() {
    CommitPlan plan = CommitPlan.of(List.of(0, 1), List.of(), ReaderOrder.WITH_WRITER);
    CommitWorld world =
        new CommitWorld(
            plan,
            CommitState.rollback(List.of()),
            List.of(CommitWorld.Server.COMMITTED, CommitWorld.Server.ROLLED_BACK),
            List.of(true, true),
            List.of("", ""),
            Optional.empty(),
            Optional.of("committed"),
            0);
    assertThat(org.assertj.core.api.Assertions.catchThrowable(world::checkEnd))
        .isInstanceOf(AssertionError.class);
  }
}
