package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.merge.MergeRefusedException;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Message;
import java.util.List;

/** What one of several shards answers to its part of a statement, up to ReadyForQuery. */
final class ShardAnswer extends SyncedAnswer {
  private final int index;
  private final ServerConnection server;
  private final Reader reader;
  private boolean stopped;

  /** Takes in what the shards answer. */
  @FunctionalInterface
  interface Reader {
    /**
     * A message of one shard, which has not failed; borrowed.
     *
     * @param index of the shard among those asked
     * @throws MergeRefusedException if the answer cannot be used: the statement fails
     */
    void message(int index, Message message);
  }

  ShardAnswer(int index, ServerConnection server, Reader reader) {
    this.index = index;
    this.server = server;
    this.reader = reader;
  }

  int index() {
    return index;
  }

  ServerConnection server() {
    return server;
  }

  @Override
  public void message(ServerConnection from, Message message) {
    super.message(from, message);
    if (hasFailed() || message.type() == BackendType.READY_FOR_QUERY) {
      return;
    }
    try {
      reader.message(index, message);
    } catch (MergeRefusedException e) {
      fail(StatementException.of(e).fields());
      server.cancelQuery();
    }
  }

  boolean hasFailed() {
    return error() != null || isLost();
  }

  /** Another shard has failed; if this one has an error already, that one is reported. */
  void stop() {
    if (!isDone() && error() == null && !stopped) {
      stopped = true;
      server.cancelQuery();
    }
  }

  boolean isOver() {
    return isDone() && !server.isBeingCancelled();
  }

  /**
   * Whether the servers have nothing left to send. When one has failed, the others are stopped.
   *
   * @throws StatementException the first failure, when all is over
   */
  static boolean areOver(List<ShardAnswer> answers) {
    if (answers.stream().anyMatch(ShardAnswer::hasFailed)) {
      answers.forEach(ShardAnswer::stop);
    }
    if (!answers.stream().allMatch(ShardAnswer::isOver)) {
      return false;
    }
    for (ShardAnswer answer : answers) {
      ErrorFields error = answer.error();
      if (error != null && !answer.stopped) {
        throw new StatementException(error);
      }
      if (answer.isLost()) {
        throw StatementException.lostIn(answer.server);
      }
    }
    return true;
  }
}
