package io.shardmark.proxy.commit;

import static io.shardmark.proxy.commit.CommitStatement.COMMIT;
import static io.shardmark.proxy.commit.CommitStatement.COMMIT_PREPARED;
import static io.shardmark.proxy.commit.CommitStatement.DECIDE;
import static io.shardmark.proxy.commit.CommitStatement.PREPARE;
import static io.shardmark.proxy.commit.CommitStatement.RECOVER;
import static io.shardmark.proxy.commit.CommitStatement.ROLLBACK;
import static io.shardmark.proxy.commit.CommitStatement.ROLLBACK_PREPARED;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.commit.CommitPlan.ReaderOrder;
import io.shardmark.proxy.commit.CommitState.Event;
import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * All pairs of state and event, against a written table. Shards 0 and 1 prepare, 2 is the anchor, 3
 * a reader, 4 takes no part.
 */
final class CommitStateTest {
  private static final CommitPlan PLAN =
      CommitPlan.of(List.of(0, 1, 2), List.of(3), ReaderOrder.WITH_WRITER);
  private static final CommitPlan LOCAL =
      CommitPlan.of(List.of(0), List.of(3), ReaderOrder.WITH_WRITER);
  private static final CommitPlan READERS =
      CommitPlan.of(List.of(), List.of(0, 3), ReaderOrder.WITH_WRITER);
  private static final CommitPlan STRICT =
      CommitPlan.of(List.of(0), List.of(2, 3), ReaderOrder.BEFORE_WRITER);

  /** Others wait for 1 and 3. */
  private static final CommitPlan AWAITED =
      new CommitPlan(List.of(0, 1, 2), List.of(3), ReaderOrder.WITH_WRITER, set(1, 3));

  private static final CommitPlan AWAITED_READER =
      new CommitPlan(List.of(0), List.of(3), ReaderOrder.WITH_WRITER, set(3));

  private static ShardSet set(Integer... shards) {
    return ShardSet.of(List.of(shards));
  }

  private static CommitState state(
      CommitPlan plan,
      CommitState.CommitPhase phase,
      Map<Integer, CommitStatement> owed,
      ShardSet prepared,
      ShardSet left) {
    return new CommitState(plan, phase, owed, prepared, set(), left, Optional.empty());
  }

  /** Shard 3 is still open. */
  private static CommitState keeping(
      CommitState.CommitPhase phase,
      @Nullable CommitStatement asked,
      int shard,
      ShardSet prepared) {
    Map<Integer, CommitStatement> owed = asked == null ? Map.of() : Map.of(shard, asked);
    return new CommitState(AWAITED, phase, owed, prepared, set(3), set(), Optional.empty());
  }

  private static CommitState local(CommitPlan plan, Integer... shards) {
    Map<Integer, CommitStatement> owed = new LinkedHashMap<>();
    List.of(shards).forEach(shard -> owed.put(shard, CommitStatement.COMMIT));
    return state(plan, CommitState.CommitPhase.COMMITTING_LOCALLY, owed, set(), set());
  }

  private static CommitState aborting(Map<Integer, CommitStatement> owed) {
    return new CommitState(
        PLAN,
        CommitState.CommitPhase.ABORTING,
        owed,
        set(),
        set(),
        set(),
        Optional.of(new CommitFailure.ServerError(1)));
  }

  private static Map<String, CommitState> states() {
    Map<String, CommitState> states = new LinkedHashMap<>();
    states.put(
        "preparing",
        state(
            PLAN, CommitState.CommitPhase.PREPARING, Map.of(1, PREPARE, 3, COMMIT), set(0), set()));
    states.put(
        "preparing, last",
        state(PLAN, CommitState.CommitPhase.PREPARING, Map.of(1, PREPARE), set(0), set()));
    states.put(
        "deciding",
        state(PLAN, CommitState.CommitPhase.DECIDING, Map.of(2, DECIDE), set(0, 1), set()));
    states.put(
        "deciding, one lost",
        state(PLAN, CommitState.CommitPhase.DECIDING, Map.of(2, DECIDE), set(0), set(1)));
    states.put("asking", state(PLAN, CommitState.CommitPhase.ASKING, Map.of(), set(0), set(1)));
    states.put(
        "committing",
        state(
            PLAN,
            CommitState.CommitPhase.COMMITTING,
            Map.of(0, COMMIT_PREPARED, 1, COMMIT_PREPARED),
            set(),
            set()));
    states.put(
        "committing, last",
        state(PLAN, CommitState.CommitPhase.COMMITTING, Map.of(0, COMMIT_PREPARED), set(), set()));
    states.put(
        "committing, one with recovery",
        state(
            PLAN,
            CommitState.CommitPhase.COMMITTING,
            Map.of(0, COMMIT_PREPARED, 1, RECOVER),
            set(),
            set()));
    states.put(
        "recovering",
        state(
            PLAN,
            CommitState.CommitPhase.RECOVERING,
            Map.of(0, RECOVER, 1, RECOVER),
            set(),
            set()));
    states.put(
        "recovering, last",
        state(PLAN, CommitState.CommitPhase.RECOVERING, Map.of(1, RECOVER), set(), set(0)));
    states.put(
        "aborting", aborting(Map.of(0, PREPARE, 1, ROLLBACK_PREPARED, 2, ROLLBACK, 3, COMMIT)));
    states.put("aborting, last", aborting(Map.of(0, ROLLBACK_PREPARED)));
    states.put("local, both", local(LOCAL, 0, 3));
    states.put("local, writer", local(LOCAL, 0));
    states.put("local, readers only", local(READERS, 0));
    states.put(
        "readers first",
        state(
            STRICT,
            CommitState.CommitPhase.ENDING_READERS,
            Map.of(2, COMMIT, 3, COMMIT),
            set(),
            set()));
    states.put(
        "readers first, last",
        state(STRICT, CommitState.CommitPhase.ENDING_READERS, Map.of(3, COMMIT), set(), set()));
    states.put("rolling back", CommitState.rollback(List.of(0, 1)));
    states.put("awaited, preparing", CommitState.begin(AWAITED));
    states.put(
        "awaited, deciding", keeping(CommitState.CommitPhase.DECIDING, DECIDE, 2, set(0, 1)));
    states.put("awaited, asking", keeping(CommitState.CommitPhase.ASKING, null, 2, set(0, 1)));
    states.put(
        "awaited, committing",
        keeping(CommitState.CommitPhase.COMMITTING, COMMIT_PREPARED, 0, set(1)));
    states.put(
        "awaited, committing, last",
        keeping(CommitState.CommitPhase.COMMITTING, COMMIT_PREPARED, 1, set()));
    states.put(
        "awaited, committing, last lost",
        state(
            AWAITED,
            CommitState.CommitPhase.COMMITTING,
            Map.of(0, COMMIT_PREPARED),
            set(1),
            set(1)));
    states.put(
        "awaited, with recovery", keeping(CommitState.CommitPhase.COMMITTING, RECOVER, 0, set(1)));
    states.put(
        "awaited, releasing",
        state(AWAITED, CommitState.CommitPhase.RELEASING, Map.of(3, COMMIT), set(), set(1)));
    states.put("awaited, local", CommitState.begin(AWAITED_READER));
    states.put("done", state(PLAN, CommitState.CommitPhase.DONE, Map.of(), set(), set()));
    return states;
  }

  private static Map<String, UnaryOperator<CommitState>> events() {
    Map<String, UnaryOperator<CommitState>> events = new LinkedHashMap<>();
    for (int shard = 0; shard < 5; shard++) {
      int which = shard;
      for (Event event : Event.values()) {
        String name = event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        events.put(name + " " + shard, state -> state.on(event, which));
      }
    }
    for (Outcome outcome : Outcome.values()) {
      events.put("outcome " + outcome, state -> state.onOutcome(outcome));
    }
    return events;
  }

  private static String outcome(CommitState state, UnaryOperator<CommitState> event) {
    try {
      CommitState next = event.apply(state);
      return next.equals(state) ? "stays" : describe(state, next);
    } catch (IllegalStateException e) {
      return "illegal";
    }
  }

  private static String describe(CommitState before, CommitState next) {
    String failure =
        next.failure().map(why -> " " + why.toString().replaceAll("\\w+=", "")).orElse("");
    String is =
        next.isDone()
            ? "DONE " + next.outcome()
            : next.phase()
                + " "
                + next.owed()
                + (next.prepared().isEmpty() ? "" : " prepared " + next.prepared())
                + (next.open().isEmpty() ? "" : " open " + next.open());
    Map<Integer, CommitStatement> sends = next.sends(before);
    return is
        + (next.left().isEmpty() ? "" : " left " + next.left())
        + failure
        + (sends.isEmpty() ? "" : " -> " + sends);
  }

  @Test
  void everyPairIsAsWritten() {
    List<String> found = new ArrayList<>();
    states()
        .forEach(
            (stateName, state) -> {
              found.add("# " + stateName);
              events()
                  .forEach(
                      (eventName, event) -> {
                        String result = outcome(state, event);
                        if (!result.equals("illegal")) {
                          found.add(eventName + ": " + result);
                        }
                      });
            });
    assertThat(String.join("\n", found) + "\n").isEqualTo(CommitTable.TEXT);
  }
}
