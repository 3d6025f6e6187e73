package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.Output;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.TextRow;
import io.shardmark.proxy.routing.Route;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/** Rows that one server computes of those of several. */
public final class FinalRows {
  private FinalRows() {}

  /** For the client, who gets the whole answer. */
  static ExecutionStep forClient(
      Execution execution, Output client, String sql, Route.Several route, Arguments arguments) {
    GatheredRows gathered = new GatheredRows(execution, sql, route, arguments);
    Consumer<Message> reader =
        message -> {
          if (message.type() == BackendType.DATA_ROW) {
            client.pass(message);
          } else if (message.type() == BackendType.NOTICE_RESPONSE) {
            message.writeTo(client.out());
          }
        };
    return gathered.then(
        () -> {
          ShardAnswer answer = computed(gathered, reader);
          if (arguments.protocol() == Arguments.Protocol.SIMPLE) {
            BackendMessages.rowDescription(client.out(), gathered.fields());
          }
          execution.counters().count(LoopCounter.STATEMENTS_MERGED);
          return over(answer).thenDo(() -> client.complete(answer.tag()));
        });
  }

  /**
   * For the proxy: adds the values of the first column, as texts, "" for NULL.
   *
   * @param sql of the whole query, without parameters
   * @param route whose strategy is {@link io.shardmark.proxy.routing.ScatterStrategy.Finish}
   */
  public static ExecutionStep values(
      Execution execution, String sql, Route.Several route, List<String> values) {
    GatheredRows gathered = new GatheredRows(execution, sql, route, new Arguments.Text());
    Consumer<Message> reader =
        message -> {
          if (message.type() == BackendType.DATA_ROW) {
            values.add(Objects.requireNonNullElse(TextRow.read(message).get(0), ""));
          }
        };
    return gathered.then(() -> over(computed(gathered, reader)));
  }

  private static ShardAnswer computed(GatheredRows gathered, Consumer<Message> reader) {
    ShardAnswer answer =
        new ShardAnswer(0, gathered.lastServer(), (index, message) -> reader.accept(message));
    gathered.compute(answer);
    return answer;
  }

  private static ExecutionStep over(ShardAnswer answer) {
    ExecutionStep over = () -> ShardAnswer.areOver(List.of(answer));
    return over.failing(e -> GatheredRows.lastFailure(e.fields()));
  }
}
