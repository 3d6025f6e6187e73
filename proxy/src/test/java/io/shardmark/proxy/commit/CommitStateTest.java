package io.shardmark.proxy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.commit.CommitPlan.ReaderOrder;
import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * All pairs of state and event, against a written table. Shards 0 and 1 prepare, 2 is the anchor, 3
 * a reader, 4 takes no part.
 */
final class CommitStateTest {
  private static final CommitPlan PLAN =
      new CommitPlan(List.of(0, 1, 2), List.of(3), ReaderOrder.WITH_WRITER);
  private static final CommitPlan LOCAL =
      new CommitPlan(List.of(0), List.of(3), ReaderOrder.WITH_WRITER);
  private static final CommitPlan READERS =
      new CommitPlan(List.of(), List.of(0, 3), ReaderOrder.WITH_WRITER);
  private static final CommitPlan STRICT =
      new CommitPlan(List.of(0), List.of(2, 3), ReaderOrder.BEFORE_WRITER);

  private static ShardSet set(Integer... shards) {
    return ShardSet.of(List.of(shards));
  }

  private static Map<String, CommitState> states() {
    Map<String, CommitState> states = new LinkedHashMap<>();
    states.put("preparing", new Preparing(PLAN, set(1), set(0), set(3)));
    states.put("preparing, last", new Preparing(PLAN, set(1), set(0), set()));
    states.put("deciding", new Deciding(PLAN, set(0, 1), set()));
    states.put("deciding, one lost", new Deciding(PLAN, set(0), set(1)));
    states.put("undecided", new Undecided(PLAN, set(0), set(1)));
    states.put("committing", new Committing(set(0, 1), set()));
    states.put("committing, last", new Committing(set(0), set()));
    states.put(
        "aborting",
        new Aborting(new CommitFailure.ServerError(1), set(0), set(2, 3), set(1), set()));
    states.put(
        "aborting, last",
        new Aborting(new CommitFailure.ServerError(1), set(), set(), set(0), set()));
    states.put(
        "local, both",
        new CommittingLocally(LOCAL, set(0, 3), Optional.empty(), Outcome.COMMITTED));
    states.put(
        "local, writer", new CommittingLocally(LOCAL, set(0), Optional.empty(), Outcome.COMMITTED));
    states.put(
        "local, readers only",
        new CommittingLocally(READERS, set(0), Optional.empty(), Outcome.COMMITTED));
    states.put("readers first", new EndingReaders(STRICT, set(2, 3)));
    states.put("readers first, last", new EndingReaders(STRICT, set(3)));
    states.put("rolling back", CommitState.rollback(List.of(0, 1)).next());
    states.put("forwarded commit", CommitState.forwarded(0, true).next());
    states.put("forwarded rollback", CommitState.forwarded(0, false).next());
    states.put("done", new CommitState.Done(Outcome.COMMITTED));
    return states;
  }

  private static Map<String, Function<CommitState, CommitState.Step>> events() {
    Map<String, Function<CommitState, CommitState.Step>> events = new LinkedHashMap<>();
    for (int shard = 0; shard < 5; shard++) {
      int which = shard;
      events.put("prepared " + shard, state -> state.onPrepared(which));
      events.put("committed " + shard, state -> state.onCommitted(which));
      events.put("committed prepared " + shard, state -> state.onCommittedPrepared(which));
      events.put("rolled back " + shard, state -> state.onRolledBack(which));
      events.put("failed " + shard, state -> state.onFailed(which));
      events.put("lost " + shard, state -> state.onConnectionLost(which));
    }
    events.put("decision taken", CommitState::onDecisionTaken);
    for (Outcome outcome : Outcome.values()) {
      events.put("outcome " + outcome, state -> state.onOutcome(outcome));
    }
    return events;
  }

  private static String outcome(CommitState state, Function<CommitState, CommitState.Step> event) {
    try {
      CommitState.Step step = event.apply(state);
      boolean same = step.next().equals(state) && step.effects().isEmpty();
      return same ? "stays" : describe(step);
    } catch (IllegalStateException e) {
      return "illegal";
    }
  }

  private static String describe(CommitState.Step step) {
    String next =
        step.next()
            .toString()
            .replaceAll("plan=CommitPlan\\[.*?readerOrder=\\w+], ", "")
            .replaceAll("Commit(Failure|Effect)\\$", "");
    return next
        + (step.effects().isEmpty() ? "" : " -> ")
        + step.effects().stream()
            .map(effect -> effect.toString().replaceAll("\\w+=", ""))
            .collect(Collectors.joining(" "));
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
