package io.shardmark.proxy.session;

import io.shardmark.proxy.copy.ForwardedCopyIn;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Access;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Route.FunctionUse.UseKind;
import io.shardmark.proxy.routing.SessionEffect;
import io.shardmark.proxy.shardmap.CustomParameters;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What is noted of a statement that is passed on to one server as the client wrote it. */
final class Forwarding {
  private static final Set<SessionEffect> PINS =
      EnumSet.of(
          SessionEffect.PINS_ALWAYS,
          SessionEffect.PINS_IF_EXECUTED,
          SessionEffect.PINS_IF_COMMITTED);

  private Forwarding() {}

  /**
   * A statement is to be sent to that server next: counts it, and notes what it may do there,
   * whatever becomes of it. Every statement that is passed on comes by here.
   *
   * @param server which the session has borrowed for it
   * @param sql its text
   * @throws StatementException if it locks or leaves something on a standby
   */
  static void note(Client client, ServerConnection server, Route.Forwarded route, String sql) {
    LoopCounters counters = client.context().counters();
    Route.FunctionUse use = route.use();
    boolean binds = use.access() == Access.LOCK || use.access() == Access.STATE;
    if (server.isStandby() && (binds || PINS.stream().anyMatch(use::has))) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "a standby cannot keep what the statement locks or leaves with the session",
          "Use a transaction that is not READ ONLY.");
    }
    LoopCounter counter =
        route instanceof Route.AnyShard
            ? LoopCounter.STATEMENTS_ANY_SHARD
            : LoopCounter.STATEMENTS_ONE_SHARD;
    counters.count(use.kind() == UseKind.COPY ? LoopCounter.STATEMENTS_COPY : counter);
    counters.count(server.shard(), ShardCounter.STATEMENTS);
    if (use.written()) {
      if (!server.dialog().hasWritten()) {
        Notifiers notifiers = client.context().cluster().notifiers();
        notifiers.note(server.processId(), client.owner().answers().clientId());
      }
      server.dialog().wrote();
    }
    if (use.locks()) {
      server.dialog().locked();
    }
    if (use.has(SessionEffect.NOTIFIES)) {
      server.dialog().notified();
    }
    if (use.maySet()) {
      server.dialog().mayHaveSet(client.planner().schemas().parametersSet());
    }
    if (use.has(SessionEffect.MAKES_PARAMETERS)) {
      server.dialog().mayMake(CustomParameters.in(sql));
    }
  }

  /**
   * Statements are executed by the next message to that server.
   *
   * @param rest what becomes of the answer's messages
   * @return what takes the answer
   */
  static AnswerHandler executed(
      Client client, ServerConnection server, List<Route.FunctionUse> uses, AnswerHandler rest) {
    AnswerHandler handler = client.effects().executed(server, uses, rest);
    return uses.stream().anyMatch(Route.FunctionUse::copiesIn)
        ? ForwardedCopyIn.begin(client.copies(), server, handler)
        : handler;
  }
}
