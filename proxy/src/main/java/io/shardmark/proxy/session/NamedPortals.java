package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.RoutingView;

/** The portals that a client can name: those it has bound, and those that DECLARE has made. */
final class NamedPortals {
  private final Client client;
  private final ClientPortals bound;

  NamedPortals(Client client) {
    this.client = client;
    this.bound = client.pipeline().portals();
  }

  /** One that a Bind has made, or DECLARE on a server, which knows it by its name. */
  Portal existing(String name) {
    if (!bound.isUnbound(name)) {
      return bound.existing(name);
    }
    int shard = shardOfDeclared(name);
    if (shard == RoutingView.UNKNOWN) {
      return bound.existing(name); // which says that there is none
    }
    if (shard == RoutingView.OVER_SEVERAL) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "cursor \"" + name + "\" is over several shards and cannot be executed as a portal",
          "Use FETCH.");
    }
    Portal declared = new Portal();
    declared.onServer(shard, null, false);
    return declared;
  }

  /** Whether it is a cursor over several shards. */
  boolean isCursorOfProxy(String name) {
    return bound.isUnbound(name) && shardOfDeclared(name) == RoutingView.OVER_SEVERAL;
  }

  /** The shard whose server has the portal, else something negative. */
  int shardOfPortal(String name) {
    if (bound.isUnbound(name)) {
      return shardOfDeclared(name);
    }
    Portal portal = bound.existing(name);
    return portal.onProxy() == null ? portal.shard() : RoutingView.UNKNOWN;
  }

  /**
   * The shard whose server has a portal that DECLARE made, UNKNOWN if none has one of that name, or
   * OVER_SEVERAL if the proxy has it. With one shard the server alone knows.
   */
  private int shardOfDeclared(String name) {
    if (name.isEmpty()) {
      return RoutingView.UNKNOWN; // DECLARE cannot make that, and what a server has is forgotten
    }
    if (client.shardCount() == 1) {
      return client.isIdle() && !client.participants().isPinned() ? RoutingView.UNKNOWN : 0;
    }
    return client.scatter().cursors().shardOf(name);
  }
}
