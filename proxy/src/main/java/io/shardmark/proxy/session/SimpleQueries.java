package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.shardmark.proxy.dialog.ClientDialog;
import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.execution.Transaction.EndMode;
import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.Router;
import io.shardmark.proxy.routing.SimpleStatement;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan;
import io.shardmark.proxy.routing.StatementPlan.TransactionPlan.TransactionVerb;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Query messages (PG18 §54.2.2 protocol-flow-simple-query). */
final class SimpleQueries {
  private static final int HEADER_LENGTH = 5;

  /** What is in a text for bytes that are no UTF-8. */
  private static final char UNREADABLE = '\uFFFD';

  private final Client client;
  private final StatementPreparation preparation;
  private final ClientDialog dialog;

  /** The client gets the answer, unless the server skips the message. */
  private final AnswerHandler forwarded =
      new AnswerHandler() {
        @Override
        public AnswerHandler.HandlerUse use() {
          return AnswerHandler.HandlerUse.FORWARD;
        }

        @Override
        public void skipped(ServerConnection server) {
          dialog.skippedByServer();
        }

        @Override
        public void lost(ServerConnection server) {}
      };

  SimpleQueries(Client client, StatementPreparation preparation) {
    this.client = client;
    this.preparation = preparation;
    this.dialog = client.dialog();
  }

  /** Takes a Query; false: not now. */
  boolean query(ByteBuf buffer, int start, int length) {
    if (!preparation.placeHeldParse()) {
      return false;
    }
    dialog.beginQuery();
    client.statements().remove(""); // PG18 §54.2.3 protocol-flow-ext-query
    client.portals().close("");
    if (length <= HEADER_LENGTH || buffer.getByte(start + length - 1) != 0) {
      throw new ProtocolViolationException("Query has a string without an end");
    }
    String text =
        buffer.toString(start + HEADER_LENGTH, length - HEADER_LENGTH - 1, StandardCharsets.UTF_8);
    if (!client.underWay().begin(text)) {
      return false;
    }
    List<SimpleStatement> statements = client.planner().simple(text, client.searchPath());
    List<Router.Routed> routes = routes(statements);
    int end = forwardableEnd(statements);
    int shard = end >= 0 ? end : onlyShard(routes);
    if (shard >= 0) {
      ServerConnection server = client.participants().require(shard);
      if (server == null) {
        return false;
      }
      AnswerHandler handler = forwarded;
      if (end >= 0) {
        forwardEnd(server, statements.get(0));
      } else {
        handler = note(server, routes);
      }
      server.send(buffer, start, length);
      server.expect(Expected.QUERY, handler);
      dialog.forwardQuery();
      return true;
    }
    if (!client.participants().drained()) {
      return false;
    }
    if (text.indexOf('\0') >= 0) {
      throw new ProtocolViolationException("Query has bytes after the end of its string");
    }
    requireUtf8(text, buffer, start + HEADER_LENGTH, length - HEADER_LENGTH - 1);
    dialog.runQuery();
    client.work().begin(new StatementRun(client, statements, routes, text).then(this::end));
    return true;
  }

  /**
   * Where all the statements go; none if that is to be decided one by one, as what is before a
   * statement may change its way.
   */
  private List<Router.Routed> routes(List<SimpleStatement> statements) {
    if (client.transaction().isFailed() || client.ownTables().isChanged()) {
      return List.of();
    }
    if (statements.size() == 1) {
      return List.of(client.route(statements.get(0)));
    }
    boolean independent = statements.stream().allMatch(SimpleQueries::isQuery);
    return independent ? statements.stream().map(client::route).toList() : List.of();
  }

  private static boolean isQuery(SimpleStatement statement) {
    return statement.planned().isQuery();
  }

  /** What is not passed on as it came is written anew, and must not become another text by that. */
  private void requireUtf8(String text, ByteBuf buffer, int start, int length) {
    if (text.indexOf(UNREADABLE) < 0
        || ByteBufUtil.isText(buffer, start, length, StandardCharsets.UTF_8)) {
      return;
    }
    String hint =
        client.context().shardCount() > 1
            ? ""
            : "With another client_encoding send one statement in a Query.";
    throw new StatementException(
        SqlState.CHARACTER_NOT_IN_REPERTOIRE,
        "invalid byte sequence for encoding \"UTF8\" in a statement",
        hint);
  }

  /**
   * Takes a FunctionCall, which ends without a Sync (PG18 §54.2.4 protocol-flow-function-call);
   * false: not now.
   */
  boolean functionCall(ByteBuf buffer, int start, int length) {
    if (!preparation.placeHeldParse()) {
      return false;
    }
    dialog.beginQuery();
    if (client.context().shardCount() > 1) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "FunctionCall messages are not supported",
          "Call the function in a SELECT.");
    }
    client.transaction().refuseIfFailed();
    ServerConnection server = client.participants().require(0);
    if (server == null) {
      return false;
    }
    server.dialog().wrote();
    server.dialog().mayHaveSet(client.planner().schemas().parametersSet());
    server.send(buffer, start, length);
    server.expect(Expected.QUERY, forwarded);
    dialog.forwardQuery();
    return true;
  }

  /** The shard that a COMMIT or ROLLBACK can be sent to as it is, or -1. */
  private int forwardableEnd(List<SimpleStatement> statements) {
    TransactionPlan end = statements.size() == 1 ? statements.get(0).planned().control() : null;
    return end == null ? -1 : client.end().forwardableTo(end);
  }

  private void forwardEnd(ServerConnection server, SimpleStatement statement) {
    LoopCounters counters = client.context().counters();
    counters.count(LoopCounter.STATEMENTS_ONE_SHARD);
    counters.count(server.shard(), ShardCounter.STATEMENTS);
    TransactionPlan end = statement.planned().control();
    boolean commits = end != null && end.command() == TransactionVerb.COMMIT;
    client.end().forwarded().comesOn(server);
    client.end().forwarded().begin(server, commits);
  }

  /** Notes what is sent to that server next; answers what takes the answer. */
  private AnswerHandler note(ServerConnection server, List<Router.Routed> routes) {
    List<Route.FunctionUse> uses = new ArrayList<>(routes.size());
    boolean plain = true;
    for (Router.Routed routed : routes) {
      if (routed.route() instanceof Route.Forwarded route) {
        Forwarding.note(client, server, route, routed.statement().sql());
        uses.add(route.use());
        plain &= route.use().isPlain();
      }
    }
    return plain ? forwarded : Forwarding.executed(client, server, uses, forwarded);
  }

  /** The shard that the whole message can be sent to as it is, or -1. */
  private int onlyShard(List<Router.Routed> routes) {
    int only = -1;
    Route.Forwarded any = null;
    for (Router.Routed routed : routes) {
      if (!(routed.route() instanceof Route.Forwarded whole)
          || (routes.size() > 1 && whole.use().copiesIn())) {
        return -1;
      }
      if (whole instanceof Route.OneShard one) {
        if (only >= 0 && one.shard() != only) {
          return -1;
        }
        only = one.shard();
      } else {
        any = whole;
      }
    }
    return only >= 0 || any == null ? only : any.shard(client.participants());
  }

  /** A statement has failed with an error of our own, which the client has. */
  void failed() {
    client.output().endHolding(false);
    client.work().begin(end());
  }

  /** Ends a Query message: commits what it began, if it has not failed, then ReadyForQuery. */
  private ExecutionStep end() {
    dialog.endQuery();
    Transaction transaction = client.transaction();
    ExecutionStep ending =
        transaction.mode() == EndMode.IMPLICIT ? EndStep.commit(client) : ExecutionStep.DONE;
    return ending.thenDo(
        () -> {
          client.output().endHolding(true);
          if (transaction.mode() == EndMode.NONE) {
            client.portals().clear();
            client.participants().releaseAll();
          }
          client.readyForQuery();
        });
  }
}
