package io.shardmark.proxy.scatter;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.RowsToClient;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Spread;
import org.jspecify.annotations.Nullable;

/** Expressions over aggregates of several shards, for the client. */
final class FinishStep implements Step {
  private final Execution execution;
  private final Arguments arguments;
  private final FinalRows rows;
  private final RowsToClient client;

  /** For an Execute with a row limit. */
  private final @Nullable ScatterRows kept;

  FinishStep(
      Execution execution,
      PlannedStatement statement,
      Route.Several route,
      Spread.Finish finish,
      Arguments arguments) {
    this.execution = execution;
    this.arguments = arguments;
    this.client = new RowsToClient(execution.output());
    this.kept = ScatterRows.forPortions(execution, arguments);
    this.rows = new FinalRows(execution, statement, route, finish, arguments, this::take);
  }

  private void take(ByteBuf message) {
    ScatterRows rest = kept;
    if (rest == null) {
      client.pass(message, message.readerIndex(), message.readableBytes());
    } else {
      rest.add(message.copy());
    }
  }

  @Override
  public void abandon() {
    rows.abandon();
    if (kept != null) {
      kept.close();
    }
  }

  @Override
  public boolean advance() {
    if (!rows.advance()) {
      return false;
    }
    ScatterRows rest = kept;
    if (rest != null && arguments instanceof Arguments.Bound bound) {
      rest.begin(bound);
    } else {
      BackendMessages.commandComplete(execution.output().out(), rows.tag());
    }
    return true;
  }
}
