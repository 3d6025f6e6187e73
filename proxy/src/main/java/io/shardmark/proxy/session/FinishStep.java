package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Spread;
import org.jspecify.annotations.Nullable;

/** Expressions over aggregates of several shards, for the client. */
final class FinishStep implements Step {
  private final ClientSession session;
  private final Arguments arguments;
  private final FinalRows rows;
  private final RowsToClient client;

  /** For an Execute with a row limit. */
  private final @Nullable ScatterRows kept;

  FinishStep(
      ClientSession session,
      PlannedStatement statement,
      Route.Several route,
      Spread.Finish finish,
      Arguments arguments) {
    this.session = session;
    this.arguments = arguments;
    this.client = new RowsToClient(session);
    this.kept =
        arguments instanceof Arguments.Bound bound && bound.maxRows() > 0
            ? new ScatterRows(session.context().config().limits().scatterMemoryBytes())
            : null;
    this.rows = new FinalRows(session, statement, route, finish, arguments, this::take);
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
      bound.portal().keepRest(rest);
      ScatterStep.sendRows(session, bound, rest);
    } else {
      BackendMessages.commandComplete(session.out(), rows.tag());
    }
    return true;
  }
}
