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
import io.shardmark.proxy.scatter.ComputedValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code SELECT setval(...)} over several shards: finds the value, then sets the sequence on every
 * shard so that they go on without giving a number twice.
 */
final class SequenceStep implements Step {
  private static final String TAG = "SELECT 1";

  private final Client client;
  private final StatementPlan.SetSequence plan;
  private final Arguments arguments;
  private final List<Integer> shards = new ArrayList<>();

  /** The query of the value, where one shard answers it. */
  private @Nullable Broadcast answer;

  private @Nullable Broadcast set;
  private @Nullable String value;

  /** Of a value that is an expression over aggregates of several shards. */
  private @Nullable ComputedValues computed;

  SequenceStep(Client client, StatementPlan.SetSequence plan, Arguments arguments) {
    this.client = client;
    this.plan = plan;
    this.arguments = arguments;
    for (int shard = 0; shard < client.context().shardCount(); shard++) {
      shards.add(shard);
    }
  }

  @Override
  public boolean advance() {
    if (set == null) {
      boolean asked = answer != null || computed != null || ask();
      if (!asked || !haveAnswered()) {
        return false;
      }
      String found = onlyValue();
      value = found;
      set =
          new Broadcast(client.output(), found == null ? looking() : texts(Long.parseLong(found)));
    }
    if (!set.advance()) {
      return false;
    }
    if (arguments instanceof Arguments.Text) {
      BackendMessages.rowDescription(client.out(), LocalRows.SETVAL);
    }
    BackendMessages.dataRow(client.out(), Collections.singletonList(value));
    client.output().complete(TAG);
    return true;
  }

  private boolean ask() {
    if (!client.participants().inTransaction() || !client.participants().requireAll(shards)) {
      return false;
    }
    Router.Routed query =
        client.route(client.planner().simple(plan.valueQuery(), client.searchPath()).get(0));
    if (query.route() instanceof Route.Forwarded one) {
      ServerConnection server = client.participants().required(one.shard(client.participants()));
      answer = Broadcast.of(client.output(), List.of(server), query.statement().sql());
    } else if (query.route() instanceof Route.Several several
        && several.strategy() instanceof ScatterStrategy.Finish) {
      computed = new ComputedValues(client, query.statement().sql(), several);
    } else {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "the value of setval cannot be found over several shards",
          "Select the value first, and call setval with it.");
    }
    return true;
  }

  private boolean haveAnswered() {
    return computed == null ? Objects.requireNonNull(answer).advance() : computed.advance();
  }

  private @Nullable String onlyValue() {
    List<String> values =
        computed == null ? Objects.requireNonNull(answer).values() : computed.values();
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
