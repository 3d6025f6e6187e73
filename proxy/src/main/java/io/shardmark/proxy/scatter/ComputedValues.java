package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.routing.Route;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The first column of rows that one server computes of those of several, for the proxy. */
public final class ComputedValues implements Step {
  private final GatheredRows gathered;
  private final List<String> values = new ArrayList<>();
  private @Nullable Answer asked;

  /**
   * @param sql of the whole query, without parameters
   * @param route whose spread is {@link io.shardmark.proxy.routing.ScatterStrategy.Finish}
   */
  public ComputedValues(Execution execution, String sql, Route.Several route) {
    this.gathered = new GatheredRows(execution, sql, route, new Arguments.Text());
  }

  private final class Answer extends SyncedAnswer {
    @Override
    public void message(ServerConnection server, Message message) {
      super.message(server, message);
      if (message.type() == BackendType.DATA_ROW) {
        values.add(firstColumn(message));
      }
    }
  }

  @Override
  public boolean advance() {
    Answer answer = asked;
    if (answer == null) {
      if (!gathered.advance()) {
        return false;
      }
      answer = new Answer();
      asked = answer;
      gathered.compute(answer);
    }
    return answer.hasSucceeded();
  }

  /** As texts, when all are there; "" for NULL. */
  public List<String> values() {
    return values;
  }
}
