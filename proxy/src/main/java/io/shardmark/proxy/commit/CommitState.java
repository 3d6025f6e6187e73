package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a transaction on its way, as an immutable value: each event returns the next state and
 * what to do for it. A ROLLBACK is {@link Aborting}, a client's own COMMIT or ROLLBACK on one shard
 * {@link Forwarded}. Presumed abort with the decision on a shard: all writers but the anchor
 * prepare; the anchor's own COMMIT, which carries the row of the decision, decides; then the others
 * commit what they have prepared. The methods are the events; shards are given by index. An event
 * that cannot happen in a state throws {@link IllegalStateException}.
 *
 * <p>Events of a shard are raised after its ReadyForQuery. A FATAL error is a lost connection, not
 * a failure: the server may have committed before it ended.
 */
public sealed interface CommitState
    permits Aborting,
        Committing,
        CommittingLocally,
        Deciding,
        CommitState.Done,
        EndingReaders,
        Forwarded,
        Preparing,
        Undecided {

  /** A state and what is to be done on entering it, in this order. */
  record Step(CommitState next, List<CommitEffect> effects) {
    public Step {
      effects = List.copyOf(effects);
    }
  }

  /** The first step of a commit. */
  static Step begin(CommitPlan plan) {
    if (plan.isTwoPhase()) {
      return Preparing.begin(plan);
    }
    if (plan.readerOrder() == CommitPlan.ReaderOrder.BEFORE_WRITER
        && !plan.writers().isEmpty()
        && !plan.readers().isEmpty()) {
      return EndingReaders.begin(plan);
    }
    return CommittingLocally.begin(plan);
  }

  /** The first step of a ROLLBACK on these shards. */
  static Step rollback(List<Integer> shards) {
    return Aborting.because(
            new CommitFailure.Asked(), ShardSet.EMPTY, ShardSet.EMPTY, ShardSet.of(shards))
        .enter(ShardSet.EMPTY, ShardSet.EMPTY);
  }

  /**
   * The first step of an end that is the client's own, passed on to its only shard.
   *
   * @param commits COMMIT, else ROLLBACK
   */
  static Step forwarded(int shard, boolean commits) {
    return Forwarded.begin(shard, commits);
  }

  /** The shard answered PREPARE TRANSACTION: its part survives crashes now. */
  default Step onPrepared(int shard) {
    throw cannotHappen("onPrepared", shard);
  }

  /** The shard answered COMMIT: a reader's, the only writer's, or the anchor's decision. */
  default Step onCommitted(int shard) {
    throw cannotHappen("onCommitted", shard);
  }

  /** The shard answered COMMIT PREPARED. */
  default Step onCommittedPrepared(int shard) {
    throw cannotHappen("onCommittedPrepared", shard);
  }

  /** The shard answered ROLLBACK or ROLLBACK PREPARED, to whatever was asked. */
  default Step onRolledBack(int shard) {
    throw cannotHappen("onRolledBack", shard);
  }

  /** The shard answered with an error, which the session keeps. */
  default Step onFailed(int shard) {
    throw cannotHappen("onFailed", shard);
  }

  /**
   * The INSERT of the decision (not the COMMIT behind it) was answered 23505: recovery was first.
   */
  default Step onDecisionTaken() {
    throw cannotHappen("onDecisionTaken", -1);
  }

  /** The server connection of that shard is gone; allowed in every state. */
  Step onConnectionLost(int shard);

  /** What an administrator is shown. */
  String word();

  /** Whether a cancel request may hit what is on its way: no shard has to do it after others. */
  default boolean isCancellable() {
    return false;
  }

  /** What asking the anchor gave. */
  default Step onOutcome(Outcome outcome) {
    throw new IllegalStateException("onOutcome " + outcome + " in " + this);
  }

  private IllegalStateException cannotHappen(String event, int shard) {
    return new IllegalStateException(event + " of shard " + shard + " in " + this);
  }

  /** The client has its answer; a crash leaves only what recovery was asked to finish. */
  record Done(Outcome outcome) implements CommitState {
    @Override
    public String word() {
      return "done";
    }

    @Override
    public Step onConnectionLost(int shard) {
      return new Step(this, List.of());
    }

    static Step step(Outcome outcome, CommitEffect answer, ShardSet left) {
      List<CommitEffect> effects = new ArrayList<>(List.of(answer));
      if (!left.isEmpty()) {
        effects.add(new CommitEffect.Recover());
      }
      return new Step(new Done(outcome), effects);
    }
  }
}
