package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.SqlState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One client's portals by name; small while there are none. */
final class ClientPortals {
  private final Portal unnamed = new Portal();
  private @Nullable Map<String, Portal> named;

  /** That of the name, made if need be. */
  Portal of(String name) {
    if (name.isEmpty()) {
      return unnamed;
    }
    if (named == null) {
      named = new HashMap<>(4);
    }
    return named.computeIfAbsent(name, unused -> new Portal());
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

  /** The transaction is over, and its portals with it. */
  void clear() {
    unnamed.clear();
    if (named != null) {
      named.values().forEach(Portal::clear);
      named = null;
    }
  }
}
