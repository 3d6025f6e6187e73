package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.merge.MergeRefusedException;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TransactionStatus;
import org.jspecify.annotations.Nullable;

/** What one shard answers to its part of a scattered statement, up to ReadyForQuery. */
final class ShardAnswer implements AnswerHandler {
  private final int index;
  private final ServerConnection server;
  private final CombinedAnswer combined;
  private @Nullable ErrorFields error;
  private boolean done;
  private boolean lost;
  private boolean stopped;

  ShardAnswer(int index, ServerConnection server, CombinedAnswer combined) {
    this.index = index;
    this.server = server;
    this.combined = combined;
  }

  @Override
  public Use use() {
    return Use.CAPTURE;
  }

  boolean isDone() {
    return done;
  }

  boolean hasFailed() {
    return error != null || lost;
  }

  /** Reads on from the server, or waits until the merge has got rows of others. */
  void pace() {
    server.setAhead(!done && error == null && combined.isAhead(index));
  }

  /** Another shard has failed: this one may stop too. */
  void stop() {
    if (!done && error == null && !stopped) {
      stopped = true;
      server.cancelQuery();
    }
  }

  /** Whether nothing comes or goes on its account any more. */
  boolean isOver() {
    return done && !server.isBeingCancelled();
  }

  /** Throws what went wrong here. */
  void throwFailure() {
    ErrorFields found = error;
    if (found != null && !stopped) {
      throw new StatementException(found);
    }
    if (lost) {
      throw StatementException.lostIn(server);
    }
  }

  @Override
  public void message(ServerConnection from, Message message) {
    if (message.type() == BackendType.READY_FOR_QUERY) {
      done = true;
      return;
    }
    if (error != null) {
      return;
    }
    if (message.type() == BackendType.ERROR_RESPONSE) {
      error = CapturedAnswer.error(from, message);
      return;
    }
    try {
      combined.message(index, message);
      if (message.type() == BackendType.DATA_ROW && combined.isAhead(index)) {
        server.setAhead(true);
      }
    } catch (MergeRefusedException e) {
      error = StatementException.of(e).fields();
    }
  }

  @Override
  public void completed(ServerConnection from, TransactionStatus status) {
    // The message that ends it all is ReadyForQuery.
  }

  @Override
  public void skipped(ServerConnection from) {
    // The error is known, and ReadyForQuery is to come.
  }

  @Override
  public void lost(ServerConnection from) {
    lost = true;
    done = true;
  }
}
