package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.RowsToClient;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Message;
import org.jspecify.annotations.Nullable;

/** Rows that one server computes of those of several, for the client. */
final class FinalRows implements Step {
  private final Execution execution;
  private final GatheredRows gathered;
  private final Arguments arguments;
  private final RowsToClient client;
  private @Nullable Computed computed;

  FinalRows(Execution execution, GatheredRows gathered, Arguments arguments) {
    this.execution = execution;
    this.gathered = gathered;
    this.arguments = arguments;
    this.client = new RowsToClient(execution.output());
  }

  /** The last server's answer. */
  private final class Computed extends SyncedAnswer {
    @Override
    public void message(ServerConnection server, Message message) {
      super.message(server, message);
      if (message.type() == BackendType.DATA_ROW) {
        client.pass(message);
      } else if (message.type() == BackendType.NOTICE_RESPONSE) {
        message.writeTo(execution.output().out());
      }
    }
  }

  @Override
  public boolean advance() {
    Computed last = computed;
    if (last == null) {
      if (!gathered.advance()) {
        return false;
      }
      last = compute();
    }
    ErrorFields error = last.error();
    if (error != null && last.isDone()) {
      throw GatheredRows.lastFailure(error);
    }
    if (!last.hasSucceeded()) {
      return false;
    }
    BackendMessages.commandComplete(execution.output().out(), last.tag());
    return true;
  }

  private Computed compute() {
    Computed answer = new Computed();
    computed = answer;
    gathered.compute(answer);
    if (arguments.protocol() == Arguments.Protocol.SIMPLE) {
      BackendMessages.rowDescription(execution.output().out(), gathered.fields());
    }
    execution.counters().count(LoopCounter.STATEMENTS_MERGED);
    return answer;
  }
}
