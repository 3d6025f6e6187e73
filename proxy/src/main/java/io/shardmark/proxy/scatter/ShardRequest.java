package io.shardmark.proxy.scatter;

import io.shardmark.proxy.dialog.Expected;
import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.Execution;
import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.pool.AnswerHandler;
import io.shardmark.proxy.pool.ServerConnection;
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
  private final Route.Share share;
  private final Arguments arguments;

  /** Which of the client's parameters, in order. */
  private final int[] parameters;

  /** How many columns of the answer the client does not see. */
  private final int hidden;

  private ShardRequest(
      Execution execution, Route.Share share, Arguments arguments, int[] parameters, int hidden) {
    this.execution = execution;
    this.share = share;
    this.arguments = arguments;
    this.parameters = parameters;
    this.hidden = hidden;
  }

  int shard() {
    return share.shard();
  }

  /** One for each shard. */
  static List<ShardRequest> all(Execution execution, Route.Several route, Arguments arguments) {
    int count =
        arguments instanceof Arguments.BoundArguments bound ? bound.bind().parameterCount() : 0;
    int[] same = IntStream.range(0, count).toArray();
    int hidden = 0;
    if (route.strategy() instanceof ScatterStrategy.Merge merge) {
      hidden = merge.spec().hidden();
    } else if (route.strategy() instanceof ScatterStrategy.Replay replay) {
      hidden = replay.change().hiddenColumns();
    }
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
    if (arguments instanceof Arguments.BoundArguments) {
      bind(server, handler, server.ownPortal());
      server.executeOwn(handler);
      server.sync(handler);
    } else {
      server.query(share.sql(), handler);
    }
  }

  /**
   * The same by a portal in either protocol: BindComplete, sent at once, says it has a snapshot.
   */
  void sendByPortal(ServerConnection server, AnswerHandler handler) {
    if (arguments instanceof Arguments.BoundArguments) {
      bind(server, handler, server.ownPortal());
    } else {
      FrontendMessages.parse(server.out(), "", share.sql());
      server.expect(Expected.PARSE, handler);
      FrontendMessages.bind(server.out(), server.ownPortal(), "");
      describe(server, handler, server.ownPortal());
    }
    FrontendMessages.flush(server.out());
    server.executeOwn(handler);
    server.sync(handler);
  }

  /** Makes and describes a portal of that name, and fetches nothing. */
  void open(ServerConnection server, AnswerHandler handler, String portal) {
    bind(server, handler, portal);
    server.sync(handler);
  }

  private void bind(ServerConnection server, AnswerHandler handler, String portal) {
    if (arguments instanceof Arguments.BoundArguments bound) {
      StatementText text = execution.text(share.sql(), types(bound.text().typeOids()));
      text.prepareOn(server, handler);
      new BindWriter(server.out(), portal, StatementName.of(text.id()))
          .parameters(bound.bind(), parameters)
          .resultFormats(bound.bind(), hidden);
    } else {
      StatementText text = execution.text(share.sql());
      text.prepareOn(server, handler);
      FrontendMessages.bind(server.out(), portal, StatementName.of(text.id()));
    }
    describe(server, handler, portal);
  }

  private static void describe(ServerConnection server, AnswerHandler handler, String portal) {
    server.expect(Expected.BIND, handler);
    FrontendMessages.describe(server.out(), NameKind.PORTAL, portal);
    server.expect(Expected.DESCRIBE_PORTAL, handler);
  }

  private int[] types(int[] declared) {
    return IntStream.of(parameters)
        .map(parameter -> parameter < declared.length ? declared[parameter] : 0)
        .toArray();
  }
}
