package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Transaction;
import io.shardmark.proxy.protocol.SqlState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One client's portals by name; small while there are none. */
final class ClientPortals {
  private final Portal unnamed = new Portal();
  private @Nullable Map<String, Portal> named;

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
    return name.isEmpty() || isUnbound(name);
  }

  @Nullable Portal find(String name) {
    return name.isEmpty() ? unnamed : named == null ? null : named.get(name);
  }

  /** It stands for nothing from now on. */
  void close(String name) {
    Portal portal = find(name);
    if (portal != null) {
      portal.clear();
    }
  }

  /** Whether that name is none that a Bind has given. */
  boolean isUnbound(String name) {
    Portal portal = find(name);
    return portal == null || portal.text() == null;
  }

  /** One that stands for something. */
  Portal existing(String name) {
    Portal portal = find(name);
    if (portal == null || isUnbound(name)) {
      throw new StatementException(
          SqlState.INVALID_CURSOR_NAME, "portal \"" + name + "\" does not exist");
    }
    return portal;
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
