package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.routing.Spread;
import org.jspecify.annotations.Nullable;

/**
 * How many columns a shard's answer has, with the hidden ones: result formats that are given column
 * by column need it.
 */
final class ColumnCount {
  private final Execution execution;
  private final ShardRequest request;
  private final boolean needed;
  private @Nullable Described asked;

  ColumnCount(Execution execution, ShardRequest request, Arguments arguments, Spread spread) {
    this.execution = execution;
    this.request = request;
    this.needed =
        arguments instanceof Arguments.Bound bound
            && bound.bind().resultFormatCount() > 1
            && spread instanceof Spread.Merge;
  }

  /**
   * Whether it is known, or not needed; asks for it.
   *
   * @throws StatementException if the shard cannot say
   */
  boolean isKnown() {
    if (!needed) {
      return true;
    }
    Described answer = asked;
    if (answer == null) {
      ServerConnection server = execution.participants().required(request.shard());
      answer = new Described();
      asked = answer;
      request.describe(server, answer);
      server.flush();
    }
    return answer.hasSucceeded();
  }

  /** The number; 0 if it is not needed. */
  int value() {
    return asked == null ? 0 : asked.value;
  }

  /** Counts the columns of a described statement. */
  private static final class Described extends SyncedAnswer {
    private int value;

    @Override
    public void message(ServerConnection server, Message message) {
      super.message(server, message);
      if (message.type() == BackendType.ROW_DESCRIPTION) {
        value = message.buffer().getUnsignedShort(message.bodyStart());
      }
    }
  }
}
