package io.shardmark.proxy.session;

import io.shardmark.proxy.metrics.LoopCounter;
import io.shardmark.proxy.metrics.LoopCounters;
import io.shardmark.proxy.metrics.ShardCounter;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.routing.Route;

/** What is noted of a statement that is passed on to one server as the client wrote it. */
final class Forwarding {
  private Forwarding() {}

  /**
   * A statement is to be sent to that server next: counts it, and notes what it leaves there. Every
   * statement that is passed on comes by here.
   *
   * @param server which the session has borrowed for it
   */
  static void note(Client client, ServerConnection server, Route.Forwarded route) {
    LoopCounters counters = client.context().counters();
    Route.Use use = route.use();
    LoopCounter counter =
        route instanceof Route.AnyShard
            ? LoopCounter.STATEMENTS_ANY_SHARD
            : LoopCounter.STATEMENTS_ONE_SHARD;
    counters.count(use.kind() == Route.Use.Kind.COPY ? LoopCounter.STATEMENTS_COPY : counter);
    counters.count(server.shard(), ShardCounter.STATEMENTS);
    if (use.written()) {
      if (!server.hasWritten()) {
        Notifiers notifiers = client.context().cluster().notifiers();
        notifiers.note(server.processId(), client.owner().answers().clientId());
      }
      server.markWritten();
    }
    if (use.maySet()) {
      server.mayHaveSet();
    }
    if (use.pins()) {
      client.pin(server);
    }
    if (use.cursor() != null) {
      client.scatter().cursors().passedOn(use.cursor(), server.shard());
    }
  }
}
