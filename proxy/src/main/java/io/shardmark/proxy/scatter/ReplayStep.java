package io.shardmark.proxy.scatter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.CapturedAnswer;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.ShardAnswer;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.ValueTexts;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.BodyReader;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.protocol.TextArray;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.ReplayedChange;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import io.shardmark.proxy.settings.SettingsSql;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.TableName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A change of a reference table that the first shard computes. The other shards are given the rows
 * that it has changed, and must have the same rows afterwards. The rows are held until then.
 */
final class ReplayStep {
  private final Execution execution;
  private final Route.Several route;
  private final ReplayedChange change;
  private final Arguments arguments;
  private final List<ShardAnswer> asked = new ArrayList<>();

  /** Rows of RETURNING. */
  private final ScatterRows returned;

  /** Of RETURNING; none if the statement has none. */
  private List<RowField> fields = List.of();

  /** The changed rows, by hidden column. */
  private final List<List<String>> rows;

  private List<String> key = List.of();
  private long heldBytes;
  private String tag = "";

  private ReplayStep(
      Execution execution, Route.Several route, ReplayedChange change, Arguments arguments) {
    this.execution = execution;
    this.route = route;
    this.change = change;
    this.arguments = arguments;
    this.returned = ScatterRows.held(execution);
    this.rows =
        Stream.<List<String>>generate(ArrayList::new).limit(change.hiddenColumns()).toList();
  }

  static ExecutionStep of(
      Execution execution,
      Route.Several route,
      ScatterStrategy.Replay strategy,
      Arguments arguments) {
    ReplayStep replay = new ReplayStep(execution, route, strategy.change(), arguments);
    return replay.changingAll(strategy.locked()).thenDo(replay::answer);
  }

  /** The same of what COPY or DDL has done to the rows of a table; the client is not answered. */
  static ExecutionStep unanswered(Execution execution, ReplayedChange change) {
    List<Route.Share> shares =
        IntStream.range(0, execution.shardCount())
            .mapToObj(shard -> new Route.Share(shard, change.sql(), null))
            .toList();
    ScatterStrategy strategy = new ScatterStrategy.Replay(change, List.of());
    Route.Several route = new Route.Several(Access.WRITE, strategy, shares);
    return new ReplayStep(execution, route, change, new Arguments.Text()).changingAll(List.of());
  }

  private ExecutionStep changingAll(List<TableName> locked) {
    return execution
        .participants()
        .inTransactionOn(route.shards())
        .then(() -> CopyLocks.of(execution, locked))
        .then(this::findingKey)
        .then(this::changing)
        .then(this::copying);
  }

  private ServerConnection first() {
    return execution.participants().required(route.shards().get(0));
  }

  private ExecutionStep findingKey() {
    ValueTexts.requireWholeRows(execution.settings());
    if (!change.needsKey()) {
      return ExecutionStep.DONE;
    }
    Broadcast answer = Broadcast.of(execution.output(), List.of(first()), change.keyQuery());
    return answer.thenDo(() -> key = answer.values());
  }

  // ---- the first shard ----

  private ExecutionStep changing() {
    execution.counters().count(LoopCounter.STATEMENTS_REFERENCE_WRITE);
    first().dialog().wrote();
    ShardRequest request = ShardRequest.all(execution, route, arguments).get(0);
    ShardAnswer.ask(execution, request.shard(), asked, this::read, request::send);
    ExecutionStep answered = () -> ShardAnswer.areOver(asked);
    boolean extended = change.change() == RowChange.UPDATE;
    return extended ? answered.failing(StatementException::withoutPosition) : answered;
  }

  /** A message of the first shard; borrowed. */
  private void read(int index, Message message) {
    switch (message.type()) {
      case ROW_DESCRIPTION -> {
        List<RowField> all = RowField.readAll(message);
        fields = all.subList(0, all.size() - change.hiddenColumns());
      }
      case DATA_ROW -> row(message);
      case COMMAND_COMPLETE -> tag = CapturedAnswer.tag(message);
      case NOTICE_RESPONSE -> message.writeTo(execution.output().out());
      default -> {}
    }
  }

  private void row(Message message) {
    heldBytes += 2L * message.length();
    if (heldBytes > execution.memoryLimitBytes()) {
      throw new StatementException(
          SqlState.OUT_OF_MEMORY,
          "copying the changed rows of %s to the other shards needs more than %d bytes of memory"
              .formatted(change.table(), execution.memoryLimitBytes()),
          "Change fewer rows at once, or raise scatter_memory_limit.");
    }
    BodyReader body = message.fields();
    body.count("values", Integer.BYTES);
    for (int i = 0; i < fields.size(); i++) {
      body.bytes(Math.max(0, body.int32()));
    }
    if (!fields.isEmpty()) {
      ByteBuf row = Unpooled.buffer(); // on the heap: nobody need release it
      BackendMessages.dataRow(row, message, fields.size(), body.index());
      returned.add(row);
    }
    for (List<String> column : rows) {
      column.add(new String(body.bytes(body.int32()), StandardCharsets.UTF_8));
    }
  }

  // ---- the other shards ----

  private ExecutionStep copying() {
    if (rows.get(0).isEmpty()) {
      return ExecutionStep.DONE;
    }
    requireKey();
    List<ServerConnection> others =
        route.shards().stream().skip(1).map(execution.participants()::required).toList();
    others.forEach(server -> server.dialog().wrote());
    List<String> arrays = rows.stream().map(ReplayStep::literal).toList();
    Broadcast copies = Broadcast.of(execution.output(), others, change.replay(key, arrays));
    return copies
        .failing(e -> e.fields().sqlState().equals(SqlState.GENERATED_ALWAYS) ? cannotBeGiven() : e)
        .thenDo(() -> requireSame(others, copies.rows()));
  }

  /** PostgreSQL takes DEFAULT only in an UPDATE (PG18 §5.3 ddl-identity-columns). */
  private StatementException cannotBeGiven() {
    return new StatementException(
        SqlState.FEATURE_NOT_SUPPORTED,
        "the copies of table %s would differ: each shard draws other numbers for an identity column that is GENERATED ALWAYS"
            .formatted(change.table()),
        "Make the column GENERATED BY DEFAULT, or delete the rows and insert them again.");
  }

  private void requireKey() {
    List<String> changed = change.beyondKey();
    if (changed != null && (key.isEmpty() || key.stream().anyMatch(changed::contains))) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "the changed rows of table %s, which is on every shard, cannot be found on the others: %s"
              .formatted(
                  change.table(),
                  key.isEmpty()
                      ? "it has no primary key"
                      : "the statement may change their key " + String.join(", ", key)),
          "Give the table a primary key that the statement does not change.");
    }
  }

  private static String literal(List<String> texts) {
    TextArray array = new TextArray();
    texts.forEach(array::add);
    return SettingsSql.literal(array.toString());
  }

  private void requireSame(
      List<ServerConnection> others, List<List<List<@Nullable String>>> answers) {
    List<String> expected = rows.get(0).stream().sorted().toList();
    for (int i : IntStream.range(0, answers.size()).toArray()) {
      List<String> found =
          answers.get(i).stream()
              .map(row -> Objects.requireNonNullElse(row.get(0), ""))
              .sorted()
              .toList();
      if (!found.equals(expected)) {
        throw new StatementException(
            SqlState.FEATURE_NOT_SUPPORTED,
            "the copies of table %s would differ: on shard %s the same change gives other rows"
                .formatted(change.table(), others.get(i).shardName()),
            "Look for a trigger that changes rows, and for rows that were changed past the proxy.");
      }
    }
  }

  // ---- the client ----

  private void answer() {
    if (fields.isEmpty()) {
      execution.output().complete(tag);
      return;
    }
    if (arguments.protocol() == Arguments.Protocol.SIMPLE) {
      BackendMessages.rowDescription(execution.output().out(), fields);
    }
    returned.begin(arguments, tag.substring(0, tag.lastIndexOf(' ')));
  }
}
