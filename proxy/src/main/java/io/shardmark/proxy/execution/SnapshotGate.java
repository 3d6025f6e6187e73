package io.shardmark.proxy.execution;

import java.util.List;

/**
 * Has snapshots of several shards show every transaction over them whole or not at all. Belongs to
 * an event loop.
 */
public interface SnapshotGate {
  /**
   * Asks for a time at which snapshots of these shards may be taken, as soon as the caller is ready
   * to take them: transactions over several shards wait meanwhile.
   *
   * @param goOn runs when that time has come, or will not
   */
  SnapshotTurn enter(List<Integer> shards, Runnable goOn);

  /** One who wants snapshots. */
  interface SnapshotTurn {
    /**
     * Whether they may be taken now.
     *
     * @throws StatementException if they cannot be
     */
    boolean hasBegun();

    /** All have been taken, or none is wanted; again does nothing. */
    void leave();

    /** Whether what was taken before {@link #leave} shows every transaction whole. */
    boolean isGood();
  }
}
