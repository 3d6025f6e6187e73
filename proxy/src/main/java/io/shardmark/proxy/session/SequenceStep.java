package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.local.LocalRows;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.routing.ddl.SequenceDeal;
import io.shardmark.proxy.scatter.FinalRows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code SELECT setval(...)} over several shards: finds the value, then sets the sequence on every
 * shard so that they go on without giving a number twice.
 */
final class SequenceStep {
  private static final String TAG = "SELECT 1";

  private final Client client;
  private final StatementPlan.SetSequence plan;
  private final Arguments arguments;
  private final List<Integer> shards = new ArrayList<>();

  private final List<String> values = new ArrayList<>();

  private SequenceStep(Client client, StatementPlan.SetSequence plan, Arguments arguments) {
    this.client = client;
    this.plan = plan;
    this.arguments = arguments;
    for (int shard = 0; shard < client.context().shardCount(); shard++) {
      shards.add(shard);
    }
  }

  static Step of(Client client, StatementPlan.SetSequence plan, Arguments arguments) {
    SequenceStep step = new SequenceStep(client, plan, arguments);
    Step connected =
        () ->
            client.participants().inTransaction() && client.participants().requireAll(step.shards);
    return connected.then(step::query).then(step::set);
  }

  private Step query() {
    Router.Routed query =
        client.route(client.planner().simple(plan.valueQuery(), client.searchPath()).get(0));
    String sql = query.statement().sql();
    if (query.route() instanceof Route.Several several
        && several.strategy() instanceof ScatterStrategy.Finish) {
      return FinalRows.values(client, sql, several, values);
    }
    if (!(query.route() instanceof Route.Forwarded one)) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "the value of setval cannot be found over several shards",
          "Select the value first, and call setval with it.");
    }
    ServerConnection server = client.participants().required(one.shard(client.participants()));
    Broadcast answer = Broadcast.of(client.output(), List.of(server), sql);
    return answer.thenDo(() -> values.addAll(answer.values()));
  }

  private Step set() {
    String value = onlyValue();
    Broadcast set =
        new Broadcast(client.output(), value == null ? looking() : texts(Long.parseLong(value)));
    return set.thenDo(
        () -> {
          if (arguments instanceof Arguments.Text) {
            BackendMessages.rowDescription(client.out(), LocalRows.SETVAL);
          }
          BackendMessages.dataRow(client.out(), Collections.singletonList(value));
          client.output().complete(TAG);
        });
  }

  private @Nullable String onlyValue() {
    if (values.size() != 1) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "setval over several shards needs one value; its query gave " + values.size());
    }
    return values.get(0).isEmpty() ? null : values.get(0);
  }

  /** As setval does with NULL: nothing, unless there is no such sequence. */
  private Map<ServerConnection, List<String>> looking() {
    return Map.of(client.participants().required(0), List.of(SequenceDeal.lookingAt(plan)));
  }

  private Map<ServerConnection, List<String>> texts(long first) {
    Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
    for (int shard : shards) {
      texts.put(
          client.participants().required(shard),
          List.of(SequenceDeal.query(plan, first, shard, shards.size())));
      client.participants().required(shard).markWritten();
    }
    return texts;
  }
}
