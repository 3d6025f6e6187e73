package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.Transaction.Mode;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement on several shards at once, answered as one. */
public final class ScatterStep implements Step {
  private final Execution execution;
  private final PlannedStatement statement;
  private final Route.Several route;
  private final Arguments arguments;
  private final List<ShardRequest> requests;
  private final List<ShardAnswer> answers = new ArrayList<>();
  private @Nullable CombinedAnswer combined;
  private final @Nullable CopyLocks locks;

  ScatterStep(
      Execution execution, PlannedStatement statement, Route.Several route, Arguments arguments) {
    this.execution = execution;
    this.statement = statement;
    this.route = route;
    this.arguments = arguments;
    this.requests = ShardRequest.all(execution, route, arguments);
    this.locks = CopyLocks.of(execution, route.strategy());
  }

  @Override
  public boolean advance() {
    if (answers.isEmpty() && !send()) {
      return false;
    }
    CombinedAnswer result = combined;
    if (result == null) {
      throw new IllegalStateException("answered without being asked");
    }
    if (answers.stream().anyMatch(ShardAnswer::hasFailed)) {
      result.close();
    }
    for (ShardAnswer answer : answers) {
      boolean reads = !answer.isDone() && !answer.hasFailed();
      answer.server().setAhead(reads && result.isAhead(answer.index()));
    }
    if (!ShardAnswer.areOver(answers)) {
      return false;
    }
    try {
      result.finish();
    } finally {
      result.close();
    }
    return true;
  }

  private boolean send() {
    if (statement.tag().equals("LOCK") && execution.transaction().mode() == Mode.NONE) {
      throw new StatementException(
          SqlState.NO_ACTIVE_SQL_TRANSACTION, "LOCK TABLE can only be used in transaction blocks");
    }
    if (route.access() != Access.READ && !execution.participants().inTransaction()) {
      return false;
    }
    List<Integer> shards = requests.stream().map(ShardRequest::shard).toList();
    if (!execution.participants().requireAll(shards)) {
      return false;
    }
    if (locks != null && !locks.advance()) {
      return false;
    }
    CombinedAnswer result =
        new CombinedAnswer(execution, statement, route.strategy(), arguments, shards.size());
    combined = result;
    for (int i = 0; i < requests.size(); i++) {
      ShardRequest request = requests.get(i);
      ServerConnection server = execution.participants().required(request.shard());
      if (route.access() == Access.WRITE) {
        server.markWritten();
      }
      ShardAnswer answer =
          new ShardAnswer(
              i,
              server,
              (index, message) -> {
                result.message(index, message);
                if (message.type() == BackendType.DATA_ROW && result.isAhead(index)) {
                  server.setAhead(true);
                }
              });
      answers.add(answer);
      request.send(server, answer);
      server.flush();
      execution.counters().count(request.shard(), ShardCounter.STATEMENTS);
    }
    count();
    return true;
  }

  private void count() {
    ScatterStrategy strategy = route.strategy();
    LoopCounter counter = LoopCounter.STATEMENTS_WRITTEN_ON_SEVERAL;
    if (strategy instanceof ScatterStrategy.Merge) {
      counter = LoopCounter.STATEMENTS_MERGED;
    } else if (strategy instanceof ScatterStrategy.Same) {
      counter = LoopCounter.STATEMENTS_REFERENCE_WRITE;
    } else if (strategy instanceof ScatterStrategy.SplitRows) {
      counter = LoopCounter.STATEMENTS_SPLIT;
    }
    execution.counters().count(counter);
  }
}
