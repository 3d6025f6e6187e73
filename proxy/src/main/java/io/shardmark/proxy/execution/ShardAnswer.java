package io.shardmark.proxy.execution;

import io.shardmark.proxy.merge.MergeRefusedException;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Message;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What one of several shards answers to its part of a statement, up to ReadyForQuery. When one has
 * failed, the others are cancelled. Belongs to the client's event loop.
 */
public final class ShardAnswer extends SyncedAnswer {
  private final int index;
  private final ServerConnection server;
  private final Reader reader;
  private boolean stopped;

  /** Takes in what the shards answer. */
  @FunctionalInterface
  public interface Reader {
    /**
     * A message of one shard, which has not failed; borrowed.
     *
     * @throws MergeRefusedException if the answer cannot be used: the statement fails
     * @throws StatementException the same
     */
    void message(int index, Message message);
  }

  /**
   * Asks a shard, whose connection the client has, and counts that.
   *
   * @param answers of the shards asked before for the same statement; gets one more
   * @param request sends what is asked, up to Sync
   */
  public static void ask(
      Execution execution,
      int shard,
      List<ShardAnswer> answers,
      Reader reader,
      BiConsumer<ServerConnection, ShardAnswer> request) {
    ServerConnection server = execution.participants().required(shard);
    ShardAnswer answer = new ShardAnswer(answers.size(), server, reader);
    answers.add(answer);
    request.accept(server, answer);
    server.flush();
    execution.counters().count(shard, ShardCounter.STATEMENTS);
  }

  /**
   * @param index of the shard among those asked
   */
  public ShardAnswer(int index, ServerConnection server, Reader reader) {
    this.index = index;
    this.server = server;
    this.reader = reader;
  }

  public int index() {
    return index;
  }

  public ServerConnection server() {
    return server;
  }

  @Override
  public void message(ServerConnection from, Message message) {
    super.message(from, message);
    if (stopped || hasFailed() || message.type() == BackendType.READY_FOR_QUERY) {
      return;
    }
    reading(() -> reader.message(index, message));
  }

  /** Uses what it has answered; if that cannot be, the statement fails. */
  public void reading(Runnable use) {
    try {
      use.run();
    } catch (MergeRefusedException e) {
      refuse(StatementException.of(e));
    } catch (StatementException e) {
      refuse(e);
    }
  }

  private void refuse(StatementException refusal) {
    fail(refusal.fields());
    server.cancelQuery();
  }

  /** Whether it is known to be no answer. */
  public boolean hasFailed() {
    return error() != null || isLost();
  }

  /** Another shard has failed; if this one has an error already, that one is reported. */
  private void stop() {
    if (!isDone() && error() == null && !stopped) {
      stopped = true;
      server.cancelQuery();
    }
  }

  private boolean isOver() {
    return isDone() && !server.dialog().isBeingCancelled();
  }

  /**
   * Whether the servers have nothing left to send. When one has failed, the others are stopped.
   *
   * @throws StatementException the first failure, when all is over
   */
  public static boolean areOver(List<ShardAnswer> answers) {
    boolean failed = answers.stream().anyMatch(ShardAnswer::hasFailed);
    if (failed ? !areStopped(answers) : !answers.stream().allMatch(ShardAnswer::isOver)) {
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

  /** Cancels all that are still answering; whether nothing comes from them any more. */
  public static boolean areStopped(List<ShardAnswer> answers) {
    answers.forEach(ShardAnswer::stop);
    return answers.stream().allMatch(ShardAnswer::isOver);
  }
}
