package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.ResultKeeper;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.RoutingView;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The portals that one client can name: those it has bound, and those that DECLARE has made. Small
 * while there are none.
 */
final class ClientPortals {
  private final ToIntFunction<String> declared;
  private @Nullable Portal unnamed;
  private @Nullable Map<String, Portal> named;

  /**
   * @param declared the shard whose server has a portal that DECLARE made; UNKNOWN or OVER_SEVERAL
   *     as {@link RoutingView#shardOfCursor}
   */
  ClientPortals(ToIntFunction<String> declared) {
    this.declared = declared;
  }

  /** A Bind gives the name to that portal. Takes ownership. */
  void put(String name, Portal portal) {
    Portal before;
    if (name.isEmpty()) {
      before = unnamed;
      unnamed = portal;
    } else {
      if (named == null) {
        named = new HashMap<>(4);
      }
      before = named.put(name, portal);
    }
    if (before != null) {
      before.close();
    }
  }

  /** Whether a Bind may give that name: all but the unnamed one have to be closed first. */
  boolean isFree(String name) {
    return name.isEmpty() || bound(name) == null;
  }

  /** One that a Bind has made. */
  private @Nullable Portal bound(String name) {
    return name.isEmpty() ? unnamed : named == null ? null : named.get(name);
  }

  /** A Bind has made nothing on that shard, whose server would have said so in that answer. */
  void bindSkipped(int shard, long answer) {
    closeIf(
        portal ->
            portal instanceof Portal.OfServer there
                && there.shard() == shard
                && there.bindAnswer() == answer);
  }

  /**
   * The name means nothing from now on.
   *
   * @return what a server has of it, for {@link #reopen}; null if no Bind has made one
   */
  @Nullable Portal close(String name) {
    Portal portal = name.isEmpty() ? unnamed : named == null ? null : named.remove(name);
    if (name.isEmpty()) {
      unnamed = null;
    }
    if (portal != null) {
      portal.close();
    }
    return portal;
  }

  /** All others mean nothing from now on. */
  void closeAllBut(@Nullable ResultKeeper executing) {
    closeIf(portal -> !(portal instanceof Portal.OnProxy own && own.result().equals(executing)));
  }

  private void closeIf(Predicate<Portal> which) {
    Portal one = unnamed;
    if (one != null && which.test(one)) {
      unnamed = null;
      one.close();
    }
    if (named != null) {
      named
          .values()
          .removeIf(
              portal -> {
                boolean closes = which.test(portal);
                if (closes) {
                  portal.close();
                }
                return closes;
              });
    }
  }

  /** Its server has not closed it; forgotten again if the name has been given to another. */
  void reopen(String name, Portal portal) {
    if (bound(name) == null) {
      put(name, portal);
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
    return Portal.OnServer.declared(shard);
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
    return portal instanceof Portal.OfServer there ? there.shard() : RoutingView.UNKNOWN;
  }

  /** DECLARE cannot make the unnamed one, and what a server has of that name is forgotten. */
  private int shardOfDeclared(String name) {
    return name.isEmpty() ? RoutingView.UNKNOWN : declared.applyAsInt(name);
  }

  /** RELEASE SAVEPOINT: what was made since then belongs to the one before. */
  void released(int savepointsLeft) {
    UnaryOperator<Portal> after =
        portal ->
            portal.origin().savepoints() <= savepointsLeft
                ? portal
                : portal.since(new Portal.Origin(savepointsLeft, portal.origin().failed()));
    if (unnamed != null) {
      unnamed = after.apply(unnamed);
    }
    if (named != null) {
      named.replaceAll((name, portal) -> after.apply(portal));
    }
  }

  /** ROLLBACK TO SAVEPOINT: what was made since then is gone. */
  void rolledBackTo(int savepoint) {
    closeIf(portal -> portal.origin().savepoints() > savepoint);
  }

  /** The transaction is over, and its portals with it. */
  void clear() {
    if (unnamed != null || named != null) {
      closeIf(portal -> true);
      named = null;
    }
  }
}
