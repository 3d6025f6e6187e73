package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.SnapshotGate;
import io.shardmark.proxy.execution.SnapshotGate.SnapshotTurn;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.SqlState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The snapshot that a client's transaction takes on all shards at once, when it begins there. */
final class CommonSnapshot {
  private final SnapshotGate gate;
  private final Joining joining;
  private final Runnable goOn;
  private SnapshotProgress progress = SnapshotProgress.NONE;
  private @Nullable SnapshotTurn turn;
  private final List<CapturedAnswer> answers = new ArrayList<>();

  private enum SnapshotProgress {
    NONE,
    /** Connections to the shards are being borrowed. */
    BORROWING,
    /** They are there; transactions over several shards have to wait a moment. */
    ENTERING,
    /** The shards have been asked to begin. */
    TAKING
  }

  /**
   * @param goOn runs when the gate has something new to say
   */
  CommonSnapshot(SnapshotGate gate, Joining joining, Runnable goOn) {
    this.gate = gate;
    this.joining = joining;
    this.goOn = goOn;
  }

  boolean isBeingTaken() {
    return progress != SnapshotProgress.NONE;
  }

  /** Whether nothing but the gate is waited for. */
  boolean isAwaited() {
    return progress == SnapshotProgress.ENTERING;
  }

  /** Whether the shards of it are settled. */
  boolean isAsked() {
    return progress == SnapshotProgress.ENTERING || progress == SnapshotProgress.TAKING;
  }

  void begin() {
    progress = SnapshotProgress.BORROWING;
    answers.clear();
  }

  private List<ServerConnection> servers = List.of();

  /** The servers have the client's settings, and owe nothing. */
  void takeOn(List<ServerConnection> all) {
    servers = all;
    progress = SnapshotProgress.ENTERING;
    turn = gate.enter(all.stream().map(ServerConnection::shard).toList(), goOn);
  }

  /**
   * Whether it is there.
   *
   * @throws StatementException if there will be none
   */
  boolean isTaken() {
    SnapshotTurn now = turn;
    if (now == null) {
      throw new IllegalStateException("no snapshot is being taken");
    }
    if (progress == SnapshotProgress.ENTERING) {
      if (!now.hasBegun()) {
        return false;
      }
      servers.forEach(server -> answers.add(joining.beginWithSnapshot(server)));
      progress = SnapshotProgress.TAKING;
    }
    if (!CapturedAnswer.haveSucceeded(answers)) {
      return false;
    }
    giveUp();
    if (!now.isGood()) {
      throw joining.failed(
          ErrorFields.error(
              SqlState.SERIALIZATION_FAILURE,
              "no common snapshot: a shard took too long to begin the transaction"));
    }
    return true;
  }

  /** No snapshot is wanted any more, or it has been taken. */
  void giveUp() {
    SnapshotTurn now = turn;
    if (now != null) {
      now.leave();
    }
    turn = null;
    servers = List.of();
    progress = SnapshotProgress.NONE;
  }
}
