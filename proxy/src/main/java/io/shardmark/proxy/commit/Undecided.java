package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.List;

/**
 * The anchor's connection broke with its COMMIT in flight, and it is being asked on another. The
 * prepared wait. A crash here is as one in {@link Deciding}.
 *
 * @param prepared writers that are prepared and whose connection lives
 * @param left writers that are prepared and whose connection is lost
 */
record Undecided(CommitPlan plan, ShardSet prepared, ShardSet left) implements CommitState {
  @Override
  public Step onOutcome(Outcome outcome) {
    return switch (outcome) {
      case COMMITTED -> Committing.enter(prepared, left);
      case ABORTED ->
          Aborting.because(
                  new CommitFailure.ConnectionLost(plan.anchor()),
                  ShardSet.EMPTY,
                  ShardSet.EMPTY,
                  ShardSet.EMPTY)
              .enter(prepared, left);
      case UNKNOWN ->
          new Step(
              new Done(Outcome.UNKNOWN),
              List.of(new CommitEffect.AnswerUnknown(), new CommitEffect.Recover()));
    };
  }

  @Override
  public Step onConnectionLost(int shard) {
    if (prepared.contains(shard)) {
      return new Step(new Undecided(plan, prepared.without(shard), left.with(shard)), List.of());
    }
    return new Step(this, List.of());
  }

  @Override
  public String word() {
    return "asking for the decision";
  }
}
