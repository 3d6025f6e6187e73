package io.shardmark.proxy.deadlock;

import java.util.List;

/** The sessions' transactions, as the detector needs them. Thread-safe; may block for a moment. */
public interface TransactionDirectory {
  /**
   * A server connection of a transaction.
   *
   * @param shard index
   * @param processId as in BackendKeyData and pg_stat_activity
   */
  record Backend(int shard, int processId) {}

  /**
   * A transaction, on one shard or more.
   *
   * @param id never used twice in this process
   * @param startNanos when it began, by {@link System#nanoTime}
   * @param gid of the two-phase commit that is under way, "" if none is
   * @param backends where it is open
   */
  record OpenTransaction(long id, long startNanos, String gid, List<Backend> backends) {
    public OpenTransaction {
      backends = List.copyOf(backends);
    }
  }

  /** All transactions that are open about now. */
  List<OpenTransaction> snapshot();

  /**
   * Cancels what a transaction waits for, because of a deadlock: its session sends a cancel request
   * for that connection, and for others that have not answered yet, and reports the 57014 that
   * comes of it as 40P01. Does nothing if the transaction has ended or does not wait for an answer
   * of that connection any more.
   *
   * @param id of the transaction
   * @param backend the one that waits for a lock
   * @param detail whom it waits for, for the error's detail field
   */
  void cancel(long id, Backend backend, String detail);
}
