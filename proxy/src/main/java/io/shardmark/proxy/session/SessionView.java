package io.shardmark.proxy.session;

import java.util.List;
import java.util.Optional;

/**
 * What an administrator sees of a session at a moment.
 *
 * @param id as the client knows it from BackendKeyData; 0 while it is being welcomed
 * @param applicationName "" if it has none
 * @param state active, idle, idle in transaction, idle in failed transaction, or waiting for a
 *     server connection
 * @param shards indexes of those whose server connections it holds
 * @param ageNanos since its login
 * @param transaction if it is over several shards
 */
public record SessionView(
    int id,
    String user,
    String database,
    String applicationName,
    String address,
    String state,
    List<Integer> shards,
    long ageNanos,
    Optional<DistributedTransaction> transaction) {

  /**
   * A transaction over several shards.
   *
   * @param gid of its two-phase commit, "" before that
   * @param shards indexes of those that it is on
   * @param state open, failed, or what its commit is doing
   */
  public record DistributedTransaction(
      String gid, List<Integer> shards, String state, long ageNanos) {}
}
