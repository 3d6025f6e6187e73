package io.shardmark.proxy.copy;

import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.routing.CopyText;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * COPY TO STDOUT of several shards as one stream (PG18 §54.2.7 protocol-copy). Rows of the shards
 * come in any order. What a client does not read stops the shards' connections.
 */
public final class CopyOutStep implements Step {
  private final Execution execution;
  private final PlannedStatement statement;
  private final @Nullable CopyText output;
  private final List<Integer> shards;
  private final List<ShardAnswer> answers = new ArrayList<>();
  private final CopyOutStream stream;

  public CopyOutStep(Execution execution, PlannedStatement statement, Route.CopyData route) {
    this.execution = execution;
    this.statement = statement;
    this.output = route.copy().text();
    this.shards = route.shards();
    this.stream =
        new CopyOutStream(execution.output(), output != null && output.header(), shards.size());
  }

  private void read(int index, Message message) {
    switch (message.type()) {
      case COPY_OUT_RESPONSE -> stream.response(message);
      case COPY_DATA -> stream.data(index, message);
      case NOTICE_RESPONSE -> message.writeTo(execution.output().out());
      default -> {}
    }
  }

  @Override
  public boolean advance() {
    if (answers.isEmpty() && !send()) {
      return false;
    }
    try {
      if (!ShardAnswer.areOver(answers)) {
        return false;
      }
    } catch (StatementException e) {
      stream.close();
      throw e;
    }
    stream.close();
    long rows = 0;
    for (ShardAnswer answer : answers) {
      rows += Math.max(0, CapturedAnswer.rowCount(answer.tag()));
    }
    stream.finish(rows);
    return true;
  }

  private boolean send() {
    if (!execution.participants().requireAll(shards)) {
      return false;
    }
    execution.counters().count(LoopCounter.STATEMENTS_COPY);
    String sql = output == null || output.sql().isEmpty() ? statement.sql() : output.sql();
    for (int shard : shards) {
      ShardAnswer.ask(
          execution, shard, answers, this::read, (server, answer) -> server.query(sql, answer));
    }
    return true;
  }
}
