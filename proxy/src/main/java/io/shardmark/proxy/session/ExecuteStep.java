package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.ResultKeeper;
import io.shardmark.proxy.execution.RowsToClient;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.execution.SyncedAnswer;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.BindWriter;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.BindParameters;
import io.shardmark.proxy.routing.PlannedStatement;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.SqlLexer;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.scatter.ShardRequest;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** EXECUTE in SQL: as a Bind with these values in text would, on one shard or on several. */
final class ExecuteStep implements Step {
  /** int8, int2, int4. */
  private static final Set<Integer> INTEGERS = Set.of(20, 21, 23);

  private final Client client;
  private final PlannedStatement planned;
  private final Route route;
  private final Arguments.Bound bound;
  private final RowsToClient rows;
  private @Nullable Step scattered;
  private @Nullable Passing answer;

  private ExecuteStep(Client client, PlannedStatement planned, Route route, Arguments.Bound bound) {
    this.client = client;
    this.planned = planned;
    this.route = route;
    this.bound = bound;
    this.rows = new RowsToClient(client.output());
  }

  static Step of(Client client, StatementPlan.Execute plan, Arguments arguments) {
    if (arguments instanceof Arguments.Bound) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "EXECUTE over several shards cannot be sent in the extended protocol",
          "Bind the prepared statement by its name, or send EXECUTE as a simple query.");
    }
    StatementText text = client.statements().existing(plan.name()).text();
    PlannedStatement planned = client.planned(text);
    client.transaction().refuseIfFailed(planned.plan());
    if (!(planned.plan() instanceof StatementPlan.Query)) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "EXECUTE of " + planned.tag() + " is not supported over several shards",
          "Execute it in the protocol that prepared it.");
    }
    ByteBuf message = Unpooled.buffer(64); // on the heap: nobody need release it
    new BindWriter(message, "", "").texts(values(plan, text)).resultsInText();
    BindReader bind = new BindReader(client.context().names());
    bind.read(message, 0, message.readableBytes());
    Route route = client.route(planned, new BindParameters(bind, text.typeOids()));
    Arguments.Bound bound =
        new Arguments.Bound(text, bind, ResultKeeper.NONE, 0, Arguments.Protocol.SIMPLE);
    return new ExecuteStep(client, planned, route, bound);
  }

  /** As many as there are parameters; PostgreSQL ignores values for a statement that has none. */
  private static List<@Nullable String> values(StatementPlan.Execute plan, StatementText text) {
    int expected = Math.max(text.typeOids().length, SqlLexer.highestParameter(text.sql()));
    int given = plan.values().size();
    if (expected == 0) {
      return List.of();
    }
    if (given != expected) {
      throw new StatementException(
          ErrorFields.error(
                  SqlState.SYNTAX_ERROR,
                  "wrong number of parameters for prepared statement \"" + plan.name() + '"')
              .withDetail("Expected " + expected + " parameters but got " + given + "."));
    }
    return plan.numbers().isEmpty() ? plan.values() : assigned(plan, text.typeOids());
  }

  /** Integers as PostgreSQL assigns numbers to them: the nearest one, a half away from zero. */
  private static List<@Nullable String> assigned(StatementPlan.Execute plan, int[] types) {
    List<@Nullable String> values = new ArrayList<>(plan.values());
    for (int i : plan.numbers()) {
      String value = values.get(i);
      if (value != null && i < types.length && INTEGERS.contains(types[i])) {
        values.set(i, new BigDecimal(value).setScale(0, RoundingMode.HALF_UP).toPlainString());
      }
    }
    return values;
  }

  /** One shard's answer, for the client up to ReadyForQuery. */
  private final class Passing extends SyncedAnswer {
    @Override
    public void message(ServerConnection from, Message message) {
      super.message(from, message);
      switch (message.type()) {
        case ROW_DESCRIPTION, DATA_ROW, COMMAND_COMPLETE, EMPTY_QUERY_RESPONSE, NOTICE_RESPONSE ->
            rows.pass(message);
        default -> {}
      }
    }
  }

  @Override
  public void abandon() {
    if (scattered != null) {
      scattered.abandon();
    }
  }

  @Override
  public boolean advance() {
    if (!(route instanceof Route.Forwarded forwarded)) {
      Step work = scattered;
      if (work == null) {
        work = Operations.step(client, planned, route, bound);
        scattered = work;
      }
      return work.advance();
    }
    Passing asked = answer;
    if (asked == null) {
      int shard = forwarded.shard(client.participants());
      ServerConnection free = client.participants().require(shard);
      if (free == null) {
        return false;
      }
      asked = new Passing();
      answer = asked;
      Forwarding.note(client, free, forwarded);
      ShardRequest.whole(client, shard, planned.sql(), bound).send(free, asked);
      free.flush();
    }
    return asked.hasSucceeded();
  }
}
