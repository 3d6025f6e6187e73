package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.SnapshotGate;
import io.shardmark.proxy.execution.SnapshotGate.SnapshotTurn;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots that the shards of one statement take: each takes its own when it binds the
 * statement, and all are to show every transaction over several shards whole or not at all.
 */
final class SnapshotRound {
  private static final int MOST_TRIES = 20;

  private final Execution execution;
  private final List<Integer> shards;
  private final Optional<SnapshotGate> gate;
  private @Nullable SnapshotTurn turn;
  private int untaken;
  private int tries;

  /**
   * @param shards that are asked; if it is one, there is nothing to agree upon
   */
  SnapshotRound(Execution execution, List<Integer> shards) {
    this.execution = execution;
    this.shards = shards;
    this.gate = shards.size() > 1 ? execution.gateForReads() : Optional.empty();
  }

  /** Whether the shards have to say when they have taken their snapshots. */
  boolean isNeeded() {
    return gate.isPresent();
  }

  /**
   * Whether the shards may be asked now.
   *
   * @throws StatementException if no snapshots can be taken
   */
  boolean mayAsk() {
    if (gate.isEmpty()) {
      return true;
    }
    SnapshotTurn now = turn;
    if (now == null) {
      untaken = shards.size();
      tries++;
      now = gate.get().enter(shards, execution::proceed);
      turn = now;
    }
    return now.hasBegun();
  }

  /** One shard more has taken its snapshot. */
  void taken() {
    SnapshotTurn now = turn;
    if (now != null && --untaken == 0) {
      now.leave();
    }
  }

  /** All shards have. */
  void allTaken() {
    untaken = 0;
    close();
  }

  /** Whether what the shards answer can be used; once all have taken their snapshots. */
  boolean isGood() {
    SnapshotTurn now = turn;
    return now == null || now.isGood();
  }

  /** Whether all shards have taken theirs. */
  boolean isOver() {
    return turn == null || untaken == 0;
  }

  /**
   * They cannot be used: others are taken.
   *
   * @throws StatementException if that has been tried often enough
   */
  void again() {
    close();
    turn = null;
    if (tries == MOST_TRIES) {
      throw tooSlow();
    }
  }

  /** Of a statement whose snapshots were not taken in time. */
  static StatementException tooSlow() {
    return new StatementException(
        SqlState.SERIALIZATION_FAILURE,
        "no common snapshot: a shard took too long to begin the statement",
        "Try again, or set scatter_reads: fast.");
  }

  /** None is wanted any more. */
  void close() {
    SnapshotTurn now = turn;
    if (now != null) {
      now.leave();
    }
  }
}
