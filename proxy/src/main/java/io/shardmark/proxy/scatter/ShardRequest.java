package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.Expected;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.BindWriter;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameKind;
import io.shardmark.proxy.protocol.StatementName;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.ScatterStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What one shard is asked for its part of a statement. */
final class ShardRequest {
  private final Execution execution;
  private final int shard;
  private final String sql;
  private final Arguments arguments;

  /** Which of the client's parameters, in order. */
  private final int[] parameters;

  /** How many columns of the answer the client does not see. */
  private final int hidden;

  private ShardRequest(
      Execution execution, Route.Share share, Arguments arguments, int[] parameters, int hidden) {
    this.execution = execution;
    this.shard = share.shard();
    this.sql = share.sql();
    this.arguments = arguments;
    this.parameters = parameters;
    this.hidden = hidden;
  }

  int shard() {
    return shard;
  }

  /** One for each shard. */
  static List<ShardRequest> all(Execution execution, Route.Several route, Arguments arguments) {
    int count = arguments instanceof Arguments.Bound bound ? bound.bind().parameterCount() : 0;
    int[] same = IntStream.range(0, count).toArray();
    int hidden =
        route.strategy() instanceof ScatterStrategy.Merge merge ? merge.spec().hidden() : 0;
    List<ShardRequest> requests = new ArrayList<>();
    for (Route.Share share : route.shares()) {
      List<Integer> chosen = share.parameters();
      int[] used = chosen == null ? same : chosen.stream().mapToInt(Integer::intValue).toArray();
      requests.add(new ShardRequest(execution, share, arguments, used, hidden));
    }
    return requests;
  }

  /** Sends it, up to Sync. */
  void send(ServerConnection server, AnswerHandler handler) {
    if (!(arguments instanceof Arguments.Bound bound)) {
      server.query(sql, handler);
      return;
    }
    StatementText text = text(bound);
    text.prepareOn(server, handler);
    String portal = server.ownPortal();
    bind(server, portal, text, bound.bind());
    server.expect(Expected.BIND, handler);
    FrontendMessages.describe(server.out(), NameKind.PORTAL, portal);
    server.expect(Expected.DESCRIBE_PORTAL, handler);
    server.executeOwn(handler);
    server.sync(handler);
  }

  /** Makes and describes a portal of that name, and fetches nothing. */
  void open(ServerConnection server, AnswerHandler handler, String portal) {
    if (arguments instanceof Arguments.Bound bound) {
      StatementText text = text(bound);
      text.prepareOn(server, handler);
      bind(server, portal, text, bound.bind());
    } else {
      StatementText text = execution.text(sql);
      text.prepareOn(server, handler);
      FrontendMessages.bind(server.out(), portal, StatementName.of(text.id()));
    }
    server.expect(Expected.BIND, handler);
    FrontendMessages.describe(server.out(), NameKind.PORTAL, portal);
    server.expect(Expected.DESCRIBE_PORTAL, handler);
    server.sync(handler);
  }

  private StatementText text(Arguments.Bound bound) {
    int[] declared = bound.text().typeOids();
    int[] types = new int[parameters.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = parameters[i] < declared.length ? declared[parameters[i]] : 0;
    }
    return execution.text(sql, types);
  }

  /** A Bind with this shard's parameters. */
  private void bind(ServerConnection server, String portal, StatementText text, BindReader bind) {
    new BindWriter(server.out(), portal, StatementName.of(text.id()))
        .parameters(bind, parameters)
        .resultFormats(bind, hidden);
  }
}
