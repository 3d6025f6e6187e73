package io.shardmark.proxy.session;

import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.BindWriter;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.StatementName;
import io.shardmark.proxy.protocol.TextRow;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code SELECT setval(...)} over several shards: finds the value, then sets the sequence on every
 * shard so that they go on without giving a number twice.
 */
final class SequenceStep {
  private final Client client;
  private StatementPlan.SetSequence plan;
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

  static ExecutionStep of(Client client, StatementPlan.SetSequence plan, Arguments arguments) {
    SequenceStep step = new SequenceStep(client, plan, arguments);
    return client
        .participants()
        .inTransactionOn(step.shards)
        .then(step::query)
        .then(step::set)
        .failing(StatementException::withoutPosition); // in texts that are not the client's
  }

  /** Has a shard compute what the client's parameters mean. */
  private ExecutionStep computed(Arguments.BoundArguments bound) {
    List<ShardAnswer> answers = new ArrayList<>();
    ShardAnswer.ask(
        client,
        client.participants().lowestShard(),
        answers,
        (index, message) -> read(message),
        (server, handler) -> {
          StatementText text = client.text(plan.valueQuery(), bound.text().typeOids());
          text.prepareOn(server, handler);
          new BindWriter(server.out(), server.ownPortal(), StatementName.of(text.id()))
              .parameters(bound.bind())
              .resultsInText();
          server.expect(Expected.BIND, handler);
          server.executeOwn(handler);
          server.sync(handler);
        });
    return () -> ShardAnswer.areOver(answers);
  }

  /** The value and the name of the sequence. */
  private void read(Message message) {
    if (message.type() == BackendType.DATA_ROW) {
      List<@Nullable String> row = TextRow.read(message);
      values.add(Objects.requireNonNullElse(row.get(0), ""));
      plan = plan.of(row.get(1));
    }
  }

  private ExecutionStep query() {
    if (arguments instanceof Arguments.BoundArguments bound && plan.sequence().isEmpty()) {
      return computed(bound);
    }
    Router.Routed query = routed(plan.valueQuery());
    if (!plan.called().isEmpty()
        && query.route() instanceof Route.Several several
        && !(several.strategy() instanceof ScatterStrategy.Finish)) {
      query = routed("select (" + plan.valueQuery() + ")"); // one server computes it of the rows
    }
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

  private Router.Routed routed(String sql) {
    return client.route(client.planner().simple(sql, client.searchPath()).get(0));
  }

  private ExecutionStep set() {
    if (values.isEmpty() && plan.called().isEmpty()) {
      return ExecutionStep.DONE.thenDo(() -> answer(List.of()));
    }
    String value = onlyValue();
    String digits = value == null ? "" : value.replaceAll("true|false", "");
    boolean called = value != null && value.concat(plan.called()).endsWith("true");
    Broadcast set =
        new Broadcast(
            client.output(), value == null ? looking() : texts(Long.parseLong(digits), called));
    return set.thenDo(
        () -> {
          boolean none = value == null || set.values().isEmpty(); // NULL for a sequence
          answer(List.of(Collections.singletonList(none ? null : digits)));
        });
  }

  private void answer(List<List<@Nullable String>> rows) {
    if (arguments instanceof Arguments.Text) {
      BackendMessages.rowDescription(client.out(), List.of(RowField.int8(plan.label())));
    }
    rows.forEach(row -> BackendMessages.dataRow(client.out(), row));
    client.output().complete("SELECT " + rows.size());
  }

  /** The value that the query gave, or null. A subquery without rows is NULL. */
  private @Nullable String onlyValue() {
    if (values.size() > 1) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "setval over several shards needs one value; its query gave " + values.size());
    }
    String value = values.isEmpty() ? "" : values.get(0);
    String known = value.isEmpty() ? plan.otherwise() : value;
    return known.isEmpty() ? null : known;
  }

  /** As setval does with NULL: nothing, unless there is no such sequence. */
  private Map<ServerConnection, List<String>> looking() {
    return Map.of(client.participants().required(0), List.of(SequenceDeal.lookingAt(plan)));
  }

  private Map<ServerConnection, List<String>> texts(long value, boolean called) {
    Map<ServerConnection, List<String>> texts = new LinkedHashMap<>();
    for (int shard : shards) {
      texts.put(
          client.participants().required(shard),
          List.of(SequenceDeal.query(plan, value, called, shard, shards.size())));
      client.participants().required(shard).dialog().wrote();
    }
    return texts;
  }
}
