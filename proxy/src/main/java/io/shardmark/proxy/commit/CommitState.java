package io.shardmark.proxy.commit;

import io.shardmark.proxy.shardmap.ShardSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The end of a transaction on its way, as an immutable value: each event gives the next state, and
 * {@link #sends} what is to be sent for it. Presumed abort with the decision on a shard: all
 * writers but the anchor prepare; the anchor's own COMMIT, which carries the row of the decision,
 * decides; then the others commit what they have prepared. Shards are given by index.
 *
 * <p>Events of a shard are raised after its ReadyForQuery. A FATAL error is a lost connection, not
 * a failure: the server may have committed before it ended.
 *
 * @param owed what each shard, or recovery for it, has been asked and not answered
 * @param prepared writers that are prepared, and whose connection lives unless they are also {@code
 *     left}; of a two-phase commit that goes on
 * @param open readers that end last, and whose connection lives; as long as they are not asked
 * @param left writers that are prepared, or may be, and that recovery has to look at
 * @param failure what the client will get instead of COMMIT
 */
public record CommitState(
    CommitPlan plan,
    CommitPhase phase,
    Map<Integer, CommitStatement> owed,
    ShardSet prepared,
    ShardSet open,
    ShardSet left,
    Optional<CommitFailure> failure) {

  /** How far it is. */
  public enum CommitPhase {
    /**
     * The readers of a transaction with one writer are asked first whether their reads may be kept.
     * A crash here leaves nothing: the writer's transaction ends with its connection.
     */
    ENDING_READERS("committing", true),
    /**
     * At most one shard was written: a plain COMMIT everywhere, the writer's is the decision. A
     * crash here leaves nothing to recover.
     */
    COMMITTING_LOCALLY("committing", true),
    /**
     * PREPARE TRANSACTION is on its way to the writers but the anchor, COMMIT to the readers. A
     * crash here leaves prepared transactions without a decision, which recovery rolls back.
     */
    PREPARING("preparing", true),
    /**
     * All others are prepared and the anchor has been sent the decision to commit. A crash here is
     * decided by whether that COMMIT took effect: recovery's insert waits for it, then commits or
     * rolls back the others.
     */
    DECIDING("deciding", false),
    /**
     * The anchor's connection broke with its COMMIT in flight, and it is to be asked on another
     * one; see {@link CommitState#onOutcome}. The prepared wait. A crash here is as one in {@link
     * #DECIDING}.
     */
    ASKING("asking for the decision", false),
    /**
     * The decision is durable; the prepared are being committed, and the client hears of it when
     * they are, so that it reads its own writes. Where the connection is lost, recovery is asked.
     * Those that end last are asked when the others have answered. A crash here obliges recovery to
     * commit the rest.
     */
    COMMITTING("committing", false),
    /**
     * Nothing is left to be asked over the session's connections; recovery is committing prepared
     * transactions whose connection is lost. A crash here is as one in {@link #COMMITTING}.
     */
    RECOVERING("waiting for recovery", false),
    /**
     * All that was written is committed, or has failed; the readers that end last are committed, so
     * that who waits for a lock there goes on and sees the rows. A crash here leaves nothing.
     */
    RELEASING("releasing locks", false),
    /**
     * A ROLLBACK, or a commit that has failed before the decision; every participant is being
     * rolled back. A crash here leaves prepared transactions without a decision, which recovery
     * rolls back.
     */
    ABORTING("rolling back", false),
    /** The client has its answer; a crash leaves only what recovery was asked to finish. */
    DONE("done", false);

    private final String word;
    private final boolean cancellable;

    CommitPhase(String word, boolean cancellable) {
      this.word = word;
      this.cancellable = cancellable;
    }

    /** What an administrator is shown. */
    public String word() {
      return word;
    }

    /** Whether a cancel request may hit what is on its way: no shard has to do it after others. */
    public boolean isCancellable() {
      return cancellable;
    }
  }

  /** What has become of a shard's part. */
  public enum Event {
    /** It has done what it was asked. */
    DONE,
    /** It answered {@code ROLLBACK} where it was asked to commit or prepare. */
    ROLLED_BACK,
    /** It answered with an error, which the session keeps; or recovery is not waited for longer. */
    FAILED,
    /**
     * The INSERT of the decision (not the COMMIT after it) was answered 23505: recovery was first.
     */
    DECISION_TAKEN,
    /** Its server connection is gone; allowed at any time. */
    LOST
  }

  public CommitState {
    owed = owed.size() < 2 ? Map.copyOf(owed) : Collections.unmodifiableMap(new TreeMap<>(owed));
  }

  private static CommitState of(
      CommitPlan plan, CommitPhase phase, ShardSet shards, CommitStatement asked) {
    return new CommitState(
            plan,
            phase,
            Map.of(),
            ShardSet.EMPTY,
            plan.lastReaders(),
            ShardSet.EMPTY,
            Optional.empty())
        .asking(shards, asked);
  }

  /** The first state of a commit. */
  public static CommitState begin(CommitPlan plan) {
    if (plan.isTwoPhase()) {
      return of(plan, CommitPhase.PREPARING, plan.earlyReaders(), CommitStatement.COMMIT)
          .asking(ShardSet.of(plan.preparing()), CommitStatement.PREPARE);
    }
    if (plan.readerOrder() == CommitPlan.ReaderOrder.BEFORE_WRITER
        && !plan.writers().isEmpty()
        && !plan.readers().isEmpty()) {
      return of(plan, CommitPhase.ENDING_READERS, plan.earlyReaders(), CommitStatement.COMMIT);
    }
    ShardSet writers = ShardSet.of(plan.writers());
    return of(plan, CommitPhase.COMMITTING_LOCALLY, writers, CommitStatement.COMMIT)
        .asking(plan.earlyReaders(), CommitStatement.COMMIT)
        .settled();
  }

  /** The first state of a ROLLBACK on these shards. */
  public static CommitState rollback(List<Integer> shards) {
    CommitPlan none = CommitPlan.of(List.of(), shards, CommitPlan.ReaderOrder.WITH_WRITER);
    return of(none, CommitPhase.ABORTING, ShardSet.of(shards), CommitStatement.ROLLBACK)
        .failing(new CommitFailure.Asked())
        .settled();
  }

  /** What is to be sent in this state, if it is the first. */
  public Map<Integer, CommitStatement> sends() {
    return owed;
  }

  /** What is to be sent when this state follows that one. */
  public Map<Integer, CommitStatement> sends(CommitState before) {
    Map<Integer, CommitStatement> sends = new TreeMap<>(owed);
    sends.entrySet().removeAll(before.owed.entrySet());
    return sends;
  }

  public boolean isDone() {
    return phase == CommitPhase.DONE;
  }

  /** How it ended, when it is done. */
  public Outcome outcome() {
    if (failure.isEmpty()) {
      return Outcome.COMMITTED;
    }
    return failure.get() instanceof CommitFailure.OutcomeUnknown
        ? Outcome.UNKNOWN
        : Outcome.ABORTED;
  }

  /**
   * @throws IllegalStateException if that cannot happen in this state
   */
  public CommitState on(Event event, int shard) {
    CommitStatement asked = owed.get(shard);
    if (event == Event.LOST) {
      return lost(shard, asked);
    }
    boolean mayBe =
        switch (event) {
          case DECISION_TAKEN -> asked == CommitStatement.DECIDE;
          case ROLLED_BACK ->
              asked == CommitStatement.PREPARE
                  || asked == CommitStatement.COMMIT
                  || asked == CommitStatement.DECIDE;
          case DONE, FAILED, LOST -> asked != null;
        };
    if (!mayBe) {
      throw new IllegalStateException(event + " of shard " + shard + " in " + this);
    }
    boolean done = event == Event.DONE;
    CommitState then = without(shard);
    return switch (phase) {
      case ENDING_READERS, PREPARING, DECIDING ->
          done
              ? (asked == CommitStatement.PREPARE ? then.with(shard) : then).next()
              : then.abort(failure(event, shard), ShardSet.EMPTY);
      case COMMITTING, RECOVERING -> {
        boolean recovered = asked == CommitStatement.RECOVER;
        CommitState failed = recovered ? then.leaving(shard) : then.recover(shard);
        yield (done ? then : failed).settled();
      }
      case RELEASING -> then.settled();
      case COMMITTING_LOCALLY ->
          (done ? then : then.failing(shard, failure(event, shard))).settled();
      case ABORTING -> {
        if (asked == CommitStatement.PREPARE && event != Event.ROLLED_BACK) {
          // After an error its block may still be open.
          yield then.asking(
              ShardSet.EMPTY.with(shard),
              done ? CommitStatement.ROLLBACK_PREPARED : CommitStatement.ROLLBACK);
        }
        // An error is 42704 if recovery was first: it will find nothing to do.
        boolean leaves = asked == CommitStatement.ROLLBACK_PREPARED && !done;
        yield (leaves ? then.leaving(shard) : then).settled();
      }
      case ASKING, DONE -> throw new IllegalStateException(event + " in " + this);
    };
  }

  /** The connection of a shard is gone; what it was asked, or null. */
  private CommitState lost(int shard, @Nullable CommitStatement asked) {
    if (phase == CommitPhase.COMMITTING) {
      return lostAfterDecision(shard, asked).settled();
    }
    boolean mayBePrepared =
        prepared.contains(shard)
            || asked == CommitStatement.PREPARE
            || asked == CommitStatement.ROLLBACK_PREPARED;
    // Whether a PREPARE in flight took effect is not known, so recovery looks for it.
    CommitState then = mayBePrepared ? without(shard).leaving(shard) : without(shard);
    CommitFailure why = new CommitFailure.ConnectionLost(shard);
    return switch (phase) {
      // Nothing is decided yet, so aborting is safe. A reader that has ended makes no difference.
      // One that ends last has lost the locks that keep others off.
      case ENDING_READERS, PREPARING ->
          asked != null || open.contains(shard) || plan.writers().contains(shard)
              ? then.abort(why, ShardSet.EMPTY.with(shard))
              : this;
      case DECIDING -> asked == null ? then : then.in(CommitPhase.ASKING);
      case RELEASING, ABORTING -> then.settled();
      case COMMITTING_LOCALLY -> {
        boolean writes = plan.writers().contains(shard);
        yield asked == null
            ? then
            : then.failing(shard, writes ? new CommitFailure.OutcomeUnknown() : why).settled();
      }
      case ASKING -> then;
      case COMMITTING, RECOVERING, DONE -> this;
    };
  }

  private CommitState lostAfterDecision(int shard, @Nullable CommitStatement asked) {
    if (asked == CommitStatement.COMMIT_PREPARED) {
      return recover(shard);
    }
    // One that ends last is committed in its turn.
    return prepared.contains(shard) ? leaving(shard) : asked == null ? without(shard) : this;
  }

  /**
   * What asking the anchor gave.
   *
   * @throws IllegalStateException if it was not to be asked
   */
  public CommitState onOutcome(Outcome outcome) {
    if (phase != CommitPhase.ASKING) {
      throw new IllegalStateException("outcome " + outcome + " in " + this);
    }
    return switch (outcome) {
      case COMMITTED -> commitPrepared();
      case ABORTED -> {
        int anchor = plan.anchor();
        yield abort(new CommitFailure.ConnectionLost(anchor), ShardSet.EMPTY.with(anchor));
      }
      case UNKNOWN ->
          new CommitState(
                  plan,
                  CommitPhase.ASKING,
                  owed,
                  ShardSet.EMPTY,
                  open,
                  left.union(prepared),
                  Optional.of(new CommitFailure.OutcomeUnknown()))
              .settled();
    };
  }

  private static CommitFailure failure(Event event, int shard) {
    return switch (event) {
      case ROLLED_BACK -> new CommitFailure.AnsweredRollback(shard);
      case FAILED -> new CommitFailure.ServerError(shard);
      case DECISION_TAKEN -> new CommitFailure.DecidedByRecovery();
      case LOST -> new CommitFailure.ConnectionLost(shard);
      case DONE -> throw new IllegalArgumentException("no failure");
    };
  }

  // ---- what follows ----

  /** What comes before the decision when all have done their part, and the decision. */
  private CommitState next() {
    if (!owed.isEmpty()) {
      return this;
    }
    if (phase == CommitPhase.ENDING_READERS) {
      return in(CommitPhase.COMMITTING_LOCALLY)
          .asking(ShardSet.of(plan.writers()), CommitStatement.COMMIT);
    }
    return phase == CommitPhase.PREPARING
        ? in(CommitPhase.DECIDING)
            .asking(ShardSet.EMPTY.with(plan.anchor()), CommitStatement.DECIDE)
        : commitPrepared();
  }

  /** All that are left by now have prepared before their connection was lost. */
  private CommitState commitPrepared() {
    ShardSet all = prepared.union(left);
    return new CommitState(plan, CommitPhase.COMMITTING, owed, all, open, left, failure).settled();
  }

  /**
   * Undoes all that is open or prepared.
   *
   * @param lost where nothing can be asked any more
   */
  private CommitState abort(CommitFailure why, ShardSet lost) {
    ShardSet asked = ShardSet.of(owed.keySet());
    ShardSet begun =
        ShardSet.of(plan.writers()).minus(asked.union(prepared).union(left).union(lost));
    return in(CommitPhase.ABORTING)
        .failing(why)
        .asking(begun, CommitStatement.ROLLBACK)
        .askingOpen(CommitStatement.ROLLBACK)
        .askingPrepared(prepared, CommitStatement.ROLLBACK_PREPARED)
        .settled();
  }

  /** If servers owe nothing any more: those that have waited for the others, or the end. */
  private CommitState settled() {
    if (!owed.isEmpty()) {
      boolean recovers = owed.values().stream().allMatch(CommitStatement.RECOVER::equals);
      return recovers && prepared.isEmpty() && open.isEmpty() ? in(CommitPhase.RECOVERING) : this;
    }
    if (phase == CommitPhase.COMMITTING && !prepared.isEmpty()) {
      ShardSet early = prepared.minus(plan.last());
      return committing(early.isEmpty() ? prepared : early).settled();
    }
    return open.isEmpty()
        ? in(CommitPhase.DONE)
        : in(CommitPhase.RELEASING).askingOpen(CommitStatement.COMMIT);
  }

  // ---- the same with one thing changed ----

  private CommitState in(CommitPhase now) {
    return new CommitState(plan, now, owed, prepared, open, left, failure);
  }

  private CommitState asking(ShardSet shards, CommitStatement asked) {
    if (shards.isEmpty()) {
      return this;
    }
    Map<Integer, CommitStatement> now = new TreeMap<>(owed);
    shards.indexes().forEach(shard -> now.put(shard, asked));
    return new CommitState(plan, phase, now, prepared, open, left, failure);
  }

  private CommitState askingPrepared(ShardSet shards, CommitStatement asked) {
    CommitState asking = asking(shards, asked);
    return new CommitState(plan, phase, asking.owed, prepared.minus(shards), open, left, failure);
  }

  private CommitState committing(ShardSet shards) {
    ShardSet live = shards.minus(left);
    CommitState asking = askingPrepared(live, CommitStatement.COMMIT_PREPARED);
    for (int shard : shards.minus(live).indexes()) {
      asking = asking.recover(shard);
    }
    return asking;
  }

  private CommitState recover(int shard) {
    ShardSet one = ShardSet.EMPTY.with(shard);
    CommitState asking = askingPrepared(one, CommitStatement.RECOVER);
    return new CommitState(
        plan, phase, asking.owed, asking.prepared, open, left.minus(one), failure);
  }

  private CommitState askingOpen(CommitStatement asked) {
    CommitState asking = asking(open, asked);
    return new CommitState(plan, phase, asking.owed, prepared, ShardSet.EMPTY, left, failure);
  }

  private CommitState without(int shard) {
    Map<Integer, CommitStatement> now = new TreeMap<>(owed);
    now.remove(shard);
    return new CommitState(
        plan, phase, now, prepared.without(shard), open.without(shard), left, failure);
  }

  private CommitState with(int shard) {
    return new CommitState(plan, phase, owed, prepared.with(shard), open, left, failure);
  }

  private CommitState leaving(int shard) {
    return new CommitState(plan, phase, owed, prepared, open, left.with(shard), failure);
  }

  private CommitState failing(CommitFailure why) {
    return new CommitState(plan, phase, owed, prepared, open, left, Optional.of(why));
  }

  /** With a writer, what happens to a reader changes nothing: its answers are complete. */
  private CommitState failing(int shard, CommitFailure why) {
    boolean counts = plan.writers().isEmpty() || plan.writers().contains(shard);
    return counts && failure.isEmpty() ? failing(why) : this;
  }
}
