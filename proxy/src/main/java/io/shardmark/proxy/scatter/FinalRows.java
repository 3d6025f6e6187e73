package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.RowsToClient;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that one server computes of those of several, for the client. */
final class FinalRows implements Step {
  private final Execution execution;
  private final GatheredRows gathered;
  private final Arguments arguments;
  private final RowsToClient client;
  private @Nullable ShardAnswer computed;

  FinalRows(Execution execution, GatheredRows gathered, Arguments arguments) {
    this.execution = execution;
    this.gathered = gathered;
    this.arguments = arguments;
    this.client = new RowsToClient(execution.output());
  }

  private void take(Message message) {
    if (message.type() == BackendType.DATA_ROW) {
      client.pass(message);
    } else if (message.type() == BackendType.NOTICE_RESPONSE) {
      message.writeTo(execution.output().out());
    }
  }

  @Override
  public boolean advance() {
    ShardAnswer last = computed;
    if (last == null) {
      if (!gathered.advance()) {
        return false;
      }
      last = compute();
    }
    try {
      if (!ShardAnswer.areOver(List.of(last))) {
        return false;
      }
    } catch (StatementException e) {
      throw GatheredRows.lastFailure(e.fields());
    }
    execution.output().complete(last.tag());
    return true;
  }

  private ShardAnswer compute() {
    ShardAnswer answer =
        new ShardAnswer(0, gathered.lastServer(), (index, message) -> take(message));
    computed = answer;
    gathered.compute(answer);
    if (arguments.protocol() == Arguments.Protocol.SIMPLE) {
      BackendMessages.rowDescription(execution.output().out(), gathered.fields());
    }
    execution.counters().count(LoopCounter.STATEMENTS_MERGED);
    return answer;
  }
}
