package io.shardmark.proxy.session;

import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.RoutingView;
import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.session.Transaction.Mode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cursors that a client has declared in SQL. One whose query is on one shard is that server's
 * own, and what is said of it is passed on there; others are the proxy's.
 */
final class SqlCursors {
  private final ClientSession session;
  private @Nullable Map<String, Entry> byName;

  /**
   * @param shard of a server's own, else -1
   */
  private record Entry(
      int shard, @Nullable ScatterCursor scatter, long transaction, boolean hold) {}

  SqlCursors(ClientSession session) {
    this.session = session;
  }

  private @Nullable Entry find(String name) {
    Entry entry = byName == null ? null : byName.get(name);
    if (entry == null) {
      return null;
    }
    ScatterCursor scatter = entry.scatter();
    boolean alive =
        scatter != null
            ? scatter.isAlive()
            : entry.hold()
                || (session.transaction().mode() != Mode.NONE
                    && session.transaction().number() == entry.transaction());
    return alive ? entry : null;
  }

  /** As {@link RoutingView#shardOfCursor}. */
  int shardOf(String name) {
    Entry known = find(name);
    if (known == null) {
      return RoutingView.UNKNOWN;
    }
    return known.scatter() == null ? known.shard() : RoutingView.OVER_SEVERAL;
  }

  /**
   * The shard whose server has a portal that DECLARE made, UNKNOWN if it has none of that name, or
   * OVER_SEVERAL if the proxy has it. With one shard the server alone knows.
   */
  int shardOfPortal(String name) {
    if (session.context().shardCount() == 1) {
      return session.isIdle() && !session.links().isPinned() ? RoutingView.UNKNOWN : 0;
    }
    return shardOf(name);
  }

  /** DECLARE goes to that shard. */
  void passedOn(StatementPlan.DeclareCursor declare, int shard) {
    put(declare.name(), new Entry(shard, null, session.transaction().number(), declare.hold()));
  }

  /** One over several shards. */
  void keep(String name, ScatterCursor cursor) {
    put(name, new Entry(-1, cursor, session.transaction().number(), false));
  }

  private void put(String name, Entry entry) {
    if (byName == null) {
      byName = new HashMap<>(4);
    }
    Set<String> over = new HashSet<>(byName.keySet());
    over.removeIf(each -> find(each) != null);
    byName.keySet().removeAll(over);
    byName.put(name, entry);
  }

  /** Refuses a name that is taken. */
  void requireNew(String name) {
    if (find(name) != null) {
      throw new StatementException(
          SqlState.DUPLICATE_CURSOR, "cursor \"" + name + "\" already exists");
    }
  }

  /** One over several shards. */
  ScatterCursor scatter(String name) {
    Entry entry = find(name);
    ScatterCursor cursor = entry == null ? null : entry.scatter();
    if (cursor == null) {
      throw new StatementException(
          SqlState.INVALID_CURSOR_NAME, "cursor \"" + name + "\" does not exist");
    }
    return cursor;
  }

  /** CLOSE of one over several shards. */
  void close(String name) {
    scatter(name).close();
    forget(name);
  }

  /** It is closed. */
  void forget(String name) {
    if (byName != null) {
      byName.remove(name);
    }
  }

  /**
   * CLOSE ALL, the proxy's own.
   *
   * @return the shards on which servers have others
   */
  Set<Integer> closeAll() {
    Set<Integer> shards = new HashSet<>();
    Map<String, Entry> all = byName;
    if (all == null) {
      return shards;
    }
    for (String name : all.keySet()) {
      Entry entry = find(name);
      ScatterCursor scatter = entry == null ? null : entry.scatter();
      if (scatter != null) {
        scatter.close();
      } else if (entry != null) {
        shards.add(entry.shard());
      }
    }
    byName = null;
    return shards;
  }
}
