package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.ResultKeeper;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.Route;
import io.shardmark.proxy.routing.RoutingView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The portals that one client can name: those it has bound, and those that DECLARE has made. Small
 * while there are none.
 */
final class ClientPortals {
  private Portal unnamed = new Portal();
  private final ToIntFunction<String> declared;
  private @Nullable Map<String, Portal> named;

  /**
   * @param declared the shard whose server has a portal that DECLARE made; UNKNOWN or OVER_SEVERAL
   *     as {@link RoutingView#shardOfCursor}
   */
  ClientPortals(ToIntFunction<String> declared) {
    this.declared = declared;
  }

  /** That of the name, for a Bind in that transaction. */
  Portal of(String name, Transaction transaction) {
    Portal portal = unnamed;
    if (!name.isEmpty()) {
      if (named == null) {
        named = new HashMap<>(4);
      }
      portal = named.computeIfAbsent(name, unused -> new Portal());
    }
    portal.madeIn(transaction);
    return portal;
  }

  /** Whether a Bind may give that name: all but the unnamed one have to be closed first. */
  boolean isFree(String name) {
    return name.isEmpty() || bound(name) == null;
  }

  /** One that stands for something since a Bind. */
  private @Nullable Portal bound(String name) {
    Portal portal = name.isEmpty() ? unnamed : named == null ? null : named.get(name);
    return portal == null || portal.text() == null ? null : portal;
  }

  /** A Bind has made nothing on that shard, whose server would have said so in that answer. */
  void bindSkipped(int shard, long answer) {
    for (Portal portal : all()) {
      if (portal.isOfBind(shard, answer)) {
        portal.clear();
      }
    }
  }

  /**
   * It stands for nothing from now on. What it holds for the proxy's own work is freed.
   *
   * @return what a server has of it, for {@link #reopen}; null if there is none that was bound
   */
  @Nullable Portal close(String name) {
    Portal portal = bound(name);
    if (portal == null) {
      return null;
    }
    if (portal.onProxy() != null) {
      portal.clear();
    } else if (name.isEmpty()) {
      unnamed = new Portal();
    } else if (named != null) {
      named.remove(name);
    }
    return portal;
  }

  /** All others stand for nothing from now on. */
  void closeAllBut(@Nullable ResultKeeper executing) {
    for (Portal portal : all()) {
      if (!portal.equals(executing)) {
        portal.clear();
      }
    }
  }

  /** Its server has not closed it; forgotten again if the name has been given to another. */
  void reopen(String name, Portal portal) {
    if (bound(name) != null) {
      return;
    }
    if (name.isEmpty()) {
      unnamed = portal;
    } else if (named != null) {
      named.put(name, portal);
    }
  }

  /** One that a Bind has made, or DECLARE on a server, which knows it by its name. */
  Portal existing(String name) {
    Portal portal = bound(name);
    if (portal != null) {
      return portal;
    }
    int shard = shardOfDeclared(name);
    if (shard == RoutingView.UNKNOWN) {
      throw new StatementException(
          SqlState.INVALID_CURSOR_NAME, "portal \"" + name + "\" does not exist");
    }
    if (shard == RoutingView.OVER_SEVERAL) {
      throw new StatementException(
          SqlState.FEATURE_NOT_SUPPORTED,
          "cursor \"" + name + "\" is over several shards and cannot be executed as a portal",
          "Use FETCH.");
    }
    Portal onServer = new Portal();
    onServer.onServer(shard, null, Route.Use.READS);
    return onServer;
  }

  /** Whether it is a cursor over several shards. */
  boolean isCursorOfProxy(String name) {
    return bound(name) == null && shardOfDeclared(name) == RoutingView.OVER_SEVERAL;
  }

  /** The shard whose server has the portal, else something negative. */
  int shardOfPortal(String name) {
    Portal portal = bound(name);
    if (portal == null) {
      return shardOfDeclared(name);
    }
    return portal.onProxy() == null ? portal.shard() : RoutingView.UNKNOWN;
  }

  /** DECLARE cannot make the unnamed one, and what a server has of that name is forgotten. */
  private int shardOfDeclared(String name) {
    return name.isEmpty() ? RoutingView.UNKNOWN : declared.applyAsInt(name);
  }

  private List<Portal> all() {
    List<Portal> all = new ArrayList<>(List.of(unnamed));
    if (named != null) {
      all.addAll(named.values());
    }
    return all;
  }

  /** RELEASE SAVEPOINT: what was made since then belongs to the one before. */
  void released(int savepointsLeft) {
    all().forEach(portal -> portal.setSavepoints(Math.min(portal.savepoints(), savepointsLeft)));
  }

  /** ROLLBACK TO SAVEPOINT: what was made since then is gone. */
  void rolledBackTo(int savepoint) {
    for (Portal portal : all()) {
      if (portal.savepoints() > savepoint) {
        portal.clear();
      }
    }
  }

  /** The transaction is over, and its portals with it. */
  void clear() {
    unnamed.clear();
    if (named != null) {
      named.values().forEach(Portal::clear);
      named = null;
    }
  }
}
